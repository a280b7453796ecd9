import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type AttachmentType, isPhoto } from '#shared/message-contents.ts';
import { errorTexts } from '#shared/texts.ts';
import { errorCode } from '#server/files/atomic.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { AppError } from '#server/http/errors.ts';
import { describeDownload, describeInline } from '#server/http/answers/content-disposition.ts';
import { matchesEtag } from '#server/http/answers/request-headers.ts';
import { contentAnswer } from '#server/http/api-docs/openapi.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { UploadLinks } from './upload-links.ts';
import { UPLOAD_TYPES, uploadTypeOf } from './upload-names.ts';

/** A feature's answer about one of its files. */
export type FoundUpload = {
  /** Asked at every request, because rights end. */
  mayOpen: (user: CurrentUser) => boolean;
  /** The name for a download; null for a file without a name of its own. */
  name: string | null;
};
/** @returns null for a file of another feature, or one that is gone */
export type FindUpload = (file: string) => Promise<FoundUpload | null>;

type UploadRouteDeps = {
  links: UploadLinks;
  /** The user of a session at this moment, or null when the session no longer counts. */
  resolveSession: (sessionId: string) => Promise<CurrentUser | null>;
  /** Whether pages of another origin (CORS_ORIGIN) may show the files. */
  crossOrigin: boolean;
  /** Asked one after the other. */
  sources: readonly FindUpload[];
};

const linkPart = z.unknown().optional().meta({ type: 'string' });
/** The query of a link. Any other value is answered like every link that does not count. */
const linkQuery = z.object({ s: linkPart, e: linkPart, t: linkPart });

/** The same answer for every reason. Browsers must not cache it, because the link may work again later. */
export const notFoundError = (): AppError =>
  new AppError(404, errorTexts.pathMissing, { headers: { 'cache-control': 'no-store' } });

/**
 * `GET /uploads/{file}`: proofs and files of messages by signed link, checked again at each request (R-PROOF-6, R-PROOF-7,
 * R-FILE-9).
 */
export function uploadRoutes(
  app: FastifyInstance,
  context: Pick<ServiceContext, 'proofsDir' | 'requireFiles'>,
  deps: UploadRouteDeps,
): void {
  app.get<{ Params: { file: string }; Querystring: Record<string, unknown> }>(
    '/uploads/:file',
    {
      schema: {
        tags: ['Bukti pembayaran'],
        summary: 'Bukti pembayaran, atau berkas sebuah pesan',
        description:
          'Alamatnya adalah payment_proof dari sebuah data PBB, atau url dan thumb_url dari lampiran sebuah pesan; tidak memerlukan header. Dokumen PDF hanya sebagai unduhan.',
        security: [],
        querystring: linkQuery,
        response: { 200: contentAnswer(...Object.values(UPLOAD_TYPES)), 304: z.null() },
      },
    },
    async (request, reply) => {
      const { file } = request.params;
      const { name } = await requireAccess(file, request.query);
      const type = uploadTypeOf(file);
      if (type === null) throw notFoundError();
      const describe = isPhoto(type) ? describeInline : describeDownload;
      reply.headers({
        'cache-control': 'private, no-cache',
        // A browser must not show a document as a page of this server, because a document may contain scripts.
        ...(name === null && isPhoto(type) ? {} : { 'content-disposition': describe(name ?? file) }),
      });
      return sendUpload(request, reply, context, { file, type, crossOrigin: deps.crossOrigin });
    },
  );

  async function requireAccess(file: string, query: Record<string, unknown>): Promise<FoundUpload> {
    const sessionId = deps.links.readLink(file, query);
    const currentUser = sessionId === null ? null : await deps.resolveSession(sessionId);
    if (!currentUser) throw notFoundError();
    for (const find of deps.sources) {
      const found = await find(file);
      if (found?.mayOpen(currentUser)) return found;
    }
    throw notFoundError();
  }
}

type SentUpload = { file: string; type: AttachmentType; crossOrigin: boolean };

/** Sends a stored file; the caller has checked that it may. @throws 404 when it is gone, 503 while all are away */
export async function sendUpload(
  request: FastifyRequest,
  reply: FastifyReply,
  { proofsDir, requireFiles }: Pick<ServiceContext, 'proofsDir' | 'requireFiles'>,
  { file, type, crossOrigin }: SentUpload,
): Promise<FastifyReply> {
  // A name is never used for a second image, so the name identifies the version.
  const etag = `"${file}"`;
  reply.headers({
    etag,
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': crossOrigin ? 'cross-origin' : 'same-origin',
  });
  if (matchesEtag(request, etag)) return reply.code(304).send();
  await requireFiles();
  const handle = await openUpload(join(proofsDir, file));
  const { size } = await handle.stat();
  reply.header('content-length', size).type(type);
  return reply.send(handle.createReadStream());
}

async function openUpload(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw notFoundError();
    throw error;
  }
}
