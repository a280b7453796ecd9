import { and, desc, eq, gt, inArray, lte, max, ne, sql } from 'drizzle-orm';
import { conversationDismissals, conversations, messages, users } from '#server/db/schema.ts';
import { type ConnectionOrTransaction, perStatements, type Transaction } from '#server/db/engine.ts';
import { forgetWords, takeForOneCommit } from '#server/messages/message-index-queries.ts';
import { messageQueries, type ConversationRow } from './message-queries.ts';
export type CursorColumns = Pick<
  ConversationRow,
  'userSeenId' | 'adminSeenId' | 'userReadOrdinal' | 'adminReadOrdinal' | 'userDeliveredId' | 'adminDeliveredId'
>;

/** Admins are few, and listed once per statement: cheaper than looking up the account of every conversation. */
export function selectAdminIds(orm: ConnectionOrTransaction) {
  return orm.select({ id: users.id }).from(users).where(eq(users.isAdmin, true));
}

/** The two sums whose difference is the number of unread messages of users. */
function selectUnread(orm: ConnectionOrTransaction) {
  const unreadSum = sql<number>`coalesce(sum(${conversations.userOrdinal} - ${conversations.adminReadOrdinal}), 0)`;
  const isUnread = gt(conversations.userOrdinal, conversations.adminReadOrdinal);
  const ofAdmins = and(isUnread, inArray(conversations.userId, selectAdminIds(orm)));
  return {
    ofAll: orm.select({ sum: unreadSum }).from(conversations).where(isUnread),
    inAdminConversations: orm.select({ sum: unreadSum }).from(conversations).where(ofAdmins),
  };
}

/** The same number as `countUnreadForAdmins`, for a snapshot of the query worker. */
export async function readUnreadForAdmins(tx: Transaction): Promise<number> {
  const { ofAll, inAdminConversations } = selectUnread(tx);
  return ((await ofAll.get())?.sum ?? 0) - ((await inAdminConversations.get())?.sum ?? 0);
}

export async function findConversation(tx: Transaction, userId: string): Promise<ConversationRow | undefined> {
  return tx.select().from(conversations).where(eq(conversations.userId, userId)).get();
}

/** The statements of the chat, prepared once: building them each time would cost more than running them. */
export const chatQueries = perStatements((tx) => {
  const unread = selectUnread(tx);
  const unreadOfAll = unread.ofAll.prepare();
  const unreadInAdminConversations = unread.inAdminConversations.prepare();

  return {
    ...messageQueries(tx),
    moveCursors: (row: CursorColumns & { userId: string }): Promise<unknown> =>
      tx.run(
        `update conversations
          set user_seen_id = ?, admin_seen_id = ?, user_read_ordinal = ?, admin_read_ordinal = ?,
            user_delivered_id = ?, admin_delivered_id = ?
          where user_id = ?`,
        row.userSeenId,
        row.adminSeenId,
        row.userReadOrdinal,
        row.adminReadOrdinal,
        row.userDeliveredId,
        row.adminDeliveredId,
        row.userId,
      ),
    /**
     * Unread messages of users over all conversations. Summing all and subtracting those of accounts that are admins now is
     * the cheapest way.
     */
    countUnreadForAdmins: async (): Promise<number> => {
      const all = await unreadOfAll.get();
      const inAdminConversations = await unreadInAdminConversations.get();
      return (all?.sum ?? 0) - (inAdminConversations?.sum ?? 0);
    },
  };
});

/**
 * The state after a history was deleted: no message needs an answer, and positions of deleted messages mean nothing
 * (R-INBOX-8).
 */
export const stateOfEmpty = {
  unansweredSince: null,
  claimedBy: null,
  claimedAt: null,
  snoozedUntil: null,
  dismissedId: 0,
  previousDismissedId: 0,
} as const;

/** Moves the cleared position to the newest message: for readers the history is empty from then on. */
export async function clearConversation(tx: Transaction, row: ConversationRow): Promise<void> {
  // Deleted messages get no answer: the next answer ends a wait that begins later.
  if (row.lastMessageId > 0 && row.unansweredSince !== null) {
    const dismissal = { userId: row.userId, messageId: row.lastMessageId };
    await tx.insert(conversationDismissals).values(dismissal).onConflictDoNothing().run();
  }
  const newest = await tx
    .select({ id: max(messages.id) })
    .from(messages)
    .where(eq(messages.userId, row.userId))
    .get();
  await tx
    .update(conversations)
    .set({
      lastMessageId: 0,
      clearedId: newest?.id ?? 0,
      clearedCount: row.userOrdinal + row.adminOrdinal,
      userReadOrdinal: row.adminOrdinal,
      adminReadOrdinal: row.userOrdinal,
      ...stateOfEmpty,
    })
    .where(eq(conversations.userId, row.userId))
    .run();
}

/**
 * Users whose deleted history still holds texts, because a crash interrupted the deletion. It goes from the oldest message
 * to the newest, so the newest one tells.
 */
export async function listUnfinishedClears(orm: ConnectionOrTransaction): Promise<string[]> {
  const newestContent = orm
    .select({ content: messages.content })
    .from(messages)
    .where(and(eq(messages.userId, conversations.userId), lte(messages.id, conversations.clearedId)))
    .orderBy(desc(messages.id))
    .limit(1);
  return (
    await orm
      .select({ userId: conversations.userId })
      .from(conversations)
      .where(and(gt(conversations.clearedId, 0), sql`${newestContent} <> ''`))
      .all()
  ).map(({ userId }) => userId);
}

/** Number of messages that one step of a deletion reads; most may be empty since an earlier deletion. */
const LOOKED_AT_MAX = 500;

/**
 * Empties the next messages of a deleted history, and removes their words from the search index.
 * @param step `afterId`: where the last step ended; 0 at first
 * @returns where this step ended; null when nothing is left
 */
export async function emptyMessageBatch(
  tx: Transaction,
  { userId, afterId }: { userId: string; afterId: number },
): Promise<number | null> {
  const inHistory = and(eq(messages.userId, userId), gt(messages.id, afterId));
  const cleared = tx
    .select({ id: conversations.clearedId })
    .from(conversations)
    .where(eq(conversations.userId, userId));
  const rows = await tx
    .select({ id: messages.id, content: messages.content })
    .from(messages)
    .where(and(inHistory, lte(messages.id, sql`${cleared}`)))
    .orderBy(messages.id)
    .limit(LOOKED_AT_MAX)
    .all();
  const batch = takeForOneCommit(rows);
  const last = batch.at(-1)?.id;
  if (last === undefined) return null;
  await tx
    .update(messages)
    .set({ content: '', photoCount: 0, documentCount: 0, recordId: null, recordThen: null })
    .where(and(inHistory, lte(messages.id, last), ne(messages.content, '')))
    .run();
  await forgetWords(
    tx,
    batch.map(({ content }) => content),
  );
  return batch.length < rows.length || rows.length === LOOKED_AT_MAX ? last : null;
}
