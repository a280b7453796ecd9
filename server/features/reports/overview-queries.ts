import { and, desc, gte, inArray, lte, type SQL, sql } from 'drizzle-orm';
import type { DateRange } from '#shared/domain/dates/dates.ts';
import { roughSum } from '#server/db/dialect.ts';
import { keepUntilRecordsChange } from '#server/db/kept-results.ts';
import { type Connection, type ConnectionOrTransaction, readSnapshot, type Transaction } from '#server/db/engine.ts';
import { taxRecords, users } from '#server/db/schema.ts';
import { exceptDeletedOwners } from '#server/accounts/deleted-account-queries.ts';
import {
  type DueDates,
  isEstimate,
  isPaid,
  isPastDue,
  joinSum,
  keptSums,
  type OverdueSum,
  readPaymentsByDate,
  readRecordGroups,
  sumColumns,
} from '#server/records/record-sum-queries.ts';

export type OverviewFilter = {
  period: DateRange;
  previous: DateRange;
  dates: DueDates;
  ownersMax: number;
};

/** All numbers of the report on all records. One snapshot, so that they agree. */
export function readOverview(orm: Connection, filter: OverviewFilter) {
  return readSnapshot(orm, async (tx) => {
    const counted = await exceptDeletedOwners(tx);
    const sums = counted ? await readOverviewSums(tx, filter, counted) : await readKeptSums(tx, filter);
    return { ...sums, largestOverdue: await nameOwners(tx, sums.largestOverdue) };
  });
}
export type OverviewRows = Awaited<ReturnType<typeof readOverview>>;

async function readOverviewSums(
  tx: Transaction,
  { period, previous, dates, ownersMax }: OverviewFilter,
  counted?: SQL,
) {
  return {
    groups: await readRecordGroups(tx, counted, dates),
    paymentsByDate: await readPaymentsByDate(tx, counted, { fromDate: previous.fromDate, toDate: period.toDate }),
    dueByDate: await readDueByDate(tx, counted, period),
    largestOverdue: await readLargestOverdue(tx, counted, dates, ownersMax),
  };
}

const readKeptSums = keepUntilRecordsChange((tx, filter: OverviewFilter) => readOverviewSums(tx, filter));

/** Sums due on each day of a period, from those that triggers keep; only days on which something was due. */
async function readDueByDate(orm: ConnectionOrTransaction, counted: SQL | undefined, { fromDate, toDate }: DateRange) {
  const { dueDate } = taxRecords;
  const { from, columns } = keptSums(counted);
  return (
    await orm
      .select({ date: sql<string>`${dueDate}`, total: columns(), paid: columns(isPaid) })
      .from(from)
      .where(and(counted, gte(dueDate, fromDate), lte(dueDate, toDate)))
      .groupBy(dueDate)
      .all()
  ).map(({ date, total, paid }) => ({ date, total: joinSum(total), paid: joinSum(paid) }));
}

type OwnerSum = { userId: string; sum: OverdueSum };

/** The owners who have the largest overdue sums, from the covering index tax_records_unpaid; largest first. */
async function readLargestOverdue(
  orm: ConnectionOrTransaction,
  counted: SQL | undefined,
  dates: DueDates,
  max: number,
): Promise<OwnerSum[]> {
  const { userId, status, amountSen } = taxRecords;
  return (
    await orm
      .select({ userId, all: sumColumns(), estimated: sumColumns(isEstimate) })
      .from(taxRecords)
      .where(and(counted, sql`${status} <> 'lunas'`, isPastDue(dates)))
      .groupBy(userId)
      // The exact sums have two halves; their sum as a floating-point number is close enough to find the largest.
      .orderBy(desc(roughSum(amountSen)), userId)
      .limit(max)
      .all()
  ).map((row) => ({ userId: row.userId, sum: { all: joinSum(row.all), estimated: joinSum(row.estimated) } }));
}

/** With the names as they are now, which are not kept. */
async function nameOwners(tx: Transaction, sums: readonly OwnerSum[]) {
  const ids = sums.map(({ userId }) => userId);
  const owners = await tx.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, ids)).all();
  const byId = new Map(owners.map((owner) => [owner.id, owner]));
  return sums.flatMap(({ userId, sum }) => {
    const user = byId.get(userId);
    return user ? [{ user, sum }] : [];
  });
}
