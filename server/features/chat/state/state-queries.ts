import type { Connection } from '#server/db/open.ts';
import type { ConversationRow } from '../message-queries.ts';
import type { StateColumns } from './conversation-state.ts';

/**
 * The statements of the states, prepared once. They use the write queue's connection, so inside a commit they are part of its
 * transaction.
 */
export function createStateQueries({ $client: sqlite }: Connection) {
  const save = sqlite.prepare<StateColumns & { userId: string }>(
    `update conversations
      set claimed_by = @claimedBy, claimed_at = @claimedAt, snoozed_until = @snoozedUntil, dismissed_id = @dismissedId,
        previous_dismissed_id = @previousDismissedId, unanswered_since = @unansweredSince
      where user_id = @userId`,
  );
  // Notices change nothing about who answers whom, so none of these finds one (R-CARD-20).
  const chatTime = sqlite
    .prepare<[number], number>("select created_at from messages where id = ? and kind = 'chat'")
    .pluck();
  const newestChat = sqlite
    .prepare<[string, number], number>(
      "select id from messages where user_id = ? and id > ? and kind = 'chat' order by id desc limit 1",
    )
    .pluck();
  const newestOfAdmins = sqlite
    .prepare<[string], number>(
      "select id from messages where user_id = ? and from_admin = 1 and kind = 'chat' order by id desc limit 1",
    )
    .pluck();
  const firstAfter = sqlite
    .prepare<[string, number], number>(
      "select created_at from messages where user_id = ? and id > ? and kind = 'chat' order by id limit 1",
    )
    .pluck();
  const newestOfOtherAdmins = sqlite
    .prepare<[string, number, string], string>(
      `select sender_name from messages
        where user_id = ? and id > ? and from_admin = 1 and sender_id <> ? and kind = 'chat' order by id desc limit 1`,
    )
    .pluck();
  const addDismissal = sqlite.prepare<[string, number]>(
    'insert into conversation_dismissals (user_id, message_id) values (?, ?) on conflict do nothing',
  );
  const removeDismissal = sqlite.prepare<[string, number]>(
    'delete from conversation_dismissals where user_id = ? and message_id = ?',
  );
  const claimed = sqlite.prepare<[], string>('select user_id from conversations where claimed_by is not null').pluck();
  const dueSnoozes = sqlite
    .prepare<[number, number], string>(
      'select user_id from conversations where snoozed_until is not null and snoozed_until <= ? limit ?',
    )
    .pluck();

  return {
    saveState: ({
      userId,
      claimedBy,
      claimedAt,
      snoozedUntil,
      dismissedId,
      previousDismissedId,
      unansweredSince,
    }: StateColumns & { userId: string }): void =>
      void save.run({
        userId,
        claimedBy,
        claimedAt,
        snoozedUntil,
        dismissedId,
        previousDismissedId,
        unansweredSince,
      }),
    /** For the waits of past days; the row of the conversation knows the last two positions only. */
    addDismissal: (userId: string, messageId: number): void => void addDismissal.run(userId, messageId),
    removeDismissal: (userId: string, messageId: number): void => void removeDismissal.run(userId, messageId),
    /** When a message was sent; null for a notice. */
    findChatTime: (id: number): number | null => chatTime.get(id) ?? null,
    /** The newest message that is no notice; 0 when there is none. */
    findNewestChatId: ({ userId, clearedId }: Pick<ConversationRow, 'userId' | 'clearedId'>): number =>
      newestChat.get(userId, clearedId) ?? 0,
    /** When the user's wait began according to the messages: the oldest one that nobody answered, dismissed or deleted. */
    findWaitStart({ userId, clearedId, dismissedId }: Pick<ConversationRow, 'userId' | 'clearedId' | 'dismissedId'>) {
      const answeredId = newestOfAdmins.get(userId) ?? 0;
      return firstAfter.get(userId, Math.max(answeredId, clearedId, dismissedId)) ?? null;
    },
    /** The name of the other admin who wrote last after a message, if one did. */
    findOtherAnswer: (userId: string, afterId: number, adminId: string): string | null =>
      newestOfOtherAdmins.get(userId, afterId, adminId) ?? null,
    listClaimed: (): string[] => claimed.all(),
    listDueSnoozes: (nowMs: number, limit: number): string[] => dueSnoozes.all(nowMs, limit),
  };
}
export type StateQueries = ReturnType<typeof createStateQueries>;
