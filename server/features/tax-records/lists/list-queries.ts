import { and, count, desc, eq, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import { yearOf } from '#shared/domain/dates/dates.ts';
import { withoutIndex } from '#server/db/dialect.ts';
import { type Connection, type ConnectionOrTransaction, readSnapshot } from '#server/db/engine.ts';
import { taxRecords, users } from '#server/db/schema.ts';
import { ownerColumns, type OwnedRecord, type RecordRow } from '../queries.ts';

export type RecordSlice = { rows: OwnedRecord[]; total: number };
export type LimitOffset = { limit: number; offset: number };

/** The own records: all, those of one year, or those overdue at a calendar date in the server's time zone. */
export type OwnListFilter = { userId: string; year?: number; overdueAt?: string };

/** A page of own records, newest first, with its total. */
export async function readOwnRecords(
  orm: Connection,
  filter: OwnListFilter,
  limitOffset: LimitOffset,
): Promise<RecordSlice> {
  // One snapshot, so that the total agrees with the rows.
  return readSnapshot(orm, async (tx) => {
    const conditions = ownConditions(filter);
    return {
      rows: await readNewestFirst(tx, conditions.rows, limitOffset),
      total: await countRecords(tx, conditions.total),
    };
  });
}

function ownConditions({ userId, year, overdueAt }: OwnListFilter) {
  const own = eq(taxRecords.userId, userId);
  if (overdueAt !== undefined) {
    const where = and(own, isOverdueAt(overdueAt));
    return { rows: where, total: where };
  }
  if (year === undefined) return { rows: own, total: own };
  // The plus keeps SQLite from using the index of years, which would read the records of all users of that year.
  return {
    rows: and(own, sql`${withoutIndex(taxRecords.year)} = ${year}`),
    total: and(own, eq(taxRecords.year, year)),
  };
}

/** The rule of shared/domain/tax-records/overdue.ts in SQL (R-REC-4); a test compares the two. */
function isOverdueAt(today: string): SQL | undefined {
  return and(
    ne(taxRecords.status, 'lunas'),
    or(
      lt(taxRecords.dueDate, today),
      and(isNull(taxRecords.dueDate), sql`${withoutIndex(taxRecords.year)} < ${yearOf(today)}`),
    ),
  );
}

async function countRecords(orm: ConnectionOrTransaction, where: SQL | undefined): Promise<number> {
  return (await orm.select({ total: count() }).from(taxRecords).where(where).get())?.total ?? 0;
}

/** Records with their owners in the order of `ids`; those that no longer exist are left out. */
export async function listByIds(orm: ConnectionOrTransaction, ids: readonly string[]): Promise<OwnedRecord[]> {
  if (ids.length === 0) return [];
  const found = await orm
    .select()
    .from(taxRecords)
    .where(inArray(taxRecords.id, [...ids]))
    .all();
  const byId = new Map((await withOwners(orm, found)).map((row) => [row.record.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

async function readNewestFirst(
  orm: ConnectionOrTransaction,
  where: SQL | undefined,
  { limit, offset }: LimitOffset,
): Promise<OwnedRecord[]> {
  const rows = await orm
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
async function withOwners(orm: ConnectionOrTransaction, rows: RecordRow[]): Promise<OwnedRecord[]> {
  const ids = [...new Set(rows.map(({ userId }) => userId))];
  if (ids.length === 0) return [];
  const owners = await orm.select(ownerColumns).from(users).where(inArray(users.id, ids)).all();
  const byId = new Map(owners.map((owner) => [owner.id, owner]));
  return rows.flatMap((record) => {
    const owner = byId.get(record.userId);
    return owner ? [{ record, owner }] : [];
  });
}
