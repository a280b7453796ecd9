import { and, count, gte, lte, type SQL, sql } from 'drizzle-orm';
import type { DateRange } from '#shared/domain/dates.ts';
import type { ConnectionOrTransaction } from './db/open.ts';
import { taxRecords } from './db/schema.ts';
import { joinSen, senSum } from './db/sen-sums.ts';

/** A number of records and the sum of their amounts. */
export type RecordSum = { count: number; sen: bigint };

export const EMPTY_SUM: RecordSum = { count: 0, sen: 0n };

export function addSums(...sums: readonly RecordSum[]): RecordSum {
  return sums.reduce((a, b) => ({ count: a.count + b.count, sen: a.sen + b.sen }), EMPTY_SUM);
}

/** Calendar dates in the server's time zone: the day that decides what is overdue, and the Sunday of its week. */
export type DueDates = { today: string; thisYear: number; sunday: string };

/** The rule of `isOverdue` in shared/domain/overdue.ts in SQL (R-REC-4), without its status; a test compares the two. */
export function isPastDue({ today, thisYear }: Pick<DueDates, 'today' | 'thisYear'>): SQL {
  const { dueDate, year } = taxRecords;
  return sql`case when ${dueDate} is null then ${year} < ${thisYear} else ${dueDate} < ${today} end`;
}

/** Records of one year, one property type and one status. What is overdue or due this week is part of `all`. */
export type RecordGroup = Pick<typeof taxRecords.$inferSelect, 'year' | 'propertyType' | 'status'> & {
  all: RecordSum;
  overdue: RecordSum;
  dueThisWeek: RecordSum;
};

/**
 * The sums of all records in one pass over the covering index tax_records_shares, in its order, so that nothing is sorted.
 * The result has few rows, however many records there are.
 * @param counted `exceptDeletedOwners` of the same snapshot
 */
export function readRecordGroups(
  orm: ConnectionOrTransaction,
  counted: SQL | undefined,
  { sunday, ...dates }: DueDates,
): RecordGroup[] {
  const { year, propertyType, status, amountSen, dueDate } = taxRecords;
  const isOverdue = sql`${status} <> 'lunas' and ${isPastDue(dates)}`;
  const isDueThisWeek = sql`${status} <> 'lunas' and ${dueDate} between ${dates.today} and ${sunday}`;
  return orm
    .select({
      year,
      propertyType,
      status,
      count: count(),
      sum: senSum(amountSen),
      overdueCount: sql<number>`count(*) filter (where ${isOverdue})`,
      overdueSum: senSum(amountSen, isOverdue),
      weekCount: sql<number>`count(*) filter (where ${isDueThisWeek})`,
      weekSum: senSum(amountSen, isDueThisWeek),
    })
    .from(taxRecords)
    .where(counted)
    .groupBy(year, propertyType, status)
    .all()
    .map((row) => ({
      year: row.year,
      propertyType: row.propertyType,
      status: row.status,
      all: { count: row.count, sen: joinSen(row.sum) },
      overdue: { count: row.overdueCount, sen: joinSen(row.overdueSum) },
      dueThisWeek: { count: row.weekCount, sen: joinSen(row.weekSum) },
    }));
}

/** What was paid on each day of a range, from the covering index tax_records_payment; only days with payments. */
export function readPaymentsByDate(
  orm: ConnectionOrTransaction,
  counted: SQL | undefined,
  { fromDate, toDate }: DateRange,
): { date: string; sum: RecordSum }[] {
  const { paymentDate, amountSen } = taxRecords;
  return orm
    .select({ date: sql<string>`${paymentDate}`, count: count(), sum: senSum(amountSen) })
    .from(taxRecords)
    .where(and(counted, gte(paymentDate, fromDate), lte(paymentDate, toDate)))
    .groupBy(paymentDate)
    .all()
    .map((row) => ({ date: row.date, sum: { count: row.count, sen: joinSen(row.sum) } }));
}

/** The sum of the days of a range. */
export function sumOfDates(
  days: readonly { date: string; sum: RecordSum }[],
  { fromDate, toDate }: DateRange,
): RecordSum {
  return addSums(...days.filter(({ date }) => date >= fromDate && date <= toDate).map(({ sum }) => sum));
}
