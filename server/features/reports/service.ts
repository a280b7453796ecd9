import type { PropertyStatistics, ReportSummary } from '#shared/api/reports.ts';
import { type ReportPeriod, reportRange } from '#shared/domain/dates/dates.ts';
import { sharePercent } from '#shared/domain/money/rupiah.ts';
import { NO_PROPERTY_TYPE_LABEL, propertyTypeLabels } from '#shared/labels.ts';
import { presentChecked, presentPaid } from '#server/records/present-sums.ts';
import { totalOf } from '#server/records/record-sum-queries.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { senSumToRupiah } from '#server/db/sen-sums.ts';
import {
  hasMoreRecordsThan,
  hasMoreReportRecordsThan,
  readPropertyStatistics,
  readSummary,
  type ReportFilter,
  type SummaryFilter,
} from './queries.ts';

/** Fewer records are summed faster than a request travels to the query worker; more would hold the event loop. */
const MAIN_THREAD_RECORDS_MAX = 2000;

/** Reports on the own records by time of creation, in calendar periods of `APP_TIMEZONE` (R-REPORT-2). */
export function createReportService({ orm, queryWorker, now, timeZone }: ServiceContext) {
  const filterOf = (userId: string, period: ReportPeriod): SummaryFilter => {
    const { fromMs, toMs, fromDate, toDate } = reportRange(period, timeZone, now());
    return { userId, fromMs, toMs, fromDate, toDate };
  };
  const isLarge = async (filter: ReportFilter): Promise<boolean> =>
    hasMoreReportRecordsThan(orm, filter, MAIN_THREAD_RECORDS_MAX);

  return {
    /** Amounts are in rupiah. Paid means the status `lunas`; unpaid is the rest. Payments count by their own date (R-REPORT-15). */
    async summary(userId: string, period: ReportPeriod): Promise<ReportSummary> {
      const filter = filterOf(userId, period);
      // The payments are looked for in all own records.
      const { all, paid, payments } = (await hasMoreRecordsThan(orm, userId, MAIN_THREAD_RECORDS_MAX))
        ? await queryWorker.run('reportSummary', filter, { account: userId, isSlow: true })
        : await readSummary(orm, filter);
      const paidSen = totalOf(paid).sen;
      return {
        totalTax: senSumToRupiah(all.sen),
        paidTax: senSumToRupiah(paidSen),
        unpaidTax: senSumToRupiah(all.sen - paidSen),
        totalRecords: all.count,
        paidInPeriod: presentPaid(payments),
        checked: presentChecked(paid),
      };
    },

    /** Lists the property types that occur, largest amount (rupiah) first, with the share in percent to one decimal. */
    async property(userId: string, period: ReportPeriod): Promise<PropertyStatistics[]> {
      const filter = filterOf(userId, period);
      const rows = (await isLarge(filter))
        ? await queryWorker.run('reportProperty', filter, { account: userId, isSlow: true })
        : await readPropertyStatistics(orm, filter);
      const overallSen = rows.reduce((sum, { totalSen }) => sum + totalSen, 0n);
      return rows
        .map(({ propertyType, totalSen }) => ({
          totalSen,
          property: propertyType === null ? NO_PROPERTY_TYPE_LABEL : propertyTypeLabels[propertyType],
        }))
        .toSorted((a, b) => compareBigInt(b.totalSen, a.totalSen) || a.property.localeCompare(b.property, 'id'))
        .map(({ property, totalSen }) => ({
          property,
          amount: senSumToRupiah(totalSen),
          percentage: sharePercent(Number(totalSen), Number(overallSen), 1),
        }));
    },
  };
}

function compareBigInt(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
