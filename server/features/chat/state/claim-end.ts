import { CLAIM_ABSENCE_MS, CLAIM_IDLE_MS, CLAIM_WAIT_MS } from '#shared/limits.ts';

/** An instant on two clocks: that of the computer, which somebody may set, and one that only runs forward. */
export type Moment = { wallMs: number; monotonicMs: number };

export type ClaimFacts = {
  claimed: Moment;
  /** Null in a conversation without messages. */
  lastMessage: Moment | null;
  /** When the user's wait began; null while nobody waits. */
  waiting: Moment | null;
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
  const { claimed, lastMessage, waiting, snoozedUntil, absentSince } = facts;
  const claimedFor = elapsed(claimed, at);
  const idleFor = lastMessage ? Math.min(claimedFor, elapsed(lastMessage, at)) : claimedFor;
  const remaining = [CLAIM_IDLE_MS - idleFor];
  if (absentSince !== null) {
    remaining.push(CLAIM_ABSENCE_MS - (at.monotonicMs - Math.max(absentSince, claimed.monotonicMs)));
  }
  if (waiting) {
    const waitRemaining = CLAIM_WAIT_MS - Math.min(claimedFor, elapsed(waiting, at));
    // While it is snoozed the user does not wait; what is left of the wait counts when the snooze ends.
    remaining.push(snoozedUntil === null ? waitRemaining : Math.max(waitRemaining, snoozedUntil - at.wallMs));
  }
  return Math.min(...remaining);
}
