import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { errorCode } from '#server/files/atomic.ts';
import type { ErrorAnswer } from '#shared/api/envelope.ts';
import { errorTexts } from '#shared/texts.ts';
import { createRefusalDelay } from './refusal-delay.ts';

/** An error answer: status, Indonesian message and, after a failed validation, the messages by field. */
export class AppError extends Error {
  readonly status: number;
  readonly errors: Record<string, string[]> | undefined;
  /** The rows that an error is about. */
  readonly data: ErrorAnswer['data'];
  readonly headers: Record<string, string>;
  /** A refusal by design: it is logged without a stack even when its status is that of an error. */
  readonly isExpected: boolean;

  constructor(
    status: number,
    message: string,
    extra: {
      errors?: Record<string, string[]>;
      data?: ErrorAnswer['data'];
      headers?: Record<string, string>;
      isExpected?: boolean;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.errors = extra.errors;
    this.data = extra.data;
    this.headers = extra.headers ?? {};
    this.isExpected = extra.isExpected ?? false;
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

/** Too many requests wait for the same work; the caller may soon try again. */
export const serverBusy = (): AppError =>
  new AppError(503, errorTexts.busy, { headers: { 'retry-after': '2' }, isExpected: true });

/** The share with the photos and documents is away; the caller keeps what it has. */
export const filesAway = (): AppError => new AppError(503, errorTexts.filesAway, { isExpected: true });

/** Answers to error codes of Fastify and its plugins, SQLite, PostgreSQL and the operating system. */
const knownCodes = new Map<string, [status: number, message: string]>([
  ['FST_ERR_CTP_BODY_TOO_LARGE', [413, errorTexts.bodyTooLarge]],
  ['FST_REQ_FILE_TOO_LARGE', [413, errorTexts.proofTooLarge]],
  ['FST_PARTS_LIMIT', [413, errorTexts.bodyTooLarge]],
  ['FST_FILES_LIMIT', [413, errorTexts.bodyTooLarge]],
  ['FST_FIELDS_LIMIT', [413, errorTexts.bodyTooLarge]],
  ['FST_ERR_MAX_LIMIT', [413, errorTexts.bodyTooLarge]],
  ['FST_ERR_BAD_URL', [400, errorTexts.badFormat]],
  ['FST_ERR_MAX_PARAM_LENGTH', [404, errorTexts.pathMissing]],
  ['FST_ERR_NOT_FOUND', [404, errorTexts.pathMissing]],
  ['SQLITE_FULL', [507, errorTexts.storageFull]],
  ['ENOSPC', [507, errorTexts.storageFull]],
  ['EDQUOT', [507, errorTexts.storageFull]],
  ['53100', [507, errorTexts.storageFull]],
  ['DATABASE_LOST', [503, errorTexts.busy]],
  // A statement of PostgreSQL ran too long, or waited too long for another process.
  ['57014', [503, errorTexts.busy]],
  ['55P03', [503, errorTexts.busy]],
  // Too many queries wait for the query worker.
  ['QUERY_REFUSED', [503, errorTexts.busy]],
  // All file handles are in use; the client may try again.
  ['EMFILE', [503, errorTexts.busy]],
  ['ENFILE', [503, errorTexts.busy]],
  // The client closed the connection in the middle of the body.
  ['ECONNRESET', [400, errorTexts.badFormat]],
  ['ERR_STREAM_PREMATURE_CLOSE', [400, errorTexts.badFormat]],
]);

type Answer = { status: number; body: ErrorAnswer; headers?: Record<string, string> };

function answer(status: number, message: string, errors?: Record<string, string[]>): Answer {
  return { status, body: { success: false, message, ...(errors ? { errors } : {}) } };
}

/**
 * The answer to an error (docs/requirements.md R-API-2, R-API-13, R-API-14). Any unknown error gets 500; its details go
 * to the log only.
 */
export function describeError(error: unknown): Answer {
  if (error instanceof AppError) {
    const { status, body } = answer(error.status, error.message, error.errors);
    return { status, body: error.data ? { ...body, data: error.data } : body, headers: error.headers };
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
  // The other codes below 500 are unreadable requests: bad JSON, bad multipart, an unknown content type.
  return status >= 400 && status < 500 ? answer(400, errorTexts.badFormat) : answer(500, errorTexts.server);
}

/** The code of the error, then the codes of its causes. */
function errorCodes(error: unknown): string[] {
  const codes: string[] = [];
  for (let current = error; current instanceof Error && codes.length < 5; current = current.cause) {
    codes.push(errorCode(current) ?? '');
  }
  return codes;
}

function describeValidation(issues: { instancePath: string; message?: string | undefined }[]): Answer {
  const errors: Record<string, string[]> = {};
  for (const { instancePath, message } of issues) {
    const field = instancePath.split('/').find(Boolean);
    // An issue without a field: the body is not an object.
    if (field === undefined) continue;
    (errors[field] ??= []).push(message ?? errorTexts.badFormat);
  }
  const first = Object.values(errors)[0]?.[0];
  return first === undefined ? answer(400, errorTexts.badFormat) : answer(422, first, errors);
}

/** One handler for every error and every unknown path. */
export function registerErrors(app: FastifyInstance, refusalDelayMs: number): void {
  const delayRefusal = createRefusalDelay(refusalDelayMs);
  // Without this, a schema that has no text of its own answers in words of the validator.
  z.config({ localeError: () => errorTexts.fieldInvalid });
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    if (describeError(error).status === 429 || isExpectedError(error)) await delayRefusal();
    return sendError(error, request, reply);
  });
}

/** A refused query or caller is no error of the server: many of them come at once, and the log must not fill up. */
function isExpectedError(error: unknown): boolean {
  return errorCode(error) === 'QUERY_REFUSED' || (error instanceof AppError && error.isExpected);
}

/** Answers errors that occur before routing. No hook runs for them, so the headers are set here. */
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
  if (status >= 500 && !isExpectedError(error)) {
    request.log.error(
      { err: error, ...(request.currentUser ? { userId: request.currentUser.id } : {}) },
      'request failed',
    );
  } else {
    // The message of the error may quote the request body, so only code and field names are logged.
    request.log.info({ status, code: error.code, fields: Object.keys(body.errors ?? {}) }, 'request refused');
  }
  answerLaterErrors(reply);
  return reply
    .code(status)
    .headers(headers ?? {})
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body));
}

/**
 * The last resort: after an error in a hook that sends the answer to an error, Fastify would answer itself, in English and
 * with the text of the error. No hook runs for this answer.
 */
function answerLaterErrors(reply: FastifyReply): void {
  const send = reply.send.bind(reply);
  reply.send = (payload) => {
    if (!(payload instanceof Error)) return send(payload);
    const { status, body } = describeError(payload);
    reply.log.error({ err: payload }, 'the answer to an error failed');
    reply.removeHeader('content-encoding').removeHeader('content-length').type('application/json; charset=utf-8');
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    reply.hijack().raw.writeHead(status).end(JSON.stringify(body));
    return reply;
  };
}

/** The raw answer to bytes that are not HTTP: there is no request that Fastify could answer. */
export function clientErrorResponse(code: string | undefined): string {
  return code === 'HPE_HEADER_OVERFLOW'
    ? rawResponse('431 Request Header Fields Too Large', errorTexts.bodyTooLarge)
    : rawResponse('400 Bad Request', errorTexts.badFormat);
}

/**
 * The raw answer to a request whose body stopped arriving (docs/requirements.md R-API-19). Not 408: after that a browser
 * repeats the request by itself on a new connection.
 */
export function stalledBodyResponse(): string {
  return rawResponse('400 Bad Request', errorTexts.sendingStopped);
}

/** The raw answer to an upload that was ended, or a socket that was refused, so that others can go on. */
export function evictedResponse(retryAfterSeconds: number): string {
  return rawResponse('503 Service Unavailable', errorTexts.busy, [`Retry-After: ${retryAfterSeconds}`]);
}

function rawResponse(line: string, message: string, headers: readonly string[] = []): string {
  const body = JSON.stringify({ success: false, message });
  return [
    `HTTP/1.1 ${line}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    'Connection: close',
    ...headers,
    '',
    body,
  ].join('\r\n');
}
