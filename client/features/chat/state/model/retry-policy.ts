import { HOUR_MS, MINUTE_MS } from '#shared/durations.ts';
import { ApiError } from '#client/lib/api/api-error.ts';

/** The result of a failed send: another try, a refusal, or waiting for the next session. */
export type RetryDecision =
  | { kind: 'again'; afterMs: number }
  /** Another try, too, but the server has answered that something is wrong there. */
  | { kind: 'serverError'; afterMs: number; reason: string }
  | { kind: 'refused'; reason: string }
  /** A colleague has answered first: only a person decides what becomes of it (R-REPLY-5). */
  | { kind: 'held'; reason: string }
  /** The session has ended; the message waits for the next session of the same user. */
  | { kind: 'session' };

const FIRST_DELAY_MS = 1000;
const DELAY_MAX_MS = 5000;
const JITTER = 0.3;

/** A file of the message is no longer in this browser. */
export class MissingFileError extends Error {
  constructor(name: string) {
    super(`${name} tidak ada lagi di perangkat ini. Pilih berkasnya sekali lagi.`);
    this.name = 'MissingFileError';
  }
}

/** Statuses of an upload that say something about its file. */
const FILE_STATUSES = new Set([413, 415, 422]);

/** The message could be sent without this file. */
export class RefusedFileError extends Error {
  fileId: string;

  constructor(fileId: string, reason: string) {
    super(reason);
    this.name = 'RefusedFileError';
    this.fileId = fileId;
  }
}

/** Turns the error of an upload into one about its file. The text names the file if the answer does not. */
export function toUploadError(error: unknown, { id, name }: { id: string; name: string }): unknown {
  if (error instanceof MissingFileError) return new RefusedFileError(id, error.message);
  const isAboutFile = error instanceof ApiError && error.status !== undefined && FILE_STATUSES.has(error.status);
  return isAboutFile ? new RefusedFileError(id, `“${name}” ditolak. ${error.message}`) : error;
}

/** There is no active admin to write to yet. */
export class NoAdminContactError extends Error {}

/** @param random from 0 to 1 */
function backoffDelayMs(attempts: number, random: number): number {
  const delay = Math.min(DELAY_MAX_MS, FIRST_DELAY_MS * 2 ** Math.max(attempts - 1, 0));
  // Jitter: after a server restart all clients come back at once and must not retry at the same moment.
  return delay * (1 - JITTER * random);
}

/** The seconds of `Terlalu banyak percobaan. Coba lagi dalam {n} detik.`, the same as in `Retry-After` (R-API-13). */
function retryAfterMs(message: string): number | null {
  const seconds = /(\d+) detik/.exec(message)?.[1];
  return seconds === undefined ? null : Number(seconds) * 1000;
}

/** From here on a person wants to know why the message waits. */
const LONG_WAIT_MS = MINUTE_MS;

/** The limit of messages in a day (R-API-20) is the only one that closes for long. */
function longWaitText(waitMs: number): string {
  const hours = Math.round(waitMs / HOUR_MS);
  const wait = hours > 0 ? `${hours} jam` : `${Math.ceil(waitMs / MINUTE_MS)} menit`;
  return `Terlalu banyak pesan dalam sehari. Pesan ini tersimpan di sini dan dikirim sendiri sekitar ${wait} lagi.`;
}

type FailedAttempt = {
  /** `OutboxEntry.attempts`, so the failed attempt is included. */
  attempts: number;
  /** From 0 to 1. */
  random: number;
  /** Whether the message named the newest one on the screen. */
  isCompared?: boolean;
};

/** Decides by R-CHAT-13. */
export function decideRetry(error: unknown, { attempts, random, isCompared = false }: FailedAttempt): RetryDecision {
  if (error instanceof RefusedFileError) return { kind: 'refused', reason: error.message };
  if (!(error instanceof ApiError) || error.kind !== 'http')
    return { kind: 'again', afterMs: backoffDelayMs(attempts, random) };
  if (error.status === 401) return { kind: 'session' };
  if (error.status === 429) {
    const afterMs = retryAfterMs(error.message) ?? DELAY_MAX_MS;
    if (afterMs > LONG_WAIT_MS) return { kind: 'serverError', afterMs, reason: longWaitText(afterMs) };
    return { kind: 'again', afterMs };
  }
  if (error.status === 408) return { kind: 'again', afterMs: backoffDelayMs(attempts, random) };
  if (error.status >= 500)
    return { kind: 'serverError', afterMs: backoffDelayMs(attempts, random), reason: error.message };
  if (error.status === 409 && isCompared) return { kind: 'held', reason: error.message };
  return { kind: 'refused', reason: error.message };
}
