import { and, count, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import { type Connection, type ConnectionOrTransaction, readSnapshot } from '#server/db/open.ts';
import { taxRecords, users } from '#server/db/schema.ts';
import { exceptDeletedOwners } from '#server/deleted-account-queries.ts';
import { joinSen, senSum } from '#server/db/sen-sums.ts';

const isPaid = sql`${taxRecords.status} = 'lunas'`;
const countWhere = (condition: SQL) => sql<number>`count(*) filter (where ${condition})`;

/** An aggregate always returns one row, which its type does not show. */
function requireAggregateRow<T>(row: T | undefined): T {
  if (row === undefined) throw new Error('an aggregate without a row');
  return row;
}

type OwnStatisticsRow = {
  records: number;
  paidRecords: number;
  overdueRecords: number;
  totalSen: bigint;
  paidSen: bigint;
  overdueSen: bigint;
};
export type OwnStatisticsFilter = { userId: string; today: string; thisYear: number };

/** The statistics of one owner in one pass. The rule of `isOverdue` in shared/domain/overdue.ts stands here in SQL. */
export function readOwnStatistics(
  orm: ConnectionOrTransaction,
  { userId, today, thisYear }: OwnStatisticsFilter,
): OwnStatisticsRow {
  const { status, dueDate, year, amountSen } = taxRecords;
  const isOverdue = sql`${status} <> 'lunas' and case when ${dueDate} is null then ${year} < ${thisYear} else ${dueDate} < ${today} end`;
  const row = orm
    .select({
      records: count(),
      paidRecords: countWhere(isPaid),
      overdueRecords: countWhere(isOverdue),
      total: senSum(amountSen),
      paid: senSum(amountSen, isPaid),
      outstanding: senSum(amountSen, isOverdue),
    })
    .from(taxRecords)
    .where(eq(taxRecords.userId, userId))
    .get();
  const { total, paid, outstanding: overdue, ...counts } = requireAggregateRow(row);
  return { ...counts, totalSen: joinSen(total), paidSen: joinSen(paid), overdueSen: joinSen(overdue) };
}

/** Whether a user has more than `max` records; counts no further than that. */
export function hasMoreRecordsThan(orm: ConnectionOrTransaction, userId: string, max: number): boolean {
  const first = orm.select({ id: taxRecords.id }).from(taxRecords).where(eq(taxRecords.userId, userId)).limit(1);
  return first.offset(max).get() !== undefined;
}

/** Records created from `fromMs` up to but not including `toMs`; null means no bound. */
export type TimeSegment = {
  fromMs: number | null;
  toMs: number | null;
  records: number;
  lunas: number;
  proses: number;
  totalSen: bigint;
  paidSen: bigint;
};
/** Records of one year and one property type. */
export type YearPropertyStatistics = Pick<typeof taxRecords.$inferSelect, 'year' | 'propertyType'> &
  Pick<TimeSegment, 'records' | 'lunas' | 'totalSen' | 'paidSen'>;
export type AdminStatisticsRows = {
  users: number;
  activeUsers: number;
  segments: TimeSegment[];
  byYearAndProperty: YearPropertyStatistics[];
};

/** Reads the covering index tax_records_created alone, unless an account is being deleted. */
function readTimeSegment(
  orm: ConnectionOrTransaction,
  counted: SQL | undefined,
  fromMs: number | null,
  toMs: number | null,
): TimeSegment {
  const row = orm
    .select({
      records: count(),
      lunas: countWhere(isPaid),
      proses: countWhere(sql`${taxRecords.status} = 'proses'`),
      total: senSum(taxRecords.amountSen),
      paid: senSum(taxRecords.amountSen, isPaid),
    })
    .from(taxRecords)
    .where(
      and(
        counted,
        fromMs === null ? undefined : gte(taxRecords.createdAt, fromMs),
        toMs === null ? undefined : lt(taxRecords.createdAt, toMs),
      ),
    )
    .get();
  const { total, paid, ...counts } = requireAggregateRow(row);
  return { fromMs, toMs, ...counts, totalSen: joinSen(total), paidSen: joinSen(paid) };
}

/** Reads the covering index tax_records_shares in its order; the result has few rows, however many records there are. */
function readYearPropertyStatistics(orm: ConnectionOrTransaction, counted: SQL | undefined): YearPropertyStatistics[] {
  return orm
    .select({
      year: taxRecords.year,
      propertyType: taxRecords.propertyType,
      records: count(),
      lunas: countWhere(isPaid),
      total: senSum(taxRecords.amountSen),
      paid: senSum(taxRecords.amountSen, isPaid),
    })
    .from(taxRecords)
    .where(counted)
    .groupBy(taxRecords.year, taxRecords.propertyType)
    .all()
    .map(({ total, paid, ...group }) => Object.assign(group, { totalSen: joinSen(total), paidSen: joinSen(paid) }));
}

/**
 * The statistics of all records, cut at the given instants. Every range between two of them is a sum of segments, so each
 * record is read once, however many ranges overlap. One snapshot, so that all numbers agree.
 */
export function readAdminStatistics(
  orm: Connection,
  { boundsMs }: { boundsMs: readonly number[] },
): AdminStatisticsRows {
  const sortedBoundsMs = [...new Set(boundsMs)].toSorted((a, b) => a - b);
  return readSnapshot(orm, (tx) => {
    const counted = exceptDeletedOwners(tx);
    const activeUsers = countWhere(sql`${users.isActive} = 1`);
    const counts = requireAggregateRow(tx.select({ users: count(), activeUsers }).from(users).get());
    const segments = [null, ...sortedBoundsMs].map((fromMs, index) =>
      readTimeSegment(tx, counted, fromMs, sortedBoundsMs[index] ?? null),
    );
    return { ...counts, segments, byYearAndProperty: readYearPropertyStatistics(tx, counted) };
  });
}
