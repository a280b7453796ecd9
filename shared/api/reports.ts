import { z } from 'zod';
import { REPORT_PERIODS } from '../domain/dates.ts';
import { fieldTexts } from '../texts.ts';
import { singleOf } from './envelope.ts';

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
