import type { ServiceContext } from '#server/service-context.ts';
import type { ConversationRow } from '../message-queries.ts';
import { type ClaimFacts, claimRemainingMs, type Moment } from './claim-end.ts';
import { isSnoozed, unclaimed } from './conversation-state.ts';

/** The facts of a claim, each with what identifies it, so that it keeps the moment at which it was first noticed. */
type TrackedClaim = {
  holderId: string;
  claimed: Moment;
  lastMessageId: number;
  lastMessage: Moment | null;
  /** It stays while nobody waits, because the undo of a dismissal brings the same wait back. */
  lastWait: Moment | null;
  isWaiting: boolean;
  snoozedUntil: number | null;
};

/** Knows every claim, in memory, with its instants on both clocks; the database has only those of the computer. */
export function createClaimTracker(
  { now, monotonicNow, presence }: Pick<ServiceContext, 'now' | 'monotonicNow' | 'presence'>,
  findMessageTime: (id: number) => number | null,
) {
  const claimsByUserId = new Map<string, TrackedClaim>();

  const currentMoment = (): Moment => ({ wallMs: now(), monotonicMs: monotonicNow() });

  /** Keeps a known moment of the same time; a new one is as old as the computer's clock says. */
  function momentOf(wallMs: number, known: Moment | null | undefined): Moment {
    if (known?.wallMs === wallMs) return known;
    const at = currentMoment();
    return { wallMs, monotonicMs: at.monotonicMs - Math.max(0, at.wallMs - wallMs) };
  }

  /** Remembers a conversation as it is after a change. */
  function track(row: ConversationRow): TrackedClaim | null {
    const { userId, claimedBy, claimedAt, lastMessageId, unansweredSince, snoozedUntil } = row;
    if (claimedBy === null || claimedAt === null) {
      claimsByUserId.delete(userId);
      return null;
    }
    const before = claimsByUserId.get(userId);
    const known = before?.holderId === claimedBy && before.claimed.wallMs === claimedAt ? before : undefined;
    const messageAt = known?.lastMessageId === lastMessageId ? null : findMessageTime(lastMessageId);
    const tracked: TrackedClaim = {
      holderId: claimedBy,
      claimed: momentOf(claimedAt, known?.claimed),
      lastMessageId,
      lastMessage: messageAt === null ? (known?.lastMessage ?? null) : momentOf(messageAt, null),
      lastWait: unansweredSince === null ? (known?.lastWait ?? null) : momentOf(unansweredSince, known?.lastWait),
      isWaiting: unansweredSince !== null,
      snoozedUntil,
    };
    claimsByUserId.set(userId, tracked);
    return tracked;
  }

  function hasEnded(claim: TrackedClaim, at: Moment): boolean {
    const facts: ClaimFacts = {
      claimed: claim.claimed,
      lastMessage: claim.lastMessage,
      waiting: claim.isWaiting ? claim.lastWait : null,
      snoozedUntil: claim.snoozedUntil,
      absentSince: presence.absentSince(claim.holderId),
    };
    return claimRemainingMs(facts, at) <= 0;
  }

  /** The conversations whose claim has ended although the database still has it. */
  function* ended(): Generator<string> {
    const at = currentMoment();
    for (const [userId, claim] of claimsByUserId) if (hasEnded(claim, at)) yield userId;
  }

  return {
    track: (row: ConversationRow): void => void track(row),
    forget: (userId: string): void => void claimsByUserId.delete(userId),
    hasEnded: (): boolean => !ended().next().done,
    listEnded: (): string[] => [...ended()],
    listHeldBy: (adminId: string): string[] =>
      Array.from(claimsByUserId)
        .filter(([, { holderId }]) => holderId === adminId)
        .map(([userId]) => userId),

    /** The conversation as it is now: without a claim or a snooze that has ended. The same object when none has. */
    settle(row: ConversationRow): ConversationRow {
      const at = currentMoment();
      const claim = track(row);
      const hasClaimEnded = claim !== null && hasEnded(claim, at);
      const hasSnoozeEnded = row.snoozedUntil !== null && !isSnoozed(row, at.wallMs);
      if (!hasClaimEnded && !hasSnoozeEnded) return row;
      return { ...row, ...(hasClaimEnded ? unclaimed : {}), ...(hasSnoozeEnded ? { snoozedUntil: null } : {}) };
    },
  };
}
export type ClaimTracker = ReturnType<typeof createClaimTracker>;
