import { and, count, desc, eq, getTableColumns, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import { type PossibleFilters, possibleFilters } from '#shared/api/filters.ts';
import type { UsersQuery } from '#shared/api/users.ts';
import { withoutIndex } from '#server/db/dialect.ts';
import { type Connection, type ConnectionOrTransaction, readSnapshot, type Transaction } from '#server/db/engine.ts';
import {
  accountDeletions,
  attachments,
  conversations,
  messages,
  pushSubscriptions,
  taxRecords,
  users,
} from '#server/db/schema.ts';
import { userContains } from '#server/accounts/user-search-queries.ts';
import { forgetWords, takeForOneCommit } from '#server/messages/message-index-queries.ts';
import type { UserRow } from '#server/accounts/user-queries.ts';

export type UsersFilter = Omit<UsersQuery, 'limit' | 'page'> & { limit: number; offset: number };

/** Lists do not need the password hashes, so these never leave the query worker. */
const { passwordHash: _passwordHash, ...listedColumns } = getTableColumns(users);
export type ListedUser = Omit<UserRow, 'passwordHash'>;

/** Reads one page, newest first, with the total. Runs in the query worker, because a search reads every account. */
export async function readUsers(
  orm: Connection,
  { limit, offset, ...sentFilter }: UsersFilter,
): Promise<{ rows: ListedUser[]; total: number }> {
  const filter = possibleFilters(sentFilter);
  if (!filter) return { rows: [], total: 0 };
  // One snapshot, so that the total agrees with the rows.
  return readSnapshot(orm, async (tx) => {
    const where = and(...conditions(filter));
    if (filter.search) return readFound(tx, where, { limit, offset });
    const rows = await tx
      .select(listedColumns)
      .from(users)
      .where(where)
      .orderBy(desc(users.createdAt), desc(users.id))
      .limit(limit)
      .offset(offset)
      .all();
    const counted = await tx.select({ total: count() }).from(users).where(where).get();
    return { rows, total: counted?.total ?? 0 };
  });
}

/** A search reads the covering index users_names once, for the page and the total; whole rows are read only for the page. */
async function readFound(
  tx: Transaction,
  where: SQL | undefined,
  { limit, offset }: { limit: number; offset: number },
) {
  const page = await tx
    .select({ id: users.id, total: sql<number>`count(*) over ()` })
    .from(users)
    .where(where)
    // The plus turns off the index in this order, which would read the rows.
    .orderBy(desc(withoutIndex(users.createdAt)), desc(users.id))
    .limit(limit)
    .offset(offset)
    .all();
  const [first] = page;
  // Only a page after the last one is empty although something was found.
  const isCountOpen = first === undefined && offset > 0;
  const counted = isCountOpen ? await tx.select({ total: count() }).from(users).where(where).get() : first;
  const ids = page.map(({ id }) => id);
  const found = await tx.select(listedColumns).from(users).where(inArray(users.id, ids)).all();
  const byId = new Map(found.map((row) => [row.id, row]));
  return { rows: ids.flatMap((id) => byId.get(id) ?? []), total: counted?.total ?? 0 };
}

function conditions({
  is_admin,
  is_active,
  search,
}: PossibleFilters<Omit<UsersFilter, 'limit' | 'offset'>>): (SQL | undefined)[] {
  // The plus turns off an index. Most accounts are users, so the one on the role would require sorting them all; a search has its own.
  const isIndexUsed = !search && (is_admin === true || is_active !== undefined);
  return [
    is_admin === undefined
      ? undefined
      : isIndexUsed
        ? eq(users.isAdmin, is_admin)
        : sql`${withoutIndex(users.isAdmin)} = ${Number(is_admin)}`,
    is_active === undefined ? undefined : eq(users.isActive, is_active),
    search ? userContains(search) : undefined,
  ];
}

export async function updateUser(tx: Transaction, { id, ...columns }: UserRow): Promise<void> {
  await tx.update(users).set(columns).where(eq(users.id, id)).run();
}

export type AccountDeletion = typeof accountDeletions.$inferSelect;

/**
 * Deletes the account, and by the foreign keys its sessions and its conversation. Records and messages are hidden from
 * then on; the batches below delete them.
 */
export async function deleteUser(tx: Transaction, deletion: AccountDeletion): Promise<void> {
  await tx.insert(accountDeletions).values(deletion).run();
  await tx.delete(users).where(eq(users.id, deletion.userId)).run();
}

/** Deletions that a crash interrupted, or that still run. */
export async function listUnfinishedDeletions(orm: ConnectionOrTransaction): Promise<AccountDeletion[]> {
  return orm.select().from(accountDeletions).all();
}

export async function finishDeletion(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(accountDeletions).where(eq(accountDeletions.userId, userId)).run();
}

/** Deletes up to `limit` records of an account. @returns them as they were; fewer than `limit` when none is left */
export async function deleteRecordBatch(
  tx: Transaction,
  userId: string,
  limit: number,
): Promise<(typeof taxRecords.$inferSelect)[]> {
  const batch = await tx.select().from(taxRecords).where(eq(taxRecords.userId, userId)).limit(limit).all();
  const ids = batch.map(({ id }) => id);
  if (ids.length > 0) await tx.delete(taxRecords).where(inArray(taxRecords.id, ids)).run();
  return batch;
}

/**
 * Deletes up to `limit` files of the messages of an account's conversation, and those that it uploaded and never sent. What an
 * admin sent to others stays with the messages.
 * @returns them as they were; fewer than `limit` when none is left
 */
export async function deleteAttachmentBatch(tx: Transaction, userId: string, limit: number) {
  const isUnsent = and(eq(attachments.uploaderId, userId), isNull(attachments.messageId));
  const batch = await tx
    .select({ id: attachments.id, file: attachments.file, thumbFile: attachments.thumbFile })
    .from(attachments)
    .where(or(eq(attachments.userId, userId), isUnsent))
    .limit(limit)
    .all();
  const ids = batch.map(({ id }) => id);
  if (ids.length > 0) await tx.delete(attachments).where(inArray(attachments.id, ids)).run();
  return batch;
}

/** Number of messages that one step of a deletion reads; most may be empty since an earlier deletion. */
const LOOKED_AT_MAX = 500;

/** Deletes the next messages of a conversation, and their words in the search index. @returns whether none is left */
export async function deleteMessageBatch(tx: Transaction, userId: string): Promise<boolean> {
  const rows = await readMessageBatch(tx, userId, LOOKED_AT_MAX).all();
  const batch = takeForOneCommit(rows);
  const ids = batch.map(({ id }) => id);
  if (ids.length > 0) await tx.delete(messages).where(inArray(messages.id, ids)).run();
  const contents = batch.map(({ content }) => content);
  await forgetWords(tx, contents);
  return batch.length === rows.length && rows.length < LOOKED_AT_MAX;
}

/** The messages that are deleted next. */
export function readMessageBatch(orm: ConnectionOrTransaction, userId: string, limit: number) {
  return orm
    .select({ id: messages.id, content: messages.content })
    .from(messages)
    .where(eq(messages.userId, userId))
    .limit(limit);
}

/** A push subscription was made for the role that the account had then, and its sockets are disconnected too. */
export async function deletePushSubscriptionsOf(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(pushSubscriptions).where(eq(pushSubscriptions.userId, userId)).run();
}

/** Counts the messages of the user's conversation that were not deleted. */
export async function countMessagesOf(orm: ConnectionOrTransaction, userId: string): Promise<number> {
  const { userOrdinal, adminOrdinal, clearedCount } = conversations;
  const conversation = await orm
    .select({ messages: sql<number>`${userOrdinal} + ${adminOrdinal} - ${clearedCount}` })
    .from(conversations)
    .where(eq(conversations.userId, userId))
    .get();
  return conversation?.messages ?? 0;
}
