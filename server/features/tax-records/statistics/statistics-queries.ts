import { and, count, eq, gte, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { DateRange } from '#shared/domain/dates.ts';
import { type Connection, type ConnectionOrTransaction, readSnapshot } from '#server/db/open.ts';
import { taxRecords, users } from '#server/db/schema.ts';
import { exceptDeletedOwners } from '#server/deleted-account-queries.ts';
import { type DueDates, isPastDue, readPaymentsByDate, readRecordGroups } from '#server/record-sum-queries.ts';
import { joinSen, senSum } from '#server/db/sen-sums.ts';
import { sumPendingReports } from '../checks/verification-queries.ts';

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
  /** The oldest due date of the overdue records. */
  overdueSince: string | null;
  /** One of the overdue records. */
  overdueId: string | null;
  dueSoonRecords: number;
  dueSoonSen: bigint;
  firstDueDate: string | null;
  /** One of the records that are due soon. */
  dueSoonId: string | null;
};
/** What is due from `today` until `soonUntil` counts as due soon; both are 'yyyy-mm-dd'. */
export type OwnStatisticsFilter = { userId: string; today: string; soonUntil: string; thisYear: number };

/** The statistics of one owner in one pass. */
export function readOwnStatistics(
  orm: ConnectionOrTransaction,
  { userId, today, soonUntil, thisYear }: OwnStatisticsFilter,
): OwnStatisticsRow {
  const { id, status, dueDate, amountSen } = taxRecords;
  const isOverdue = sql`${status} <> 'lunas' and ${isPastDue({ today, thisYear })}`;
  const isDueSoon = sql`${status} <> 'lunas' and ${dueDate} >= ${today} and ${dueDate} <= ${soonUntil}`;
  const firstWhere = (column: SQLWrapper, condition: SQL) =>
    sql<string | null>`min(${column}) filter (where ${condition})`;
  const row = orm
    .select({
      records: count(),
      paidRecords: countWhere(isPaid),
      overdueRecords: countWhere(isOverdue),
      total: senSum(amountSen),
      paid: senSum(amountSen, isPaid),
      outstanding: senSum(amountSen, isOverdue),
      overdueSince: firstWhere(dueDate, isOverdue),
      overdueId: firstWhere(id, isOverdue),
      dueSoonRecords: countWhere(isDueSoon),
      dueSoon: senSum(amountSen, isDueSoon),
      firstDueDate: firstWhere(dueDate, isDueSoon),
      dueSoonId: firstWhere(id, isDueSoon),
    })
    .from(taxRecords)
    .where(eq(taxRecords.userId, userId))
    .get();
  const { total, paid, outstanding: overdue, dueSoon, ...others } = requireAggregateRow(row);
  return {
    ...others,
    totalSen: joinSen(total),
    paidSen: joinSen(paid),
    overdueSen: joinSen(overdue),
    dueSoonSen: joinSen(dueSoon),
  };
}

/** Whether a user has more than `max` records; counts no further than that. */
export function hasMoreRecordsThan(orm: ConnectionOrTransaction, userId: string, max: number): boolean {
  const first = orm.select({ id: taxRecords.id }).from(taxRecords).where(eq(taxRecords.userId, userId)).limit(1);
  return first.offset(max).get() !== undefined;
}

/** Records created from `fromMs` up to but not including `toMs`. */
export type TimeSegment = { fromMs: number; toMs: number; records: number; totalSen: bigint; paidSen: bigint };
export type AdminStatisticsFilter = {
  boundsMs: readonly number[];
  dates: DueDates;
  /** The days whose payments are asked for. */
  paidBetween: DateRange;
};

/** Reads the covering index tax_records_created alone, unless an account is being deleted. */
function readTimeSegment(
  orm: ConnectionOrTransaction,
  counted: SQL | undefined,
  fromMs: number,
  toMs: number,
): TimeSegment {
  const row = orm
    .select({
      records: count(),
      total: senSum(taxRecords.amountSen),
      paid: senSum(taxRecords.amountSen, isPaid),
    })
    .from(taxRecords)
    .where(and(counted, gte(taxRecords.createdAt, fromMs), lt(taxRecords.createdAt, toMs)))
    .get();
  const { total, paid, records } = requireAggregateRow(row);
  return { fromMs, toMs, records, totalSen: joinSen(total), paidSen: joinSen(paid) };
}

/**
 * The statistics of all records, and of those created between the given instants. Every range between two of them is a
 * sum of segments, so each record is read once, however many ranges overlap. One snapshot, so that all numbers agree.
 */
export function readAdminStatistics(orm: Connection, { boundsMs, dates, paidBetween }: AdminStatisticsFilter) {
  const sortedBoundsMs = [...new Set(boundsMs)].toSorted((a, b) => a - b);
  return readSnapshot(orm, (tx) => {
    const counted = exceptDeletedOwners(tx);
    const activeUsers = countWhere(sql`${users.isActive} = 1`);
    const counts = requireAggregateRow(tx.select({ users: count(), activeUsers }).from(users).get());
    const segments = sortedBoundsMs.flatMap((fromMs, index) => {
      const toMs = sortedBoundsMs[index + 1];
      return toMs === undefined ? [] : [readTimeSegment(tx, counted, fromMs, toMs)];
    });
    const groups = readRecordGroups(tx, counted, dates);
    const paymentsByDate = readPaymentsByDate(tx, counted, paidBetween);
    return { ...counts, segments, groups, paymentsByDate, toCheck: sumPendingReports(tx, counted) };
  });
}
export type AdminStatisticsRows = ReturnType<typeof readAdminStatistics>;
