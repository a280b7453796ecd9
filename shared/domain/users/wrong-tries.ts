import { DAY_MS, MINUTE_MS } from '#shared/durations.ts';

/** Counts of wrong tries, and the locks that follow from them. All instants and durations are milliseconds of operating time. */

export type TriesRule = {
  /** So many wrong tries within the window lock. */
  max: number;
  windowMs: number;
  /** The first lock; each further wrong try locks twice as long. */
  lockMs: number;
  lockMaxMs: number;
  /** So many wrong tries in all close for good; one of them is forgotten every `forgetOneMs`, a right try forgets none. */
  closing?: { max: number; forgetOneMs: number };
};

/** Of a card, by everybody who has not entered with it before. */
export const CARD_TRIES: TriesRule = {
  max: 5,
  windowMs: 15 * MINUTE_MS,
  lockMs: 15 * MINUTE_MS,
  lockMaxMs: DAY_MS,
  closing: { max: 20, forgetOneMs: DAY_MS },
};
/** Of a second factor, over all tickets of an account. */
export const SECOND_FACTOR_TRIES: TriesRule = {
  max: 5,
  windowMs: 15 * MINUTE_MS,
  lockMs: 15 * MINUTE_MS,
  lockMaxMs: DAY_MS,
};

/** What is stored of one lock: `wrongAt` the newest wrong tries, oldest first; `total` those towards closing, as of `totalAt`. */
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
  return tries.lockedUntil > at ? { kind: 'locked', forMs: tries.lockedUntil - at } : { kind: 'open' };
}

const isClosed = (tries: Tries, rule: TriesRule, at: number): boolean =>
  rule.closing !== undefined && totalNow(tries, rule.closing, at).total >= rule.closing.max;

/** A closed count forgets nothing any more. */
function totalNow({ total, totalAt }: Tries, { max, forgetOneMs }: NonNullable<TriesRule['closing']>, at: number) {
  if (total === 0 || total >= max) return { total, totalAt: total === 0 ? at : totalAt };
  const forgotten = Math.min(total, Math.floor((at - totalAt) / forgetOneMs));
  return { total: total - forgotten, totalAt: total === forgotten ? at : totalAt + forgotten * forgetOneMs };
}

export function afterWrongTry(tries: Tries, rule: TriesRule, at: number): Tries {
  const wrongAt = [...tries.wrongAt.filter((one) => one > at - rule.windowMs), at].slice(-rule.max);
  const counted = rule.closing ? totalNow(tries, rule.closing, at) : { total: 0, totalAt: at };
  const total = rule.closing ? counted.total + 1 : 0;
  const locks = tries.lockMs > 0 || wrongAt.length >= rule.max;
  const lockMs = locks ? Math.min(rule.lockMaxMs, tries.lockMs > 0 ? tries.lockMs * 2 : rule.lockMs) : 0;
  return { wrongAt, lockMs, lockedUntil: locks ? at + lockMs : tries.lockedUntil, total, totalAt: counted.totalAt };
}

/** Ends the counting towards a lock; what counts towards closing stays. */
export const afterRightTry = ({ total, totalAt }: Tries): Tries => ({ ...NO_TRIES, total, totalAt });
