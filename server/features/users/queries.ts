import { and, count, desc, eq, getTableColumns, ne, or, type SQL, sql } from 'drizzle-orm';
import { type PossibleFilters, possibleFilters } from '#shared/api/filters.ts';
import type { UsersQuery } from '#shared/api/users.ts';
import { type Connection, type ConnectionOrTransaction, readSnapshot, type Transaction } from '#server/db/open.ts';
import { conversations, sessions, taxRecords, users } from '#server/db/schema.ts';
import { containsText } from '#server/db/search.ts';
import type { UserRow } from '#server/user-queries.ts';

export type UsersFilter = Omit<UsersQuery, 'limit' | 'page'> & { limit: number; offset: number };

/** Lists do not need the password hashes, so these never leave the query worker. */
const { passwordHash: _passwordHash, ...listedColumns } = getTableColumns(users);
export type ListedUser = Omit<UserRow, 'passwordHash'>;

/** Reads one page, newest first, with the total. Runs in the query worker, because a search reads every account. */
export function readUsers(
  orm: Connection,
  { limit, offset, ...sentFilter }: UsersFilter,
): { rows: ListedUser[]; total: number } {
  const filter = possibleFilters(sentFilter);
  if (!filter) return { rows: [], total: 0 };
  // One snapshot, so that the total agrees with the rows.
  return readSnapshot(orm, (tx) => {
    const where = and(...conditions(filter));
    const rows = tx
      .select(listedColumns)
      .from(users)
      .where(where)
      .orderBy(desc(users.createdAt), desc(users.id))
      .limit(limit)
      .offset(offset)
      .all();
    const counted = tx.select({ total: count() }).from(users).where(where).get();
    return { rows, total: counted?.total ?? 0 };
  });
}

function conditions({
  is_admin,
  is_active,
  search,
}: PossibleFilters<Omit<UsersFilter, 'limit' | 'offset'>>): (SQL | undefined)[] {
  // Most accounts are users. The plus turns off the index on the role, which would require sorting them all.
  const matchesMostUsers = is_admin === false && is_active === undefined;
  return [
    matchesMostUsers ? sql`+${users.isAdmin} = 0` : undefined,
    is_admin === undefined || matchesMostUsers ? undefined : eq(users.isAdmin, is_admin),
    is_active === undefined ? undefined : eq(users.isActive, is_active),
    search ? or(containsText(users.name, search), containsText(users.email, search)) : undefined,
  ];
}

export function findEmailOwner(orm: ConnectionOrTransaction, email: string): { id: string } | undefined {
  return orm.select({ id: users.id }).from(users).where(eq(users.email, email)).get();
}

/** Whether an active admin remains without this account. */
export function hasOtherActiveAdmin(orm: ConnectionOrTransaction, id: string): boolean {
  const other = orm
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.isAdmin, true), eq(users.isActive, true), ne(users.id, id)))
    .limit(1)
    .get();
  return other !== undefined;
}

export function updateUser(tx: Transaction, { id, ...columns }: UserRow): void {
  tx.update(users).set(columns).where(eq(users.id, id)).run();
}

/** The foreign keys also delete the records, sessions and conversation. */
export function deleteUser(tx: Transaction, id: string): void {
  tx.delete(users).where(eq(users.id, id)).run();
}

/** @returns how many sessions ended */
export function deleteSessionsOf(tx: Transaction, userId: string): number {
  return tx.delete(sessions).where(eq(sessions.userId, userId)).run().changes;
}

export function listRecordsOf(orm: ConnectionOrTransaction, userId: string): (typeof taxRecords.$inferSelect)[] {
  return orm.select().from(taxRecords).where(eq(taxRecords.userId, userId)).all();
}

/** Counts the messages of the user's conversation that were not deleted. */
export function countMessagesOf(orm: ConnectionOrTransaction, userId: string): number {
  const { userOrdinal, adminOrdinal, clearedCount } = conversations;
  const conversation = orm
    .select({ messages: sql<number>`${userOrdinal} + ${adminOrdinal} - ${clearedCount}` })
    .from(conversations)
    .where(eq(conversations.userId, userId))
    .get();
  return conversation?.messages ?? 0;
}
