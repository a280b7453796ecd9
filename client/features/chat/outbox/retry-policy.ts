import { ApiError } from '#client/lib/api-error.ts';

/** What becomes of a message whose sending failed. */
export type RetryDecision =
  | { kind: 'again'; afterMs: number }
  | { kind: 'refused'; reason: string }
  /** The session is over; the message waits for the same person's next one. */
  | { kind: 'session' };

const FIRST_DELAY_MS = 1000;
const DELAY_MAX_MS = 5000;
const JITTER = 0.3;

/** Nobody is there to write to yet. */
export class NoAdminContactError extends Error {}

function backoffDelayMs(attempts: number): number {
  const delay = Math.min(DELAY_MAX_MS, FIRST_DELAY_MS * 2 ** Math.max(attempts - 1, 0));
  // Everybody comes back at once after a restart; not everybody should knock in the same moment.
  return delay * (1 - JITTER * Math.random());
}

/** The seconds of `Terlalu banyak percobaan. Coba lagi dalam {n} detik.` (contract 2), the words of `Retry-After`. */
function retryAfterMs(message: string): number | null {
  const seconds = /(\d+) detik/.exec(message)?.[1];
  return seconds === undefined ? null : Number(seconds) * 1000;
}

/** Specification 8 and contract 2. `attempts`: how often it has been tried, this time included. */
export function decideRetry(error: unknown, attempts: number): RetryDecision {
  if (!(error instanceof ApiError) || error.kind !== 'http')
    return { kind: 'again', afterMs: backoffDelayMs(attempts) };
  if (error.status === 401) return { kind: 'session' };
  if (error.status === 429) return { kind: 'again', afterMs: retryAfterMs(error.message) ?? DELAY_MAX_MS };
  if (error.status >= 500 || error.status === 408) return { kind: 'again', afterMs: backoffDelayMs(attempts) };
  return { kind: 'refused', reason: error.message };
}
