import { and, count, eq, gte, lt, sql } from 'drizzle-orm';
import type { InstantRange } from '#shared/domain/dates.ts';
import type { ConnectionOrTransaction } from '#server/db/open.ts';
import { taxRecords } from '#server/db/schema.ts';
import { joinSen, senSum } from '#server/db/sen-sums.ts';

/** Selects one owner's records by their time of creation; `reportRange` computes the range. */
export type ReportFilter = { userId: string } & Pick<InstantRange, 'fromMs' | 'toMs'>;

const filterCondition = ({ userId, fromMs, toMs }: ReportFilter) =>
  and(eq(taxRecords.userId, userId), gte(taxRecords.createdAt, fromMs), lt(taxRecords.createdAt, toMs));

/** Stops counting after `max` records. */
export function hasMoreReportRecordsThan(orm: ConnectionOrTransaction, filter: ReportFilter, max: number): boolean {
  const first = orm.select({ id: taxRecords.id }).from(taxRecords).where(filterCondition(filter)).limit(1);
  return first.offset(max).get() !== undefined;
}

export function readSummary(orm: ConnectionOrTransaction, filter: ReportFilter) {
  const row = orm
    .select({
      records: count(),
      total: senSum(taxRecords.amountSen),
      paid: senSum(taxRecords.amountSen, sql`${taxRecords.status} = 'lunas'`),
    })
    .from(taxRecords)
    .where(filterCondition(filter))
    .get();
  // An aggregate always returns one row, which its type does not say.
  if (!row) throw new Error('an aggregate without a row');
  return { records: row.records, totalSen: joinSen(row.total), paidSen: joinSen(row.paid) };
}

/** Sums the amounts by property type, in no particular order; the type null means "not given". */
export function readPropertyStatistics(orm: ConnectionOrTransaction, filter: ReportFilter) {
  return orm
    .select({ propertyType: taxRecords.propertyType, total: senSum(taxRecords.amountSen) })
    .from(taxRecords)
    .where(filterCondition(filter))
    .groupBy(taxRecords.propertyType)
    .all()
    .map(({ propertyType, total }) => ({ propertyType, totalSen: joinSen(total) }));
}
