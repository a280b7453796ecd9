import type { ConversationSummary } from '#shared/api/chat/chat.ts';
import type { ConversationStateUpdate } from '#shared/api/chat/inbox.ts';
import { stateOf } from '../../state/model/list-order.ts';
import {
  claimConversation,
  dismissConversation,
  releaseConversation,
  snoozeConversation,
  undoDismiss,
  undoSnooze,
} from '../api.ts';

export type ConversationAction =
  | { kind: 'claim' | 'take' | 'release' | 'unsnooze' | 'dismiss' }
  /** ISO 8601 */
  | { kind: 'snooze'; until: string };

/** The values that the action changes, as they were before: an undo needs no more. */
export type StateBefore = { claimedById: string | null; snoozedUntil: string | null };

export type ActionTarget = {
  userId: string;
  /** The newest message on the screen; '0' for none. */
  upTo: string;
  before: StateBefore;
};

export function stateBefore(summary: ConversationSummary | undefined): StateBefore {
  return { claimedById: summary?.claimed_by?.id ?? null, snoozedUntil: summary?.snoozed_until ?? null };
}

/** Why an action has nothing to do for a conversation, in words that follow a number; null where it has. */
export function reasonToSkip(
  { kind }: ConversationAction,
  summary: ConversationSummary | undefined,
  adminId: string,
): string | null {
  if (!summary) return null;
  const holderId = summary.claimed_by?.id ?? null;
  if (kind === 'claim' && holderId === adminId) return 'sudah Anda tangani';
  if (kind === 'release' && holderId === null) return 'tidak sedang ditangani';
  if (kind === 'dismiss' && summary.unanswered_since === null) return 'tidak menunggu balasan';
  if (kind === 'unsnooze' && stateOf(summary) !== 'snoozed') return 'tidak sedang ditunda';
  return null;
}

/** @throws ApiError */
export function performAction(
  action: ConversationAction,
  { userId, upTo }: ActionTarget,
): Promise<ConversationStateUpdate> {
  switch (action.kind) {
    case 'claim':
      return claimConversation(userId);
    case 'take':
      return claimConversation(userId, { take: true });
    case 'release':
      return releaseConversation(userId);
    case 'dismiss':
      return dismissConversation(userId, upTo);
    case 'snooze':
      return snoozeConversation(userId, action.until, upTo);
    case 'unsnooze':
      return undoSnooze(userId);
  }
}

/** A claim that was taken over cannot be given back to a colleague. */
export const isUndoable = ({ kind }: ConversationAction): boolean => kind !== 'take';

/**
 * Brings back what was before: the wait, the claim of this admin, and an earlier snooze. Each of them only if the action has
 * changed it.
 * @throws ApiError
 */
export async function undoAction(
  action: ConversationAction,
  { userId, upTo, before }: ActionTarget,
  after: ConversationStateUpdate,
  { adminId, nowMs }: { adminId: string; nowMs: number },
): Promise<ConversationStateUpdate> {
  let now = after;
  if (action.kind === 'dismiss') now = await undoDismiss(userId);
  if (now.snoozed_until !== before.snoozedUntil) {
    const isStillAhead = before.snoozedUntil !== null && Date.parse(before.snoozedUntil) > nowMs;
    if (before.snoozedUntil !== null && isStillAhead) {
      now = await snoozeConversation(userId, before.snoozedUntil, upTo);
    } else if (now.snoozed_until !== null) now = await undoSnooze(userId);
  }
  const holderId = now.claimed_by?.id ?? null;
  if (before.claimedById === adminId && holderId !== adminId) now = await claimConversation(userId);
  if (before.claimedById === null && holderId === adminId) now = await releaseConversation(userId);
  return now;
}
