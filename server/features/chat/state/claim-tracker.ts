import { CLAIM_ABSENCE_MS, CLAIM_IDLE_MS, CLAIM_WAIT_MS } from '#shared/limits.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { ConversationRow } from '../message-queries.ts';
import { isSnoozed, unclaimed } from './conversation-state.ts';
import { stateQueries } from './state-queries.ts';

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

/** A claim with the moments that decide its end. */
type TrackedClaim = {
  holderId: string;
  claimed: Moment;
  lastMessageId: number;
  idleSince: Moment;
  unansweredSince: number | null;
  /** The waits under it by their stored beginning, because the undo of a dismissal brings an earlier one back. */
  waits: Map<number, Moment>;
  snoozedUntil: number | null;
  /** The number of changes followed, because following one may take longer than following the next. */
  changes: number;
  /** The start of this process, for a claim of an earlier one. */
  loadedAt: Moment | null;
  /** It stays so, whatever happens before the end is stored: a holder who comes back does not revive it. */
  hasEnded: boolean;
};

const laterOf = (one: Moment, other: Moment): Moment => (one.wallMs >= other.wallMs ? one : other);

/** The moment of an instant before the start of this process: as long ago as the computer's clock says. */
function momentBefore(wallMs: number, at: Moment): Moment {
  return { wallMs, monotonicMs: at.monotonicMs - Math.max(0, at.wallMs - wallMs) };
}

type ClaimedRow = ConversationRow & { claimedBy: string; claimedAt: number };
const isClaimed = (row: ConversationRow): row is ClaimedRow => row.claimedBy !== null && row.claimedAt !== null;

/** A claim that begins at a moment: whatever it found came before it. */
function beginClaim(
  { claimedBy, claimedAt, lastMessageId, unansweredSince, snoozedUntil }: ClaimedRow,
  monotonicMs: number,
): TrackedClaim {
  const claimed: Moment = { wallMs: claimedAt, monotonicMs };
  const waits = new Map(unansweredSince === null ? [] : [[unansweredSince, claimed]]);
  return {
    holderId: claimedBy,
    claimed,
    lastMessageId,
    idleSince: claimed,
    unansweredSince,
    waits,
    snoozedUntil,
    changes: 0,
    loadedAt: null,
    hasEnded: false,
  };
}

/** A wait that an undo brings back and that did not begin under the claim, at least not in this process. */
const earlierWait = ({ claimed, loadedAt }: TrackedClaim, wallMs: number): Moment =>
  loadedAt ? laterOf(claimed, momentBefore(wallMs, loadedAt)) : claimed;

/** Keeps every claim in memory, with its moments on both clocks; the database has only those of the computer. */
export function createClaimTracker({
  now,
  monotonicNow,
  presence,
}: Pick<ServiceContext, 'now' | 'monotonicNow' | 'presence'>) {
  const claimsByUserId = new Map<string, TrackedClaim>();

  const currentMoment = (): Moment => ({ wallMs: now(), monotonicMs: monotonicNow() });

  /** A known claim after a change of its conversation, which was just now. */
  async function follow(
    orm: ConnectionOrTransaction,
    claim: TrackedClaim,
    { lastMessageId, unansweredSince, snoozedUntil }: ClaimedRow,
  ): Promise<void> {
    const change = (claim.changes += 1);
    if (lastMessageId !== claim.lastMessageId) {
      const chatTime = await stateQueries(orm).findChatTime(lastMessageId);
      if (chatTime !== null) {
        claim.idleSince = { wallMs: chatTime, monotonicMs: monotonicNow() };
        if (unansweredSince !== null && claim.unansweredSince === null)
          claim.waits.set(unansweredSince, claim.idleSince);
      }
    }
    if (unansweredSince !== null && !claim.waits.has(unansweredSince)) {
      claim.waits.set(unansweredSince, earlierWait(claim, unansweredSince));
    }
    if (change === claim.changes) Object.assign(claim, { lastMessageId, unansweredSince, snoozedUntil });
  }

  /** @returns the claim that is in memory already, when the row still has it */
  function findKnown({ userId, claimedBy, claimedAt }: ClaimedRow): TrackedClaim | null {
    const known = claimsByUserId.get(userId);
    return known?.holderId === claimedBy && known.claimed.wallMs === claimedAt ? known : null;
  }

  /** Remembers a conversation as it is after a change. */
  async function track(orm: ConnectionOrTransaction, row: ConversationRow): Promise<TrackedClaim | null> {
    if (!isClaimed(row)) {
      claimsByUserId.delete(row.userId);
      return null;
    }
    const known = findKnown(row);
    if (known) {
      await follow(orm, known, row);
      return known;
    }
    const claim = beginClaim(row, monotonicNow());
    claimsByUserId.set(row.userId, claim);
    return claim;
  }

  function hasEnded(claim: TrackedClaim, at: Moment): boolean {
    const { holderId, claimed, idleSince, unansweredSince, waits, snoozedUntil } = claim;
    const waitingSince = unansweredSince === null ? null : (waits.get(unansweredSince) ?? claimed);
    const absentSince = presence.absentSince(holderId);
    claim.hasEnded ||= claimRemainingMs({ claimed, idleSince, waitingSince, snoozedUntil, absentSince }, at) <= 0;
    return claim.hasEnded;
  }

  return {
    track,
    forget: (userId: string): void => void claimsByUserId.delete(userId),
    list: (): string[] => [...claimsByUserId.keys()],
    listHeldBy: (adminId: string): string[] =>
      Array.from(claimsByUserId)
        .filter(([, { holderId }]) => holderId === adminId)
        .map(([userId]) => userId),

    /** Remembers a claim that began before this process knew it. */
    async load(orm: ConnectionOrTransaction, row: ConversationRow): Promise<void> {
      if (!isClaimed(row) || findKnown(row)) return void (await track(orm, row));
      const at = currentMoment();
      const claimed = momentBefore(row.claimedAt, at);
      const { findChatTime, findNewestChatId } = stateQueries(orm);
      const messageAt = await findChatTime(await findNewestChatId(row));
      const since = (wallMs: number): Moment => laterOf(claimed, momentBefore(wallMs, at));
      const claim = {
        ...beginClaim(row, at.monotonicMs),
        claimed,
        loadedAt: at,
        idleSince: messageAt === null ? claimed : since(messageAt),
      };
      if (row.unansweredSince !== null) claim.waits.set(row.unansweredSince, since(row.unansweredSince));
      claimsByUserId.set(row.userId, claim);
    },

    /** The conversations whose claim has ended although the database still has it. */
    listEnded(): string[] {
      const at = currentMoment();
      return Array.from(claimsByUserId)
        .filter(([, claim]) => hasEnded(claim, at))
        .map(([userId]) => userId);
    },

    /** The conversation as it is now: without a claim or a snooze that has ended. The same object when none has. */
    async settle(orm: ConnectionOrTransaction, row: ConversationRow): Promise<ConversationRow> {
      const at = currentMoment();
      const claim = await track(orm, row);
      const hasClaimEnded = claim !== null && hasEnded(claim, at);
      const hasSnoozeEnded = row.snoozedUntil !== null && !isSnoozed(row, at.wallMs);
      if (!hasClaimEnded && !hasSnoozeEnded) return row;
      return { ...row, ...(hasClaimEnded ? unclaimed : {}), ...(hasSnoozeEnded ? { snoozedUntil: null } : {}) };
    },
  };
}
export type ClaimTracker = ReturnType<typeof createClaimTracker>;
