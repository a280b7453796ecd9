import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { z } from 'zod';
import indonesian from 'zod/v4/locales/id.js';
import type { ErrorAnswer } from '#shared/api/envelope.ts';
import { errorTexts } from '#shared/texts.ts';

/** An answer that is not a success: status, Indonesian message and, for validation, the faults by field. */
export class AppError extends Error {
  readonly status: number;
  readonly errors: Record<string, string[]> | undefined;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    message: string,
    extra: { errors?: Record<string, string[]>; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.errors = extra.errors;
    this.headers = extra.headers ?? {};
  }
}

export const badFormat = (): AppError => new AppError(400, errorTexts.badFormat);
export const sessionEnded = (): AppError => new AppError(401, errorTexts.sessionEnded);
export const forbidden = (): AppError => new AppError(403, errorTexts.forbidden);
export const notFound = (message: string): AppError => new AppError(404, message);
export const conflict = (message: string): AppError => new AppError(409, message);
export const invalid = (field: string, message: string): AppError =>
  new AppError(422, message, { errors: { [field]: [message] } });
export const tooMany = (seconds: number): AppError =>
  new AppError(429, errorTexts.rateLimited(seconds), { headers: { 'retry-after': String(seconds) } });

/** Messages by error code: Fastify's and its plugins', SQLite's, the operating system's. */
const knownCodes = new Map<string, [status: number, message: string]>([
  ['FST_ERR_CTP_BODY_TOO_LARGE', [413, errorTexts.bodyTooLarge]],
  ['FST_REQ_FILE_TOO_LARGE', [413, errorTexts.proofTooLarge]],
  ['FST_PARTS_LIMIT', [413, errorTexts.bodyTooLarge]],
  ['FST_FILES_LIMIT', [413, errorTexts.bodyTooLarge]],
  ['FST_FIELDS_LIMIT', [413, errorTexts.bodyTooLarge]],
  ['FST_ERR_MAX_LIMIT', [413, errorTexts.bodyTooLarge]],
  ['FST_ERR_BAD_URL', [404, errorTexts.pathMissing]],
  ['FST_ERR_MAX_PARAM_LENGTH', [404, errorTexts.pathMissing]],
  ['FST_ERR_NOT_FOUND', [404, errorTexts.pathMissing]],
  ['SQLITE_FULL', [507, errorTexts.storageFull]],
  ['ENOSPC', [507, errorTexts.storageFull]],
  ['EDQUOT', [507, errorTexts.storageFull]],
  // Every file handle is in use: it passes.
  ['EMFILE', [503, errorTexts.busy]],
  ['ENFILE', [503, errorTexts.busy]],
  // Whoever sent the body hung up in the middle of it.
  ['ECONNRESET', [400, errorTexts.badFormat]],
  ['ERR_STREAM_PREMATURE_CLOSE', [400, errorTexts.badFormat]],
]);

type Answer = { status: number; body: ErrorAnswer; headers?: Record<string, string> };

function answer(status: number, message: string, errors?: Record<string, string[]>): Answer {
  return { status, body: { success: false, message, ...(errors ? { errors } : {}) } };
}

/** What an error is told as (contract 2); everything unknown is our fault and keeps its details to the log. */
export function describeError(error: unknown): Answer {
  if (error instanceof AppError) {
    return { ...answer(error.status, error.message, error.errors), headers: error.headers };
  }
  if (hasZodFastifySchemaValidationErrors(error)) return describeValidation(error.validation);
  for (const code of errorCodes(error)) {
    const known = knownCodes.get(code);
    if (known) return answer(...known);
    if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return answer(503, errorTexts.busy);
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status === 413) return answer(413, errorTexts.bodyTooLarge);
  if (status === 503) return answer(503, errorTexts.busy);
  // What is left below 500 is a request that could not be read: bad JSON, bad multipart, an unknown content type.
  return status >= 400 && status < 500 ? answer(400, errorTexts.badFormat) : answer(500, errorTexts.server);
}

/** The error's own code, then those of what it wraps. */
function errorCodes(error: unknown): string[] {
  const codes: string[] = [];
  for (let current = error; current instanceof Error && codes.length < 5; current = current.cause) {
    codes.push('code' in current && typeof current.code === 'string' ? current.code : '');
  }
  return codes;
}

function describeValidation(issues: { instancePath: string; message?: string | undefined }[]): Answer {
  const errors: Record<string, string[]> = {};
  for (const { instancePath, message } of issues) {
    const field = instancePath.split('/').find(Boolean);
    // A body that is no object at all has no field to blame.
    if (field === undefined) continue;
    (errors[field] ??= []).push(message ?? errorTexts.badFormat);
  }
  const first = Object.values(errors)[0]?.[0];
  return first === undefined ? answer(400, errorTexts.badFormat) : answer(422, first, errors);
}

/** One handler for every error and every unknown path. */
export function registerErrors(app: FastifyInstance): void {
  // For a field whose schema says nothing of its own: never the schema library's English.
  z.config(indonesian());
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(error, request, reply));
}

/** For errors before any route was found: no hook runs for them, so their headers are set here. */
export function sendFrameworkError(error: FastifyError, reply: FastifyReply): void {
  void sendError(
    error,
    reply.request,
    reply.headers({
      'x-request-id': reply.request.id,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'",
    }),
  );
}

function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, body, headers } = describeError(error);
  if (status >= 500) {
    request.log.error(
      { err: error, ...(request.currentUser ? { userId: request.currentUser.id } : {}) },
      'request failed',
    );
  } else {
    // The error's own message may quote what was sent; the code and the fields say enough.
    request.log.info({ status, code: error.code, fields: Object.keys(body.errors ?? {}) }, 'request refused');
  }
  return reply
    .code(status)
    .headers(headers ?? {})
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body));
}

/** The bytes for a connection that sent something that is not HTTP; no request exists yet to answer. */
export function clientErrorResponse(code: string | undefined): string {
  const [line, message] =
    code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', errorTexts.bodyTooLarge]
      : ['400 Bad Request', errorTexts.badFormat];
  const body = JSON.stringify({ success: false, message });
  return [
    `HTTP/1.1 ${line}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
