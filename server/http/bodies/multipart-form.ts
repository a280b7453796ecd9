import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FormShape } from '#shared/api/calls/call.ts';
import { parseStrictNumber } from '#shared/domain/money/rupiah.ts';
import { BODY_MAX_BYTES, PROOF_MAX_BYTES } from '#shared/limits.ts';
import { errorTexts } from '#shared/texts.ts';
import { addressKey } from '#server/security/ip-addresses.ts';
import { endUnfinishedRequest } from './body-progress.ts';
import { AppError, badFormat, evictedResponse } from '../errors.ts';
import { type CurrentUser, requireCurrentUser } from '../session-guards.ts';
import { withoutNul } from './nul-texts.ts';
import { createFormEncodingCheck } from './text-encoding.ts';
import { createUploadSlots, RETRY_AFTER_SECONDS, type RunningUpload, type Uploader } from './upload-slots.ts';

/** An uploaded file, on the disk until the request ends. */
export type FormFile = {
  path: string;
  /** As the client calls it, so it may be anything; empty when it gives no name. */
  name: string;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** The file of a multipart form, by field name. */
    formFiles: Map<string, FormFile>;
    uploadPhase: 'none' | 'receiving' | 'handling';
  }
  interface FastifyInstance {
    uploads: {
      folder: string;
      acquireSlot: (uploader: Uploader, upload: RunningUpload) => Promise<() => void>;
      requireSpace: FormsOptions['requireSpace'];
    };
  }
}

const FIELD_MAX_BYTES = BODY_MAX_BYTES / 8;

/** The ending of a file that is still being written. What a crash leaves behind is found by it (R-PROOF-8). */
export const PARTIAL_SUFFIX = '.part';

export type FormsOptions = {
  /** The folder of the temporary files: on the disk of the stored ones, so that a full disk shows early. */
  folder: string;
  /** Whether uploads wait for each other; off for load tests. */
  rateLimits: boolean;
  /** Asked before an upload is read. @throws 503, 507 */
  requireSpace: (currentUser: CurrentUser) => Promise<void>;
};

export async function registerForms(app: FastifyInstance, options: FormsOptions): Promise<void> {
  const { folder, rateLimits, requireSpace } = options;
  await app.register(multipart, {
    limits: { fileSize: PROOF_MAX_BYTES, files: 4, fields: 40, parts: 44, fieldSize: FIELD_MAX_BYTES },
  });
  const slots = createUploadSlots();
  const acquireSlot = rateLimits ? slots.acquire : async () => () => undefined;
  app.decorate('uploads', { folder, acquireSlot, requireSpace });
  app.decorateRequest('formFiles');
  // A default, because a hook may answer before the next one runs, as that of CORS answers a preflight.
  app.decorateRequest('uploadPhase', 'none');
  app.addHook('onRequest', async (request) => {
    request.formFiles = new Map();
  });
  // From here on the handler owns the files, even when the client goes away: what was sent whole is stored.
  app.addHook('preHandler', async (request, reply) => {
    if (request.uploadPhase === 'receiving' && reply.raw.writable) request.uploadPhase = 'handling';
  });
  app.addHook('onSend', async (request) => {
    if (request.uploadPhase !== 'none') await removeFiles(request);
  });
}

/** @returns a preValidation hook that turns a multipart form into a body and ignores every other request */
export function createFormParser(shape: FormShape) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!request.isMultipart()) return;
    try {
      await request.server.uploads.requireSpace(requireCurrentUser(request));
      // A length that is too large is answered before the upload, and nothing of it is stored.
      const { fileMaxBytes = PROOF_MAX_BYTES } = shape;
      if (Number(request.headers['content-length']) > fileMaxBytes + BODY_MAX_BYTES) throw tooLarge(shape);
      await takeSlot(request, reply);
      const encoding = createFormEncodingCheck(request.headers['content-type'] ?? '', FIELD_MAX_BYTES);
      // Only now: a listener starts the flow of the body.
      request.raw.on('data', encoding.write);
      request.body = await readParts(request, shape);
      if (!encoding.isUtf8()) throw badFormat();
    } catch (error) {
      // The rest of the body is read and discarded: otherwise the client never reads the answer, and the connection
      // cannot be used again.
      request.raw.unpipe();
      request.raw.resume();
      throw hasOwnAnswer(error) ? error : badFormat();
    }
  };
}

/** Waits for a slot and gives it back at the end of the answer, or when the client goes away. */
async function takeSlot(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  request.uploadPhase = 'receiving';
  let releaseSlot: (() => void) | null = null;
  let isClosed = false;
  reply.raw.once('close', () => {
    isClosed = true;
    releaseSlot?.();
    if (request.uploadPhase === 'receiving') void removeFiles(request);
  });
  const { raw, ip } = request;
  const { id, isAdmin } = requireCurrentUser(request);
  const uploader = { id, isAdmin, address: addressKey(ip) };
  const release = await request.server.uploads.acquireSlot(uploader, {
    totalBytes: Number(raw.headers['content-length'] ?? Infinity),
    readBytes: () => raw.socket.bytesRead,
    isComplete: () => raw.complete,
    end: () => endUnfinishedRequest(raw, reply.raw, evictedResponse(RETRY_AFTER_SECONDS)),
  });
  releaseSlot = release;
  if (!isClosed) return;
  release();
  throw badFormat();
}

async function readParts(request: FastifyRequest, shape: FormShape): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  let fieldBytes = 0;
  let partCount = 0;
  for await (const part of request.parts({ limits: { fileSize: shape.fileMaxBytes ?? PROOF_MAX_BYTES } })) {
    partCount += 1;
    if (part.type === 'field') {
      fieldBytes += typeof part.value === 'string' ? Buffer.byteLength(part.value) : 0;
      if (part.valueTruncated || fieldBytes > BODY_MAX_BYTES) throw new AppError(413, errorTexts.bodyTooLarge);
      const field = withoutNul(part.fieldname);
      fields[field] = readField(shape, field, part.value);
    } else if (!shape.files.includes(part.fieldname)) {
      part.file.resume();
    } else {
      if (request.formFiles.has(part.fieldname)) throw new AppError(413, errorTexts.bodyTooLarge);
      await receiveFile(request, part, tooLarge(shape));
    }
  }
  // A form without parts must not set every field of a record to null.
  if (partCount === 0) return fields;
  return { ...Object.fromEntries((shape.nullWhenMissing ?? []).map((field) => [field, null])), ...fields };
}

const tooLarge = ({ tooLargeText = errorTexts.proofTooLarge }: FormShape): AppError => new AppError(413, tooLargeText);

/** Writes the file of a part to the disk while it arrives; memory holds no more than one chunk of it. */
async function receiveFile(request: FastifyRequest, part: MultipartFile, tooLargeError: AppError): Promise<void> {
  // Its type says otherwise, but a part that is a file by its media type alone has no name.
  const { filename } = part as { filename: string | undefined };
  const name = withoutNul(filename ?? '');
  const path = join(request.server.uploads.folder, `${randomUUID()}.png${PARTIAL_SUFFIX}`);
  const output = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  let storageError: unknown = null;
  output.once('error', (error) => {
    // A part that breaks off ends the output with its own error.
    if (!part.file.errored) storageError = error;
  });
  part.file.once('limit', () => output.destroy(tooLargeError));
  try {
    await pipeline(part.file, output);
    if (part.file.truncated) throw tooLargeError;
    // Browsers send an empty file without a name for an empty file input.
    if (output.bytesWritten === 0 && name === '') await rm(path, { force: true });
    else request.formFiles.set(part.fieldname, { path, name });
  } catch (error) {
    if (!output.closed) await once(output, 'close');
    await rm(path, { force: true }).catch(() => undefined);
    if (part.file.truncated) throw tooLargeError;
    throw storageError === null ? error : new StorageError('upload not stored', { cause: storageError });
  }
}

/** The disk refused an upload; the error handler reads the code of its cause. */
class StorageError extends Error {}

/** A file that cannot be removed now is removed at the next start. */
async function removeFiles({ formFiles }: FastifyRequest): Promise<void> {
  for (const { path } of formFiles.values()) await rm(path, { force: true }).catch(() => undefined);
}

/** Only these errors keep their own answer; all other errors of the parser mean a malformed form. */
function hasOwnAnswer(error: unknown): boolean {
  if (error instanceof AppError || error instanceof StorageError) return true;
  return error instanceof Error && 'statusCode' in error && error.statusCode === 413;
}

function readField(shape: FormShape, field: string, given: unknown): unknown {
  if (typeof given !== 'string') return given;
  const value = withoutNul(given);
  if (shape.numbers?.includes(field)) return parseStrictNumber(value.trim()) ?? value;
  if (shape.booleans?.includes(field)) {
    if (value === 'true' || value === '1') return true;
    if (value === 'false' || value === '0') return false;
  }
  return value;
}
