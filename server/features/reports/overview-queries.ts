import { and, desc, gte, inArray, lte, type SQL, sql } from 'drizzle-orm';
import type { DateRange } from '#shared/domain/dates/dates.ts';
import { type Connection, type ConnectionOrTransaction, readSnapshot } from '#server/db/open.ts';
import { taxRecords, users } from '#server/db/schema.ts';
import { exceptDeletedOwners } from '#server/accounts/deleted-account-queries.ts';
import {
  type DueDates,
  isEstimate,
  isPaid,
  isPastDue,
  joinSum,
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
export function readOverview(orm: Connection, { period, previous, dates, ownersMax }: OverviewFilter) {
  return readSnapshot(orm, (tx) => {
    const counted = exceptDeletedOwners(tx);
    return {
      groups: readRecordGroups(tx, counted, dates),
      paymentsByDate: readPaymentsByDate(tx, counted, { fromDate: previous.fromDate, toDate: period.toDate }),
      dueByDate: readDueByDate(tx, counted, period),
      largestOverdue: readLargestOverdue(tx, counted, dates, ownersMax),
    };
  });
}
export type OverviewRows = ReturnType<typeof readOverview>;

/** Sums due on each day of a period, from the covering index tax_records_due; only days on which something was due. */
function readDueByDate(orm: ConnectionOrTransaction, counted: SQL | undefined, { fromDate, toDate }: DateRange) {
  const { dueDate } = taxRecords;
  return orm
    .select({ date: sql<string>`${dueDate}`, total: sumColumns(), paid: sumColumns(isPaid) })
    .from(taxRecords)
    .where(and(counted, gte(dueDate, fromDate), lte(dueDate, toDate)))
    .groupBy(dueDate)
    .all()
    .map(({ date, total, paid }) => ({ date, total: joinSum(total), paid: joinSum(paid) }));
}

/** The owners who have the largest overdue sums, from the covering index tax_records_unpaid; largest first. */
function readLargestOverdue(
  orm: ConnectionOrTransaction,
  counted: SQL | undefined,
  dates: DueDates,
  max: number,
): { user: { id: string; name: string }; sum: OverdueSum }[] {
  const { userId, status, amountSen } = taxRecords;
  const rows = orm
    .select({ userId, all: sumColumns(), estimated: sumColumns(isEstimate) })
    .from(taxRecords)
    .where(and(counted, sql`${status} <> 'lunas'`, isPastDue(dates)))
    .groupBy(userId)
    // The exact sums have two halves; their sum as a floating-point number is close enough to find the largest.
    .orderBy(desc(sql`total(${amountSen})`), userId)
    .limit(max)
    .all();
  const owners = orm
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(
      inArray(
        users.id,
        rows.map((row) => row.userId),
      ),
    )
    .all();
  const byId = new Map(owners.map((owner) => [owner.id, owner]));
  return rows.flatMap(({ userId: ownerId, all, estimated }) => {
    const user = byId.get(ownerId);
    return user ? [{ user, sum: { all: joinSum(all), estimated: joinSum(estimated) } }] : [];
  });
}
