import { perStatements } from '#server/db/engine.ts';
import type { ConversationRow } from '../message-queries.ts';
import type { StateColumns } from './conversation-state.ts';

/** The statements of the states. */
export const stateQueries = perStatements((tx) => ({
  saveState: (row: StateColumns & { userId: string }): Promise<unknown> =>
    tx.run(
      `update conversations
        set claimed_by = ?, claimed_at = ?, snoozed_until = ?, dismissed_id = ?, previous_dismissed_id = ?, unanswered_since = ?
        where user_id = ?`,
      row.claimedBy,
      row.claimedAt,
      row.snoozedUntil,
      row.dismissedId,
      row.previousDismissedId,
      row.unansweredSince,
      row.userId,
    ),
  /** For the waits of past days; the row of the conversation knows the last two positions only. */
  addDismissal: (userId: string, messageId: number): Promise<unknown> =>
    tx.run(
      'insert into conversation_dismissals (user_id, message_id) values (?, ?) on conflict do nothing',
      userId,
      messageId,
    ),
  removeDismissal: (userId: string, messageId: number): Promise<unknown> =>
    tx.run('delete from conversation_dismissals where user_id = ? and message_id = ?', userId, messageId),

  // Notices change nothing about who answers whom, so none of these finds one (R-CARD-20).
  /** When a message was sent; null for a notice. */
  findChatTime: async (id: number): Promise<number | null> => {
    return (await tx.value<number>("select created_at from messages where id = ? and kind = 'chat'", id)) ?? null;
  },
  /** The newest message that is no notice; 0 when there is none. */
  findNewestChatId: async ({ userId, clearedId }: Pick<ConversationRow, 'userId' | 'clearedId'>): Promise<number> => {
    const newest = "select id from messages where user_id = ? and id > ? and kind = 'chat' order by id desc limit 1";
    return (await tx.value<number>(newest, userId, clearedId)) ?? 0;
  },
  /** When the user's wait began according to the messages: the oldest one that nobody answered, dismissed or deleted. */
  findWaitStart: async ({
    userId,
    clearedId,
    dismissedId,
  }: Pick<ConversationRow, 'userId' | 'clearedId' | 'dismissedId'>): Promise<number | null> => {
    const answered =
      "select id from messages where user_id = ? and from_admin = 1 and kind = 'chat' order by id desc limit 1";
    const answeredId = (await tx.value<number>(answered, userId)) ?? 0;
    const first = "select created_at from messages where user_id = ? and id > ? and kind = 'chat' order by id limit 1";
    return (await tx.value<number>(first, userId, Math.max(answeredId, clearedId, dismissedId))) ?? null;
  },
  /** The name of the other admin who wrote last after a message, if one did. */
  findOtherAnswer: async (userId: string, afterId: number, adminId: string): Promise<string | null> => {
    const newest = `select sender_name from messages
      where user_id = ? and id > ? and from_admin = 1 and sender_id <> ? and kind = 'chat' order by id desc limit 1`;
    return (await tx.value<string>(newest, userId, afterId, adminId)) ?? null;
  },
  listClaimed: (): Promise<string[]> => tx.column('select user_id from conversations where claimed_by is not null'),
  listDueSnoozes: (nowMs: number, limit: number): Promise<string[]> =>
    tx.column(
      'select user_id from conversations where snoozed_until is not null and snoozed_until <= ? limit ?',
      nowMs,
      limit,
    ),
}));
