import { CLAIM_ABSENCE_MS, CLAIM_IDLE_MS, CLAIM_WAIT_MS } from '#shared/limits.ts';

/** An instant on two clocks: that of the computer, which somebody may set, and one that only runs forward. */
export type Moment = { wallMs: number; monotonicMs: number };

export type ClaimFacts = {
  claimed: Moment;
  /** The claim or the last message, whichever came later. */
  idleSince: Moment;
  /** The claim or the beginning of the user's wait, whichever came later; null while nobody waits. */
  waitingSince: Moment | null;
  /** Epoch milliseconds; in the past it means nothing. */
  snoozedUntil: number | null;
  /** Since when its holder has no connection, on the clock that only runs forward; null while connected. */
  absentSince: number | null;
};

/** The longer of both: a clock that was set back prolongs nothing. */
const elapsed = (since: Moment, at: Moment): number =>
  Math.max(at.wallMs - since.wallMs, at.monotonicMs - since.monotonicMs);

/**
 * When a claim ends by itself (R-INBOX-2).
 * @returns how long it stands if nothing happens; it has ended at 0 and below
 */
export function claimRemainingMs(facts: ClaimFacts, at: Moment): number {
  const { claimed, idleSince, waitingSince, snoozedUntil, absentSince } = facts;
  const remaining = [CLAIM_IDLE_MS - elapsed(idleSince, at)];
  if (absentSince !== null) {
    remaining.push(CLAIM_ABSENCE_MS - (at.monotonicMs - Math.max(absentSince, claimed.monotonicMs)));
  }
  if (waitingSince) {
    const waitRemaining = CLAIM_WAIT_MS - elapsed(waitingSince, at);
    // While it is snoozed the user does not wait; what is left of the wait counts when the snooze ends.
    remaining.push(snoozedUntil === null ? waitRemaining : Math.max(waitRemaining, snoozedUntil - at.wallMs));
  }
  return Math.min(...remaining);
}
