import type { PropertyShare, ReportSummary } from '#shared/api/reports.ts';
import { type ReportPeriod, reportRange } from '#shared/domain/dates.ts';
import { sharePercent } from '#shared/domain/rupiah.ts';
import { NO_PROPERTY_TYPE_LABEL, propertyTypeLabels } from '#shared/texts.ts';
import type { Context } from '#server/context.ts';
import { senSumToRupiah } from '#server/db/sen-sums.ts';
import { reachesMoreThan, readPropertySums, readSummary, type ReportQuestion } from './queries.ts';

/** Up to this many are summed faster than a question travels to the worker; more would hold the event loop. */
const SUM_ON_THE_LOOP_MAX = 2000;

/** A resident's reports (specification 2.3, contract 4): own records by creation, in calendar ranges of the office. */
export function createReportService({ orm, reads, now, timeZone }: Context) {
  const questionOf = (userId: string, period: ReportPeriod): ReportQuestion => {
    const { fromMs, toMs } = reportRange(period, timeZone, now());
    return { userId, fromMs, toMs };
  };
  const isLarge = (question: ReportQuestion): boolean => reachesMoreThan(orm, question, SUM_ON_THE_LOOP_MAX);

  return {
    /** Amounts are rupiah; unpaid is total minus paid, and paid means `lunas`. */
    async summary(userId: string, period: ReportPeriod): Promise<ReportSummary> {
      const question = questionOf(userId, period);
      const { records, totalSen, paidSen } = isLarge(question)
        ? await reads.run('reportSummary', question)
        : readSummary(orm, question);
      return {
        totalTax: senSumToRupiah(totalSen),
        paidTax: senSumToRupiah(paidSen),
        unpaidTax: senSumToRupiah(totalSen - paidSen),
        totalRecords: records,
      };
    },

    /** The property types that occur, largest amount (rupiah) first, with their shares in percent to one decimal. */
    async property(userId: string, period: ReportPeriod): Promise<PropertyShare[]> {
      const question = questionOf(userId, period);
      const sums = isLarge(question) ? await reads.run('reportProperty', question) : readPropertySums(orm, question);
      const allSen = sums.reduce((sum, { totalSen }) => sum + totalSen, 0n);
      return sums
        .map(({ propertyType, totalSen }) => ({
          totalSen,
          property: propertyType === null ? NO_PROPERTY_TYPE_LABEL : propertyTypeLabels[propertyType],
        }))
        .toSorted((a, b) => compareBigInt(b.totalSen, a.totalSen) || a.property.localeCompare(b.property, 'id'))
        .map(({ property, totalSen }) => ({
          property,
          amount: senSumToRupiah(totalSen),
          percentage: sharePercent(Number(totalSen), Number(allSen), 1),
        }));
    },
  };
}
export type ReportService = ReturnType<typeof createReportService>;

function compareBigInt(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
