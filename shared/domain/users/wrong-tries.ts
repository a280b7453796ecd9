import { DAY_MS, MINUTE_MS } from '#shared/durations.ts';

/** Counts of wrong tries, and the locks that follow from them. All instants and durations are milliseconds of operating time. */

export type TriesRule = {
  /** The number of wrong tries within the window that locks. */
  max: number;
  windowMs: number;
  /**
   * The first lock, and the longest: each further wrong try locks twice as long. Without locks the next try is possible when the
   * oldest wrong one has left the window.
   */
  lock?: { ms: number; maxMs: number };
  /** The number of wrong tries in all that closes for good; one of them is forgotten every `forgetOneMs`, a right try forgets none. */
  closing?: { max: number; forgetOneMs: number };
};

/** Of a card, by everybody who has not entered with it before. */
export const CARD_TRIES: TriesRule = {
  max: 5,
  windowMs: 15 * MINUTE_MS,
  lock: { ms: 15 * MINUTE_MS, maxMs: DAY_MS },
  closing: { max: 20, forgetOneMs: DAY_MS },
};
/** Of a second factor, over all tickets of an account. */
export const SECOND_FACTOR_TRIES = {
  max: 5,
  windowMs: 15 * MINUTE_MS,
  lock: { ms: 15 * MINUTE_MS, maxMs: DAY_MS },
};
/** Of the own password of an account, for acts that a session alone must not do. */
export const OWN_PASSWORD_TRIES = { max: 5, windowMs: 15 * MINUTE_MS };
/** Of set-up codes of a second factor, by one account. */
export const SETUP_CODE_TRIES = { max: 10, windowMs: 15 * MINUTE_MS };
/** Of codes, PINs and activations of cards, at one address. */
export const CARD_ADDRESS_TRIES = { max: 100, windowMs: 15 * MINUTE_MS };
/** Of codes of the office, at one address. */
export const RECOVERY_CODE_TRIES = { max: 10, windowMs: 15 * MINUTE_MS };

/** The stored count of one key: `wrongAt` the newest wrong tries, oldest first; `total` those towards closing, as of `totalAt`. */
export type Tries = {
  wrongAt: readonly number[];
  lockedUntil: number;
  /** The length of the last lock; 0: none since the last right try. */
  lockMs: number;
  total: number;
  totalAt: number;
};

export const NO_TRIES: Tries = { wrongAt: [], lockedUntil: 0, lockMs: 0, total: 0, totalAt: 0 };

export type TriesState = { kind: 'open' } | { kind: 'locked'; forMs: number } | { kind: 'closed' };

/** A try while this is not open is neither looked at nor counted. */
export function stateOf(tries: Tries, rule: TriesRule, at: number): TriesState {
  if (isClosed(tries, rule, at)) return { kind: 'closed' };
  const until = rule.lock ? tries.lockedUntil : windowLeftAt(tries, rule, at);
  return until > at ? { kind: 'locked', forMs: until - at } : { kind: 'open' };
}

const recentOf = ({ wrongAt }: Tries, { windowMs }: TriesRule, at: number): number[] =>
  wrongAt.filter((one) => one > at - windowMs);

/** When the window has room for one more wrong try; 0 when it has. */
function windowLeftAt(tries: Tries, rule: TriesRule, at: number): number {
  const recent = recentOf(tries, rule, at);
  return recent.length < rule.max ? 0 : Math.min(...recent) + rule.windowMs;
}

const isClosed = (tries: Tries, rule: TriesRule, at: number): boolean =>
  rule.closing !== undefined && totalNow(tries, rule.closing, at).total >= rule.closing.max;

/** A closed count forgets nothing any more. */
function totalNow({ total, totalAt }: Tries, { max, forgetOneMs }: NonNullable<TriesRule['closing']>, at: number) {
  if (total === 0 || total >= max) return { total, totalAt: total === 0 ? at : totalAt };
  const forgotten = Math.min(total, Math.max(0, Math.floor((at - totalAt) / forgetOneMs)));
  return { total: total - forgotten, totalAt: total === forgotten ? at : totalAt + forgotten * forgetOneMs };
}

export function afterWrongTry(tries: Tries, rule: TriesRule, at: number): Tries {
  const wrongAt = [...recentOf(tries, rule, at), at].slice(-rule.max);
  const counted = rule.closing ? totalNow(tries, rule.closing, at) : { total: 0, totalAt: at };
  const total = rule.closing ? counted.total + 1 : 0;
  const isLocked = tries.lockMs > 0 || wrongAt.length >= rule.max;
  const lockMs =
    rule.lock && isLocked ? Math.min(rule.lock.maxMs, tries.lockMs > 0 ? tries.lockMs * 2 : rule.lock.ms) : 0;
  const lockedUntil = lockMs > 0 ? at + lockMs : tries.lockedUntil;
  return { wrongAt, lockMs, lockedUntil, total, totalAt: counted.totalAt };
}

/** From when on the count changes no answer any more; null for locks, which double also after years. */
export const forgottenAt = ({ wrongAt }: Tries, { lock, closing, windowMs }: TriesRule): number | null =>
  lock || closing ? null : Math.max(0, ...wrongAt) + windowMs;

/** Ends the counting towards a lock; what counts towards closing stays. */
export const afterRightTry = ({ total, totalAt }: Tries): Tries => ({ ...NO_TRIES, total, totalAt });
