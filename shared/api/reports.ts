import { z } from 'zod';
import { addYears, REPORT_PERIODS } from '../domain/dates/dates.ts';
import { REPORT_YEARS_MAX } from '../limits.ts';
import { fieldTexts } from '../texts.ts';
import { singleOf } from './envelope.ts';
import { bothIds, dateOfPeriod, isDate } from './fields.ts';
import { checkedSums, overdueSum, paidSum, recordSum } from './tax-records/record-sums.ts';

export const reportQuery = z.object({
  dateRange: z.enum(REPORT_PERIODS, { error: fieldTexts.periodInvalid }).default('this_year'),
});

/** Amounts are rupiah (R-REPORT-3). */
export const reportSummary = z
  .object({
    totalTax: z.number(),
    paidTax: z.number(),
    unpaidTax: z.number(),
    totalRecords: z.number().int(),
    /** The own records paid in the period by `payment_date`, whenever they were recorded (R-REPORT-15). */
    paidInPeriod: paidSum,
    /** `paidTax` by the result of the check. */
    checked: checkedSums,
  })
  .meta({ id: 'LaporanRingkasan' });
export type ReportSummary = z.infer<typeof reportSummary>;
export const reportSummaryAnswer = singleOf(reportSummary);

/** `percentage` is the share of the amount with one decimal (R-REPORT-3). */
const propertyStatistics = z
  .object({ property: z.string(), amount: z.number(), percentage: z.number() })
  .meta({ id: 'LaporanProperti' });
export type PropertyStatistics = z.infer<typeof propertyStatistics>;
export const reportPropertyAnswer = singleOf(z.array(propertyStatistics));

const periodDate = dateOfPeriod(fieldTexts.periodInvalid);

/** Calendar dates, both included. Without one it is the calendar year of the other; without both this year (R-REPORT-12). */
export const overviewQuery = z.object({ from: periodDate, to: periodDate }).superRefine((query, context) => {
  const dates = [query.from, query.to].filter((date) => date !== undefined);
  // It runs also when one of them is no date.
  const message = dates.every(isDate) ? findPeriodError(dates) : null;
  if (message !== null) context.addIssue({ code: 'custom', message, path: ['from'] });
});
export type OverviewQuery = z.infer<typeof overviewQuery>;

/** The period before must have dates too, so the years have ends. */
const isTooFar = (date: string): boolean => date < '1900' || date >= '3000';

/** @param dates one or both ends of a period, or none */
function findPeriodError([from, to = from]: readonly string[]): string | null {
  if (from === undefined || to === undefined) return null;
  if (from > to) return fieldTexts.periodOrder;
  if (Number(to.slice(0, 4)) - Number(from.slice(0, 4)) > REPORT_YEARS_MAX) return fieldTexts.periodTooLong;
  if (isTooFar(from) || isTooFar(to)) return fieldTexts.periodInvalid;
  return addYears(from, REPORT_YEARS_MAX) <= to ? fieldTexts.periodTooLong : null;
}

/** Sums that were to be paid: `total` is `paid` and `unpaid`; `overdue` is a part of `unpaid`, as of today. */
const dueSums = { total: recordSum, paid: recordSum, unpaid: recordSum, overdue: recordSum };

/** Amounts are rupiah (R-REPORT-12). */
export const reportOverview = z
  .object({
    period: z.object({ from: z.string(), to: z.string() }),
    /** Paid in the period, by the day of the payment; `previous` is the period before. */
    received: paidSum.extend({ previous: paidSum.extend({ from: z.string(), to: z.string() }) }),
    /** All records that are not `lunas`, and those that are overdue today, whatever the period. */
    unpaid: recordSum,
    overdue: overdueSum,
    /** By tax year, newest first; only years that occur, whatever the period. */
    by_year: z.array(z.object({ year: z.number().int(), ...dueSums, paid: paidSum, overdue: overdueSum })),
    /** Every month (yyyy-mm) of the period: what was due in it, and what was paid in it. */
    by_month: z.array(z.object({ month: z.string(), due: z.object(dueSums), received: paidSum })),
    /** The owners with the largest overdue sums today, largest first. */
    top_overdue: z.array(overdueSum.extend({ user: z.object({ ...bothIds, name: z.string() }) })),
  })
  .meta({ id: 'LaporanKantor' });
export type ReportOverview = z.infer<typeof reportOverview>;
export const reportOverviewAnswer = singleOf(reportOverview);
