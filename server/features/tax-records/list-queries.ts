import { and, count, desc, eq, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import { yearOf } from '#shared/domain/dates.ts';
import type { ConnectionOrTransaction } from '#server/db/open.ts';
import { taxRecords, users } from '#server/db/schema.ts';
import { ownerColumns, type OwnedRecord, type RecordRow } from './queries.ts';

export type RecordSlice = { rows: OwnedRecord[]; total: number };
export type LimitOffset = { limit: number; offset: number };

/** Own records, newest first. */
export function listOwn(orm: ConnectionOrTransaction, userId: string, limitOffset: LimitOffset): RecordSlice {
  const own = eq(taxRecords.userId, userId);
  return { rows: readNewestFirst(orm, own, limitOffset), total: countRecords(orm, own) };
}

/** Own records of one year, newest first. */
export function listOwnOfYear(
  orm: ConnectionOrTransaction,
  userId: string,
  year: number,
  limitOffset: LimitOffset,
): RecordSlice {
  const own = eq(taxRecords.userId, userId);
  // The plus keeps SQLite from using the index of years, which would read the records of all users of that year.
  const rows = readNewestFirst(orm, and(own, sql`+${taxRecords.year} = ${year}`), limitOffset);
  return { rows, total: countRecords(orm, and(own, eq(taxRecords.year, year))) };
}

/** Own overdue records, newest first. @param today calendar date in the server's time zone */
export function listOwnOverdue(
  orm: ConnectionOrTransaction,
  userId: string,
  today: string,
  limitOffset: LimitOffset,
): RecordSlice {
  const where = and(eq(taxRecords.userId, userId), isOverdueAt(today));
  return { rows: readNewestFirst(orm, where, limitOffset), total: countRecords(orm, where) };
}

/** The rule of shared/domain/overdue.ts in SQL (R-REC-4); a test compares the two. */
function isOverdueAt(today: string): SQL | undefined {
  return and(
    ne(taxRecords.status, 'lunas'),
    or(lt(taxRecords.dueDate, today), and(isNull(taxRecords.dueDate), sql`+${taxRecords.year} < ${yearOf(today)}`)),
  );
}

export function countRecords(orm: ConnectionOrTransaction, where: SQL | undefined): number {
  return orm.select({ total: count() }).from(taxRecords).where(where).get()?.total ?? 0;
}

/** Records with their owners in the order of `ids`; those that no longer exist are left out. */
export function listByIds(orm: ConnectionOrTransaction, ids: readonly string[]): OwnedRecord[] {
  if (ids.length === 0) return [];
  const found = orm
    .select()
    .from(taxRecords)
    .where(inArray(taxRecords.id, [...ids]))
    .all();
  const byId = new Map(withOwners(orm, found).map((row) => [row.record.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function readNewestFirst(
  orm: ConnectionOrTransaction,
  where: SQL | undefined,
  { limit, offset }: LimitOffset,
): OwnedRecord[] {
  const rows = orm
    .select()
    .from(taxRecords)
    .where(where)
    .orderBy(desc(taxRecords.createdAt), desc(taxRecords.id))
    .limit(limit)
    .offset(offset)
    .all();
  return withOwners(orm, rows);
}

/** Reads each owner once. A join would do it for every row, at several times the cost of reading the row. */
function withOwners(orm: ConnectionOrTransaction, rows: RecordRow[]): OwnedRecord[] {
  const ids = [...new Set(rows.map(({ userId }) => userId))];
  if (ids.length === 0) return [];
  const owners = orm.select(ownerColumns).from(users).where(inArray(users.id, ids)).all();
  const byId = new Map(owners.map((owner) => [owner.id, owner]));
  return rows.flatMap((record) => {
    const owner = byId.get(record.userId);
    return owner ? [{ record, owner }] : [];
  });
}
