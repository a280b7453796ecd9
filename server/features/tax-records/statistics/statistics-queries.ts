import { and, count, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { Orm } from '#server/db/open.ts';
import { taxRecords, users } from '#server/db/schema.ts';
import { joinSen, senSum } from '#server/db/sen-sums.ts';

const isPaid = sql`${taxRecords.status} = 'lunas'`;
const countOf = (only: SQL) => sql<number>`count(*) filter (where ${only})`;

/** An aggregate always has its one row; the types do not know. */
function theRow<T>(row: T | undefined): T {
  if (row === undefined) throw new Error('an aggregate without a row');
  return row;
}

export type OwnFigures = {
  records: number;
  paidRecords: number;
  outstandingRecords: number;
  totalSen: bigint;
  paidSen: bigint;
  outstandingSen: bigint;
};
export type OwnFiguresQuestion = { userId: string; today: string; thisYear: number };

/** One owner's figures in one pass. `isOutstanding` of shared/domain/arrears.ts is the rule; here it is in SQL. */
export function readOwnFigures(orm: Orm, { userId, today, thisYear }: OwnFiguresQuestion): OwnFigures {
  const { status, dueDate, year, amountSen } = taxRecords;
  const isOutstanding = sql`${status} <> 'lunas' and case when ${dueDate} is null then ${year} < ${thisYear} else ${dueDate} < ${today} end`;
  const row = orm
    .select({
      records: count(),
      paidRecords: countOf(isPaid),
      outstandingRecords: countOf(isOutstanding),
      total: senSum(amountSen),
      paid: senSum(amountSen, isPaid),
      outstanding: senSum(amountSen, isOutstanding),
    })
    .from(taxRecords)
    .where(eq(taxRecords.userId, userId))
    .get();
  const { total, paid, outstanding, ...counts } = theRow(row);
  return { ...counts, totalSen: joinSen(total), paidSen: joinSen(paid), outstandingSen: joinSen(outstanding) };
}

/** Whether somebody has more than `max` records, by counting no further than that. */
export function hasMoreRecordsThan(orm: Orm, userId: string, max: number): boolean {
  const first = orm.select({ id: taxRecords.id }).from(taxRecords).where(eq(taxRecords.userId, userId)).limit(1);
  return first.offset(max).get() !== undefined;
}

/** Records created from `fromMs` up to but not including `toMs`; null is no bound. */
export type Segment = {
  fromMs: number | null;
  toMs: number | null;
  records: number;
  lunas: number;
  proses: number;
  totalSen: bigint;
  paidSen: bigint;
};
/** Records of one year and one property type. */
export type Share = Pick<typeof taxRecords.$inferSelect, 'year' | 'propertyType'> &
  Pick<Segment, 'records' | 'lunas' | 'totalSen' | 'paidSen'>;
export type OfficeFigures = { users: number; activeUsers: number; segments: Segment[]; shares: Share[] };

/** Answered by the covering index tax_records_created alone. */
function readSegment(orm: Orm, fromMs: number | null, toMs: number | null): Segment {
  const row = orm
    .select({
      records: count(),
      lunas: countOf(isPaid),
      proses: countOf(sql`${taxRecords.status} = 'proses'`),
      total: senSum(taxRecords.amountSen),
      paid: senSum(taxRecords.amountSen, isPaid),
    })
    .from(taxRecords)
    .where(
      and(
        fromMs === null ? undefined : gte(taxRecords.createdAt, fromMs),
        toMs === null ? undefined : lt(taxRecords.createdAt, toMs),
      ),
    )
    .get();
  const { total, paid, ...counts } = theRow(row);
  return { fromMs, toMs, ...counts, totalSen: joinSen(total), paidSen: joinSen(paid) };
}

/** Answered by the covering index tax_records_shares in its own order; few pairs, however many records. */
function readShares(orm: Orm): Share[] {
  return orm
    .select({
      year: taxRecords.year,
      propertyType: taxRecords.propertyType,
      records: count(),
      lunas: countOf(isPaid),
      total: senSum(taxRecords.amountSen),
      paid: senSum(taxRecords.amountSen, isPaid),
    })
    .from(taxRecords)
    .groupBy(taxRecords.year, taxRecords.propertyType)
    .all()
    .map(({ total, paid, ...share }) => Object.assign(share, { totalSen: joinSen(total), paidSen: joinSen(paid) }));
}

/**
 * The office's figures, cut at the given instants, so that every range between two of them is a sum of segments and
 * each record is read once, however many ranges overlap. One snapshot: the figures agree with each other.
 */
export function readOfficeFigures(orm: Orm, { boundsMs }: { boundsMs: readonly number[] }): OfficeFigures {
  const cuts = [...new Set(boundsMs)].toSorted((a, b) => a - b);
  return orm.transaction((tx) => {
    const activeUsers = countOf(sql`${users.isActive} = 1`);
    const counts = theRow(tx.select({ users: count(), activeUsers }).from(users).get());
    const segments = [null, ...cuts].map((fromMs, index) => readSegment(tx, fromMs, cuts[index] ?? null));
    return { ...counts, segments, shares: readShares(tx) };
  });
}
