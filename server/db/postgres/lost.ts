import { errorCode } from '#server/files/atomic.ts';

/** No host of the database answers, or none takes writes. After it a change may have been made. */
export class LostDatabaseError extends Error {
  override name = 'LostDatabaseError';
  readonly code = 'DATABASE_LOST';
}

/** PostgreSQL ends a connection, starts, stops, has too many of them, or is a standby by now. */
const LOST_STATES = /^(?:08|57P0[1-5]$|53300$|25006$)/;
const LOST_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Messages of `pg` and its pool that have no code. */
const LOST_MESSAGES =
  /connection (?:terminated|ended)|timeout exceeded when trying to connect|timeout expired|query read timeout|not queryable|client was closed/i;

/** Whether an error says that the connection is gone, not that the statement was wrong. */
export function isLost(error: unknown): boolean {
  if (error instanceof LostDatabaseError) return true;
  const code = errorCode(error) ?? '';
  if (code !== '') return LOST_STATES.test(code) || LOST_CODES.has(code);
  return error instanceof Error && LOST_MESSAGES.test(error.message);
}

/** An error of a lost connection as one of its own kind; any other unchanged. */
export function asLost(error: unknown): unknown {
  if (error instanceof LostDatabaseError || !isLost(error)) return error;
  return new LostDatabaseError('the connection to the database is lost', { cause: error });
}
