import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorTexts } from '#shared/texts.ts';
import { errorCode } from '#server/files/atomic.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { AppError } from '#server/http/errors.ts';
import { contentAnswer } from '#server/http/openapi.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { IMAGE_TYPES } from '#server/images/image-type.ts';
import { PROOF_NAME_PATTERN } from './proof-files.ts';
import type { ProofLinks } from './proof-links.ts';
import { findProofOwner } from '../queries.ts';

type ProofRouteDeps = {
  links: ProofLinks;
  /** The user of a session at this moment, or null when the session no longer counts. */
  resolveSession: (sessionId: string) => CurrentUser | null;
  /** Whether pages of another origin (CORS_ORIGIN) may show the images. */
  crossOrigin: boolean;
};

const linkPart = z.unknown().optional().meta({ type: 'string' });
/** What a link carries. Any other value is answered like every link that does not count. */
const proofLinkQuery = z.object({ s: linkPart, e: linkPart, t: linkPart });

/** The same answer for every reason. Browsers must not cache it, because the link may work again later. */
const notFoundError = (): AppError =>
  new AppError(404, errorTexts.pathMissing, { headers: { 'cache-control': 'no-store' } });

/** `GET /uploads/{file}`: proof images by signed link, checked again at each request (R-PROOF-6, R-PROOF-7). */
export function proofRoutes(app: FastifyInstance, { orm, proofsDir }: ServiceContext, deps: ProofRouteDeps): void {
  app.get<{ Params: { file: string }; Querystring: Record<string, unknown> }>(
    '/uploads/:file',
    {
      schema: {
        tags: ['Bukti pembayaran'],
        summary: 'Gambar bukti pembayaran',
        description: 'Alamatnya adalah payment_proof dari sebuah data PBB; tidak memerlukan header.',
        security: [],
        querystring: proofLinkQuery,
        response: { 200: contentAnswer(...Object.values(IMAGE_TYPES)), 304: z.null() },
      },
    },
    async (request, reply) => {
      const { file } = request.params;
      requireAccess(file, request.query);
      const etag = `"${file}"`;
      reply.headers({
        etag,
        'cache-control': 'private, no-cache',
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': deps.crossOrigin ? 'cross-origin' : 'same-origin',
      });
      // A name is never used for a second image, so the name identifies the version.
      if (matchesEtag(request, etag)) return reply.code(304).send();
      const handle = await openProof(join(proofsDir, file));
      const { size } = await handle.stat();
      reply.header('content-length', size).type(contentTypeOf(file));
      return reply.send(handle.createReadStream());
    },
  );

  function requireAccess(file: string, query: Record<string, unknown>): void {
    const sessionId = deps.links.readLink(file, query);
    const currentUser = sessionId === null ? null : deps.resolveSession(sessionId);
    if (!currentUser) throw notFoundError();
    const ownerId = findProofOwner(orm, file);
    if (ownerId === null || (ownerId !== currentUser.id && !currentUser.isAdmin)) throw notFoundError();
  }
}

async function openProof(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw notFoundError();
    throw error;
  }
}

function matchesEtag(request: FastifyRequest, etag: string): boolean {
  const ifNoneMatch = request.headers['if-none-match'] ?? '';
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

function contentTypeOf(file: string): string {
  const extension = PROOF_NAME_PATTERN.exec(file)?.[1];
  if (extension === 'jpg' || extension === 'png' || extension === 'gif') return IMAGE_TYPES[extension];
  throw notFoundError();
}
