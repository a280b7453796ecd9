import { and, count, eq, gte, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { DateRange } from '#shared/domain/dates/dates.ts';
import { jsonList } from '#server/db/dialect.ts';
import { keepUntilRecordsChange } from '#server/db/kept-results.ts';
import { type Connection, type ConnectionOrTransaction, readSnapshot, type Transaction } from '#server/db/engine.ts';
import { taxRecords, users } from '#server/db/schema.ts';
import { exceptDeletedOwners } from '#server/accounts/deleted-account-queries.ts';
import {
  type DueDates,
  isEstimate,
  isPaid,
  isPastDue,
  joinPaid,
  joinSum,
  type OverdueSum,
  paidColumns,
  type PaidSum,
  readPaymentsByDate,
  readRecordGroups,
  type RecordSum,
  sumColumns,
} from '#server/records/record-sum-queries.ts';

const countWhere = (condition: SQL) => sql<number>`count(*) filter (where ${condition})`;

/** An aggregate always returns one row, which its type does not show. */
function requireAggregateRow<T>(row: T | undefined): T {
  if (row === undefined) throw new Error('an aggregate without a row');
  return row;
}

type OwnStatisticsRow = {
  objects: number;
  all: RecordSum;
  paid: PaidSum;
  overdue: OverdueSum;
  /** The oldest due date of the overdue records. */
  overdueSince: string | null;
  /** One of the overdue records. */
  overdueId: string | null;
  dueSoon: RecordSum;
  firstDueDate: string | null;
  /** One of the records that are due soon. */
  dueSoonId: string | null;
  rejectedRecords: number;
  /** One of the records whose report the office refused. */
  rejectedId: string | null;
};
/** A record that is due from `today` until `soonUntil` counts as due soon; both are 'yyyy-mm-dd'. */
export type OwnStatisticsFilter = { userId: string; today: string; soonUntil: string; thisYear: number };

/** The statistics of one owner. */
export async function readOwnStatistics(
  orm: ConnectionOrTransaction,
  { userId, today, soonUntil, thisYear }: OwnStatisticsFilter,
): Promise<OwnStatisticsRow> {
  const { id, dueDate } = taxRecords;
  const isOverdue = sql`not ${isPaid} and ${isPastDue({ today, thisYear })}`;
  const isDueSoon = sql`not ${isPaid} and ${dueDate} >= ${today} and ${dueDate} <= ${soonUntil}`;
  const isRejected = eq(taxRecords.checkState, 'rejected');
  const firstWhere = (column: SQLWrapper, condition: SQL) =>
    sql<string | null>`min(${column}) filter (where ${condition})`;
  const row = await orm
    .select({
      all: sumColumns(),
      ...paidColumns(),
      overdue: sumColumns(isOverdue),
      estimated: sumColumns(sql`${isOverdue} and ${isEstimate}`),
      overdueSince: firstWhere(dueDate, isOverdue),
      overdueId: firstWhere(id, isOverdue),
      dueSoon: sumColumns(isDueSoon),
      firstDueDate: firstWhere(dueDate, isDueSoon),
      dueSoonId: firstWhere(id, isDueSoon),
      rejectedRecords: countWhere(isRejected),
      rejectedId: firstWhere(id, isRejected),
    })
    .from(taxRecords)
    .where(eq(taxRecords.userId, userId))
    .get();
  const { all, overdue, estimated, dueSoon, matched, pending, outdated, rejected, office, ...others } =
    requireAggregateRow(row);
  return {
    objects: await countObjects(orm, eq(taxRecords.userId, userId)),
    all: joinSum(all),
    paid: joinPaid({ matched, pending, outdated, rejected, office }),
    overdue: { all: joinSum(overdue), estimated: joinSum(estimated) },
    dueSoon: joinSum(dueSoon),
    ...others,
  };
}

/** The digits of an SPT number, however people separate them; a number without digits is its own key (R-STAT-22). */
const objectKey = (sptNumber: string): string => sptNumber.replaceAll(/\D+/g, '') || sptNumber.trim();

/** The number of different objects of the records, from the covering index tax_records_user_year. */
async function countObjects(orm: ConnectionOrTransaction, where: SQL | undefined): Promise<number> {
  // One text: reading 200,000 rows one by one takes five times as long.
  const columns = { sptNumbers: jsonList(taxRecords.sptNumber) };
  const row = requireAggregateRow(await orm.select(columns).from(taxRecords).where(where).get());
  const sptNumbers: string[] = JSON.parse(row.sptNumbers);
  return new Set(Array.from(new Set(sptNumbers), objectKey)).size;
}

/** Whether a user has more than `max` records; counts no further than that. */
export async function hasMoreRecordsThan(orm: ConnectionOrTransaction, userId: string, max: number): Promise<boolean> {
  const first = orm.select({ id: taxRecords.id }).from(taxRecords).where(eq(taxRecords.userId, userId)).limit(1);
  return (await first.offset(max).get()) !== undefined;
}

/** Records created from `fromMs` up to but not including `toMs`. */
export type TimeSegment = { fromMs: number; toMs: number; all: RecordSum; paid: PaidSum };
export type AdminStatisticsFilter = {
  boundsMs: readonly number[];
  dates: DueDates;
  /** The days whose payments are asked for. */
  paidBetween: DateRange;
};

/** Reads the covering index tax_records_created alone, unless an account is being deleted. */
async function readTimeSegment(
  orm: ConnectionOrTransaction,
  counted: SQL | undefined,
  fromMs: number,
  toMs: number,
): Promise<TimeSegment> {
  const row = await orm
    .select({ all: sumColumns(), ...paidColumns() })
    .from(taxRecords)
    .where(and(counted, gte(taxRecords.createdAt, fromMs), lt(taxRecords.createdAt, toMs)))
    .get();
  const { all, ...parts } = requireAggregateRow(row);
  return { fromMs, toMs, all: joinSum(all), paid: joinPaid(parts) };
}

/**
 * The statistics of all records, and of those created between the given instants. One snapshot, so that all numbers agree.
 */
export function readAdminStatistics(orm: Connection, filter: AdminStatisticsFilter) {
  return readSnapshot(orm, async (tx) => {
    const counted = await exceptDeletedOwners(tx);
    const activeUsers = countWhere(sql`${users.isActive} = 1`);
    const counts = requireAggregateRow(await tx.select({ users: count(), activeUsers }).from(users).get());
    const sums = counted ? await readAllSums(tx, filter, counted) : await readKeptSums(tx, filter);
    return { ...counts, ...sums };
  });
}
export type AdminStatisticsRows = Awaited<ReturnType<typeof readAdminStatistics>>;

/**
 * Every range between two of the instants is a sum of segments, so each record is read once, however many ranges overlap.
 */
async function readAllSums(tx: Transaction, { boundsMs, dates, paidBetween }: AdminStatisticsFilter, counted?: SQL) {
  const sortedBoundsMs = [...new Set(boundsMs)].toSorted((a, b) => a - b);
  const objects = await countObjects(tx, counted);
  const segments: TimeSegment[] = [];
  for (const [index, fromMs] of sortedBoundsMs.entries()) {
    const toMs = sortedBoundsMs[index + 1];
    if (toMs !== undefined) segments.push(await readTimeSegment(tx, counted, fromMs, toMs));
  }
  return {
    objects,
    segments,
    groups: await readRecordGroups(tx, counted, dates),
    paymentsByDate: await readPaymentsByDate(tx, counted, paidBetween),
  };
}

const readKeptSums = keepUntilRecordsChange((tx, filter: AdminStatisticsFilter) => readAllSums(tx, filter));
