import {
  and,
  asc,
  count,
  desc,
  eq,
  exists,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  notInArray,
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { ConversationsQuery } from '#shared/api/chat/chat.ts';
import { type PossibleFilters, possibleFilters } from '#shared/api/filters.ts';
import { CONVERSATIONS_MAX } from '#shared/limits.ts';
import { withoutIndex } from '#server/db/dialect.ts';
import { conversationNotes, conversations, messages, users } from '#server/db/schema.ts';
import { type ConnectionOrTransaction, readSnapshot, type Transaction } from '#server/db/engine.ts';
import { userContains } from '#server/accounts/user-search-queries.ts';
import { selectAdminIds } from './queries.ts';

export type ConversationsFilter = Omit<ConversationsQuery, 'limit' | 'page'> & {
  limit: number;
  offset: number;
  /** A user may list only the own conversation. */
  onlyUserId?: string | undefined;
  /** The caller for whom `state` is found; absent in the list of a user, which has no states. */
  inbox?: InboxCaller | undefined;
};
/** The admin who asks, and when (epoch milliseconds). */
export type InboxCaller = { adminId: string; nowMs: number };

/** The states of R-INBOX-1 as conditions on a conversation's row. A snooze that has ended may still be stored. */
function stateConditions({ adminId, nowMs }: InboxCaller) {
  const isSnoozed = gt(conversations.snoozedUntil, nowMs);
  const isWaiting = and(
    isNotNull(conversations.unansweredSince),
    or(isNull(conversations.snoozedUntil), lte(conversations.snoozedUntil, nowMs)),
  );
  return {
    waiting: isWaiting,
    snoozed: isSnoozed,
    mine: eq(conversations.claimedBy, adminId),
    unclaimed: and(isWaiting, isNull(conversations.claimedBy)),
  };
}

const idsOf = (userIds: string): string[] => userIds.split(',', CONVERSATIONS_MAX);

/** All conditions concern the conversation's own row, so that an index can answer them. */
function conditionsOf({ onlyUserId, ...filter }: PossibleFilters<ConversationsFilter>): SQL | undefined {
  const state = filter.inbox && filter.state && stateConditions(filter.inbox)[filter.state];
  const isUnread =
    onlyUserId === undefined
      ? gt(conversations.userOrdinal, conversations.adminReadOrdinal)
      : gt(conversations.adminOrdinal, conversations.userReadOrdinal);
  return and(
    onlyUserId === undefined ? undefined : eq(conversations.userId, onlyUserId),
    filter.user_ids === undefined ? undefined : inArray(conversations.userId, idsOf(filter.user_ids)),
    // A conversation without messages can be claimed and snoozed.
    filter.all || state ? undefined : gt(conversations.lastMessageId, 0),
    state,
    filter.unread ? isUnread : undefined,
    filter.unanswered ? isNotNull(conversations.unansweredSince) : undefined,
  );
}

/** Shorter texts are in most names. */
const FEW_USERS_LENGTH = 3;

/**
 * The conversation's user has a name or an e-mail that contains the text. Few users are listed first; where most would be, the
 * user of each conversation is looked up instead.
 */
function isOfMatchingUser(orm: ConnectionOrTransaction, search: string): SQL {
  // The plus turns off the index on the role, which most accounts share.
  const contains = and(sql`${withoutIndex(users.isAdmin)} = 0`, userContains(search));
  const matching = orm.select({ id: users.id }).from(users);
  return search.length < FEW_USERS_LENGTH
    ? exists(matching.where(and(eq(users.id, conversations.userId), contains)))
    : inArray(conversations.userId, matching.where(contains));
}

/** A page of the inbox list, latest activity or longest wait first, and how many conversations there are in all. */
export function readConversations(orm: ConnectionOrTransaction, sentFilter: ConversationsFilter) {
  const filter = possibleFilters(sentFilter);
  if (!filter) return { rows: [], total: 0 };
  // One snapshot: in the query worker, the main thread writes between two queries.
  return readSnapshot(orm, async (tx) => {
    const conditions = conditionsOf(filter);
    const userCondition = filter.search
      ? isOfMatchingUser(tx, filter.search)
      : notInArray(conversations.userId, selectAdminIds(tx));
    const rows = await readPage(tx, and(conditions, userCondition), filter);
    // A page that is not full is the last one, so the total is known without counting.
    const isLastPage = rows.length > 0 || filter.offset === 0;
    if (isLastPage && rows.length < filter.limit) return { rows, total: filter.offset + rows.length };
    if (filter.search) return { rows, total: rows[0]?.total ?? (await countWhere(tx, and(conditions, userCondition))) };
    // Counting all and subtracting the admins' few is much cheaper than checking the role of each account.
    const ofAdmins = inArray(conversations.userId, selectAdminIds(tx));
    return { rows, total: (await countWhere(tx, conditions)) - (await countWhere(tx, and(conditions, ofAdmins))) };
  });
}

/** The number of conversations in each filter of the inbox, whatever filter is set. Each count reads one index. */
export async function countInbox(tx: Transaction, caller: InboxCaller) {
  const { waiting, snoozed, mine } = stateConditions(caller);
  const unread = gt(conversations.userOrdinal, conversations.adminReadOrdinal);
  const ofAdmins = inArray(conversations.userId, selectAdminIds(tx));
  const countOfUsers = async (where: SQL | undefined): Promise<number> =>
    (await countWhere(tx, where)) - (await countWhere(tx, and(where, ofAdmins)));
  return {
    waiting: await countOfUsers(waiting),
    unread: await countOfUsers(unread),
    snoozed: await countOfUsers(snoozed),
    mine: await countOfUsers(mine),
  };
}

async function countWhere(tx: Transaction, where: SQL | undefined): Promise<number> {
  return (await tx.select({ total: count() }).from(conversations).where(where).get())?.total ?? 0;
}

/** Those of users without an answer come first. An index has that order only where no others are in the list. */
function orderByTerms(
  { sort, unanswered, state }: Pick<ConversationsFilter, 'sort' | 'unanswered' | 'state'>,
  { unansweredSince, lastMessageId, userId }: Record<'unansweredSince' | 'lastMessageId' | 'userId', SQLiteColumn>,
): SQL[] {
  if (sort !== 'waiting') return [desc(lastMessageId), desc(userId)];
  if (unanswered || state === 'waiting' || state === 'unclaimed') return [asc(unansweredSince), asc(userId)];
  return [sql`${unansweredSince} asc nulls last`, desc(lastMessageId), desc(userId)];
}

function readPage(tx: Transaction, where: SQL | undefined, filter: ConversationsFilter) {
  // The page is cut before the joins, so that skipped conversations cost only an index step each.
  // A search finds all matches before it cuts the page, so it counts them there; other lists would read all for that.
  const total = filter.search ? sql<number>`count(*) over ()` : sql<number>`0`;
  const page = tx
    .select({ ...getTableColumns(conversations), total: total.as('total') })
    .from(conversations)
    .where(where)
    .orderBy(...orderByTerms(filter, conversations))
    .limit(filter.limit)
    .offset(filter.offset)
    .as('page');
  return tx
    .select({
      user: { id: users.id, name: users.name, email: users.email, isActive: users.isActive },
      unreadForAdmin: sql<number>`${page.userOrdinal} - ${page.adminReadOrdinal}`,
      unreadForUser: sql<number>`${page.adminOrdinal} - ${page.userReadOrdinal}`,
      unansweredSince: page.unansweredSince,
      snoozedUntil: page.snoozedUntil,
      claimedBy: page.claimedBy,
      total: page.total,
      message: {
        id: messages.id,
        content: messages.content,
        kind: messages.kind,
        photoCount: messages.photoCount,
        documentCount: messages.documentCount,
        recordThen: messages.recordThen,
        senderId: messages.senderId,
        senderName: messages.senderName,
        fromAdmin: messages.fromAdmin,
        createdAt: messages.createdAt,
      },
    })
    .from(page)
    .innerJoin(users, eq(users.id, page.userId))
    .leftJoin(messages, eq(messages.id, page.lastMessageId))
    .orderBy(...orderByTerms(filter, page))
    .all();
}

/** The names of admins, and the number of notes of each conversation, which the inbox shows beside the rows. */
export async function readInboxDetails(tx: Transaction, userIds: readonly string[], adminIds: readonly string[]) {
  const admins = await tx
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(inArray(users.id, [...adminIds]))
    .all();
  const notes = await tx
    .select({ userId: conversationNotes.userId, count: count() })
    .from(conversationNotes)
    .where(inArray(conversationNotes.userId, [...userIds]))
    .groupBy(conversationNotes.userId)
    .all();
  return {
    adminsById: new Map(admins.map((admin) => [admin.id, admin])),
    noteCounts: new Map(notes.map((note) => [note.userId, note.count])),
  };
}
export type InboxDetails = Awaited<ReturnType<typeof readInboxDetails>>;
export type ConversationListRow = Awaited<ReturnType<typeof readPage>>[number];
