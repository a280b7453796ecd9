import { and, eq, gt, inArray, lte, max, ne, sql } from 'drizzle-orm';
import { conversations, messages, sessions, users } from '#server/db/schema.ts';
import type { Orm } from '#server/db/open.ts';

export type MessageRow = typeof messages.$inferSelect;
export type ConversationRow = typeof conversations.$inferSelect;
export type Cursors = Pick<
  ConversationRow,
  'userSeenId' | 'adminSeenId' | 'userReadOrdinal' | 'adminReadOrdinal' | 'userDeliveredId' | 'adminDeliveredId'
>;

const given = sql.placeholder;
/** Drizzle takes a placeholder in `set` only inside an expression. */
const set = (name: string) => sql`${given(name)}`;

/** Few, and listed once per statement: cheaper than looking up every conversation's account. */
export function administrators(orm: Orm) {
  return orm.select({ id: users.id }).from(users).where(eq(users.isAdmin, true));
}

/**
 * The statements that every message runs, prepared once: building them each time would cost more than running them.
 * They share the connection, so inside a commit they are part of its transaction.
 */
export function createChatQueries(orm: Orm) {
  const sentBefore = orm
    .select()
    .from(messages)
    .where(and(eq(messages.senderId, given('senderId')), eq(messages.clientId, given('clientId'))))
    .prepare();
  const conversation = orm
    .select()
    .from(conversations)
    .where(eq(conversations.userId, given('userId')))
    .prepare();
  const person = orm
    .select({ id: users.id, name: users.name, isAdmin: users.isAdmin })
    .from(users)
    .where(eq(users.id, given('id')))
    .prepare();
  const standing = orm
    .select({ isAdmin: users.isAdmin })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, given('sessionId')), eq(users.isActive, true)))
    .prepare();
  const insert = orm
    .insert(messages)
    .values({
      userId: given('userId'),
      senderId: given('senderId'),
      senderName: given('senderName'),
      fromAdmin: given('fromAdmin'),
      content: given('content'),
      clientId: given('clientId'),
      prevId: given('prevId'),
      sideOrdinal: given('sideOrdinal'),
      createdAt: given('createdAt'),
    })
    .returning({ id: messages.id })
    .prepare();
  const advance = orm
    .update(conversations)
    .set({
      lastMessageId: set('lastMessageId'),
      userOrdinal: set('userOrdinal'),
      adminOrdinal: set('adminOrdinal'),
      unansweredSince: set('unansweredSince'),
    })
    .where(eq(conversations.userId, given('userId')))
    .prepare();
  const cursors = orm
    .update(conversations)
    .set({
      userSeenId: set('userSeenId'),
      adminSeenId: set('adminSeenId'),
      userReadOrdinal: set('userReadOrdinal'),
      adminReadOrdinal: set('adminReadOrdinal'),
      userDeliveredId: set('userDeliveredId'),
      adminDeliveredId: set('adminDeliveredId'),
    })
    .where(eq(conversations.userId, given('userId')))
    .prepare();
  const unreadSum = sql<number>`coalesce(sum(${conversations.userOrdinal} - ${conversations.adminReadOrdinal}), 0)`;
  const isUnread = gt(conversations.userOrdinal, conversations.adminReadOrdinal);
  const unreadOfAll = orm.select({ sum: unreadSum }).from(conversations).where(isUnread).prepare();
  const unreadOfAdministrators = orm
    .select({ sum: unreadSum })
    .from(conversations)
    .where(and(isUnread, inArray(conversations.userId, administrators(orm))))
    .prepare();

  return {
    findSent: (senderId: string, clientId: string): MessageRow | undefined => sentBefore.get({ senderId, clientId }),
    findConversation: (userId: string): ConversationRow | undefined => conversation.get({ userId }),
    findPerson: (id: string) => person.get({ id }),
    /** The role behind a session as it is now; undefined when it no longer counts. */
    findStanding: (sessionId: string) => standing.get({ sessionId }),
    /** @returns the new message's id */
    insertMessage: (row: Omit<MessageRow, 'id'>): number => insert.get(row).id,
    advanceConversation: (
      row: Pick<ConversationRow, 'userId' | 'lastMessageId' | 'userOrdinal' | 'adminOrdinal' | 'unansweredSince'>,
    ): void => void advance.run(row),
    moveCursors: (row: Cursors & { userId: string }): void => void cursors.run(row),
    /** Unread messages of residents over all conversations: summing all and taking off the few is the cheapest. */
    countUnreadOfOffice: (): number => (unreadOfAll.get()?.sum ?? 0) - (unreadOfAdministrators.get()?.sum ?? 0),
  };
}
export type ChatQueries = ReturnType<typeof createChatQueries>;

/** Puts every message behind the positions: for readers the history is empty from here on. */
export function clearConversation(orm: Orm, row: ConversationRow): void {
  const newest = orm
    .select({ id: max(messages.id) })
    .from(messages)
    .where(eq(messages.userId, row.userId))
    .get();
  orm
    .update(conversations)
    .set({
      lastMessageId: 0,
      clearedId: newest?.id ?? 0,
      clearedCount: row.userOrdinal + row.adminOrdinal,
      userReadOrdinal: row.adminOrdinal,
      adminReadOrdinal: row.userOrdinal,
      unansweredSince: null,
    })
    .where(eq(conversations.userId, row.userId))
    .run();
}

/**
 * Empties the next messages of a deleted history.
 * @param afterId where the last step ended; 0 at first
 * @returns where this one ended; null when nothing is left
 */
export function wipeSome(orm: Orm, userId: string, afterId: number, limit: number): number | null {
  const inHistory = and(eq(messages.userId, userId), gt(messages.id, afterId));
  const cleared = orm
    .select({ id: conversations.clearedId })
    .from(conversations)
    .where(eq(conversations.userId, userId));
  const ids = orm
    .select({ id: messages.id })
    .from(messages)
    .where(and(inHistory, lte(messages.id, sql`${cleared}`)))
    .orderBy(messages.id)
    .limit(limit)
    .all();
  const last = ids.at(-1)?.id;
  if (last === undefined) return null;
  orm
    .update(messages)
    .set({ content: '' })
    .where(and(inHistory, lte(messages.id, last), ne(messages.content, '')))
    .run();
  return ids.length < limit ? null : last;
}
