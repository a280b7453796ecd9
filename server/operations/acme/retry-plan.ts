import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/durations.ts';
import type { AcmeState } from './acme-files.ts';
import type { AcmeFailure } from './acme-failure.ts';
import { coversNames, renewalDueMs, type PublicCertificate } from './public-certificate.ts';

/** Decides when the directory is asked. Nothing here reads a clock or a file. */

const FIRST_DELAY_MS = MINUTE_MS;
const DELAY_MAX_MS = 12 * HOUR_MS;
/** Many servers that lost the same directory must not all come back at once. */
const JITTER_PART = 0.2;
/** Let's Encrypt allows five failed checks of a name in an hour. */
const ATTEMPTS_PER_HOUR_MAX = 5;
const RATE_LIMITED_MIN_MS = HOUR_MS;
/** Let's Encrypt issues five certificates for the same names in a week. */
const RENEW_AFTER_MIN_MS = 2 * DAY_MS;
/** Longer than any wait that is ever stored: beyond it the clock was set back. */
const PLAUSIBLE_WAIT_MS = 8 * DAY_MS;

type Wanted = { directory: string; names: string[] };

/** The state to go on from. Other names or another directory start anew; the limit of an hour counts on per directory. */
export function openState(stored: AcmeState | null, { directory, names }: Wanted): AcmeState {
  const isSameDirectory = stored?.directory === directory;
  const isSame = isSameDirectory && sameNames(stored.names, names);
  return {
    directory,
    names,
    attempts: isSameDirectory ? stored.attempts : [],
    failed_attempts: isSame ? stored.failed_attempts : 0,
    not_before: isSame ? stored.not_before : 0,
    asked_until: isSame ? stored.asked_until : 0,
    last_error: isSame ? stored.last_error : null,
    issued_by: stored?.issued_by ?? null,
  };
}

const sameNames = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name) => b.includes(name));

/** @returns the instant from which the directory may be asked; one in the past means now */
export function dueAtMs(state: AcmeState, certificate: PublicCertificate | null, nowMs: number): number {
  // A certificate of an unknown issuer is kept until its renewal: the state of it was lost.
  const isOfDirectory = state.issued_by === null || state.issued_by === state.directory;
  const isKept = certificate && isOfDirectory && coversNames(certificate, state.names);
  const wantedMs = isKept ? renewalDueMs(certificate) : 0;
  return Math.max(wantedMs, plausible(state.not_before, nowMs), hourIsOverAt(state, nowMs));
}

/** @returns the instant from which an admin may have it tried again: without our own waits, within the limits of the directory */
export const retryFromMs = (state: AcmeState, nowMs: number): number =>
  Math.max(plausible(state.asked_until, nowMs), hourIsOverAt(state, nowMs));

const plausible = (untilMs: number, nowMs: number): number => (untilMs > nowMs + PLAUSIBLE_WAIT_MS ? 0 : untilMs);

function hourIsOverAt(state: AcmeState, nowMs: number): number {
  const first = recentAttempts(state, nowMs).at(-ATTEMPTS_PER_HOUR_MAX);
  return first === undefined ? 0 : first + HOUR_MS;
}

/** Stored before the directory is asked: an attempt that a crash breaks off counts as one that failed. */
export function beginAttempt(state: AcmeState, nowMs: number, random: () => number): AcmeState {
  const failures = state.failed_attempts + 1;
  return {
    ...state,
    attempts: [...recentAttempts(state, nowMs), nowMs],
    failed_attempts: failures,
    not_before: nowMs + delayMs(failures, random),
  };
}

/** @param begun what `beginAttempt` returned */
export function failAttempt(begun: AcmeState, failure: AcmeFailure, message: string, nowMs: number): AcmeState {
  const askedMs = failure.retryAfterMs ?? (failure.kind === 'rateLimited' ? RATE_LIMITED_MIN_MS : 0);
  return {
    ...begun,
    not_before: Math.max(begun.not_before, nowMs + askedMs),
    asked_until: nowMs + askedMs,
    last_error: { at: nowMs, message },
  };
}

/**
 * With a clock that is months ahead every new certificate would be due for renewal at once.
 * @param begun what `beginAttempt` returned
 */
export function succeed(begun: AcmeState, { validFromMs, validUntilMs }: PublicCertificate, nowMs: number): AcmeState {
  return {
    ...begun,
    failed_attempts: 0,
    not_before: nowMs + Math.min(RENEW_AFTER_MIN_MS, (validUntilMs - validFromMs) / 3),
    asked_until: 0,
    last_error: null,
    issued_by: begun.directory,
  };
}

const recentAttempts = ({ attempts }: AcmeState, nowMs: number): number[] =>
  attempts.filter((at) => at > nowMs - HOUR_MS && at <= nowMs);

function delayMs(failures: number, random: () => number): number {
  const ms = Math.min(DELAY_MAX_MS, FIRST_DELAY_MS * 2 ** (failures - 1));
  return Math.round(ms * (1 + JITTER_PART * random()));
}
