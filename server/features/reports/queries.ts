import { and, eq, gte, lt, lte } from 'drizzle-orm';
import type { DateRange, InstantRange } from '#shared/domain/dates/dates.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import { taxRecords } from '#server/db/schema.ts';
import { joinSen, senSum } from '#server/db/sen-sums.ts';
import { joinPaid, joinSum, paidColumns, sumColumns } from '#server/records/record-sum-queries.ts';

/** Selects one owner's records by their time of creation; `reportRange` computes the range. */
export type ReportFilter = { userId: string } & Pick<InstantRange, 'fromMs' | 'toMs'>;

const filterCondition = ({ userId, fromMs, toMs }: ReportFilter) =>
  and(eq(taxRecords.userId, userId), gte(taxRecords.createdAt, fromMs), lt(taxRecords.createdAt, toMs));

/** Stops counting after `max` records. */
export async function hasMoreReportRecordsThan(
  orm: ConnectionOrTransaction,
  filter: ReportFilter,
  max: number,
): Promise<boolean> {
  const first = orm.select({ id: taxRecords.id }).from(taxRecords).where(filterCondition(filter)).limit(1);
  return (await first.offset(max).get()) !== undefined;
}

export async function hasMoreRecordsThan(orm: ConnectionOrTransaction, userId: string, max: number): Promise<boolean> {
  return hasMoreReportRecordsThan(orm, { userId, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }, max);
}

/** Reads the records of one owner only, so that the payments of others cost nothing. */
export async function readPayments(orm: ConnectionOrTransaction, userId: string, { fromDate, toDate }: DateRange) {
  const { paymentDate } = taxRecords;
  const row = await orm
    .select(paidColumns())
    .from(taxRecords)
    .where(and(eq(taxRecords.userId, userId), gte(paymentDate, fromDate), lte(paymentDate, toDate)))
    .get();
  if (!row) throw new Error('an aggregate without a row');
  return joinPaid(row);
}

export type SummaryFilter = ReportFilter & DateRange;

export async function readSummary(orm: ConnectionOrTransaction, filter: SummaryFilter) {
  const row = await orm
    .select({ all: sumColumns(), ...paidColumns() })
    .from(taxRecords)
    .where(filterCondition(filter))
    .get();
  // An aggregate always returns one row, which its type does not say.
  if (!row) throw new Error('an aggregate without a row');
  const { all, ...parts } = row;
  return { all: joinSum(all), paid: joinPaid(parts), payments: await readPayments(orm, filter.userId, filter) };
}

/** Sums the amounts by property type, in no particular order; the type null means "not given". */
export async function readPropertyStatistics(orm: ConnectionOrTransaction, filter: ReportFilter) {
  return (
    await orm
      .select({ propertyType: taxRecords.propertyType, total: senSum(taxRecords.amountSen) })
      .from(taxRecords)
      .where(filterCondition(filter))
      .groupBy(taxRecords.propertyType)
      .all()
  ).map(({ propertyType, total }) => ({ propertyType, totalSen: joinSen(total) }));
}
