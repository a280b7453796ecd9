import type { ConversationState } from '#shared/api/chat/chat.ts';
import type { ConversationRow, MessageRow } from '../message-queries.ts';

/** The stored facts about claim, snooze, dismissal and wait; the state follows from them and from the time. */
export type StateColumns = Pick<
  ConversationRow,
  'claimedBy' | 'claimedAt' | 'snoozedUntil' | 'dismissedId' | 'previousDismissedId' | 'unansweredSince'
>;

export const isSnoozed = ({ snoozedUntil }: Pick<StateColumns, 'snoozedUntil'>, nowMs: number): boolean =>
  snoozedUntil !== null && snoozedUntil > nowMs;

/** R-INBOX-1 */
export function stateOf(row: Pick<StateColumns, 'snoozedUntil' | 'unansweredSince'>, nowMs: number): ConversationState {
  if (isSnoozed(row, nowMs)) return 'snoozed';
  return row.unansweredSince === null ? 'done' : 'waiting';
}

export const unclaimed = { claimedBy: null, claimedAt: null } as const;

/** Whether the admins see something else than before. */
export function hasNewState(before: StateColumns, after: StateColumns): boolean {
  return (
    before.claimedBy !== after.claimedBy ||
    before.snoozedUntil !== after.snoozedUntil ||
    before.unansweredSince !== after.unansweredSince
  );
}

/** The state after a new message. An admin who answers an unclaimed conversation claims it (R-INBOX-2). A notice changes nothing. */
export function stateAfterMessage(
  { claimedBy, claimedAt, snoozedUntil, unansweredSince }: StateColumns,
  { kind, fromAdmin, senderId, createdAt }: Pick<MessageRow, 'kind' | 'fromAdmin' | 'senderId' | 'createdAt'>,
): Pick<StateColumns, 'claimedBy' | 'claimedAt' | 'snoozedUntil' | 'unansweredSince'> {
  if (kind === 'notice') return { claimedBy, claimedAt, snoozedUntil, unansweredSince };
  if (!fromAdmin) {
    return { claimedBy, claimedAt, snoozedUntil: null, unansweredSince: unansweredSince ?? createdAt };
  }
  const claim = claimedBy === null ? { claimedBy: senderId, claimedAt: createdAt } : { claimedBy, claimedAt };
  return { ...claim, snoozedUntil, unansweredSince: null };
}
