import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errorTexts } from '#shared/texts.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/http/errors.ts';
import type { Viewer } from '#server/http/session.ts';
import { IMAGE_TYPES } from './image-type.ts';
import { PROOF_NAME } from './proof-files.ts';
import type { ProofLinks } from './proof-links.ts';
import { findProofOwner } from '../queries.ts';

type ProofRouteDeps = {
  links: ProofLinks;
  /** Whom a session stands for at this moment, or null when it no longer counts. */
  resolveSession: (sessionId: string) => Viewer | null;
  /** Whether pages of another origin (CORS_ORIGIN) may show the images. */
  crossOrigin: boolean;
};

/** One answer for every reason, and none that a browser may keep: the same link may work again later. */
const missing = (): AppError => new AppError(404, errorTexts.pathMissing, { headers: { 'cache-control': 'no-store' } });

/** `GET /uploads/{file}`: proof images by signed link, judged anew at every request (contract 3 and 4). */
export function proofRoutes(app: FastifyInstance, { orm, proofsDir }: Context, deps: ProofRouteDeps): void {
  app.get<{ Params: { file: string }; Querystring: Record<string, unknown> }>(
    '/uploads/:file',
    {
      schema: {
        tags: ['Bukti pembayaran'],
        summary: 'Gambar bukti pembayaran',
        description: 'Alamatnya adalah payment_proof dari sebuah data PBB; tidak memerlukan header.',
        security: [],
      },
    },
    async (request, reply) => {
      const { file } = request.params;
      requireRight(file, request.query);
      const etag = `"${file}"`;
      reply.headers({
        etag,
        'cache-control': 'private, no-cache',
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': deps.crossOrigin ? 'cross-origin' : 'same-origin',
      });
      // A name is never given to a second image, so the name is the version.
      if (knows(request, etag)) return reply.code(304).send();
      const handle = await openProof(join(proofsDir, file));
      const { size } = await handle.stat();
      reply.header('content-length', size).type(typeOf(file));
      return reply.send(handle.createReadStream());
    },
  );

  function requireRight(file: string, query: Record<string, unknown>): void {
    const sessionId = deps.links.readLink(file, query);
    const viewer = sessionId === null ? null : deps.resolveSession(sessionId);
    if (!viewer) throw missing();
    const ownerId = findProofOwner(orm, file);
    if (ownerId === null || (ownerId !== viewer.id && !viewer.isAdmin)) throw missing();
  }
}

async function openProof(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw missing();
    throw error;
  }
}

function knows(request: FastifyRequest, etag: string): boolean {
  const known = request.headers['if-none-match'] ?? '';
  return known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

function typeOf(file: string): string {
  const ending = PROOF_NAME.exec(file)?.[1];
  if (ending === 'jpg' || ending === 'png' || ending === 'gif') return IMAGE_TYPES[ending];
  throw missing();
}
