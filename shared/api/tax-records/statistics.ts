import { z } from 'zod';
import { PROPERTY_TYPES } from '#shared/domain/tax-records/record-values.ts';
import { singleOf } from '../envelope.ts';
import { checkedSums, overdueSum, paidSum, recordSum } from './record-sums.ts';

/** The statistics of a user's own records, in rupiah and counts (R-STAT-2). */
export const ownStatistics = z
  .object({
    total_tax: z.number(),
    paid_tax: z.number(),
    unpaid_tax: z.number(),
    total_records: z.number().int(),
    /** Different objects among the records, by the digits of their SPT numbers (R-STAT-22). */
    total_objects: z.number().int(),
    paid_records: z.number().int(),
    unpaid_records: z.number().int(),
    outstanding_amount: z.number(),
    outstanding_records: z.number().int(),
    /** The part of the overdue sum whose amount nobody has confirmed yet (R-YEAR-11). */
    outstanding_estimated: recordSum,
    /** The oldest due date of the overdue records, 'yyyy-mm-dd'; null when none of them has one. */
    outstanding_since: z.string().nullable(),
    /** The overdue record when there is exactly one, so that a page can link to it without another call. */
    outstanding_record_id: z.string().nullable(),
    /** Unpaid records due from today until `DUE_SOON_DAYS` later; `due_date` is the first of their dates. */
    due_soon: z.object({
      records: z.number().int(),
      amount: z.number(),
      due_date: z.string().nullable(),
      record_id: z.string().nullable(),
    }),
    /** `paid_tax` by the result of the check. */
    checked: checkedSums,
    /** Records whose newest report the office refused, whatever their status is now. */
    rejected_records: z.number().int(),
    /** The refused record when there is exactly one. */
    rejected_record_id: z.string().nullable(),
  })
  .meta({ id: 'StatistikUser' });
export type OwnStatistics = z.infer<typeof ownStatistics>;
export const ownStatisticsAnswer = singleOf(ownStatistics);

const periodStatistics = z.object({
  total_tax: z.number(),
  paid_tax: z.number(),
  unpaid_tax: z.number(),
  total_records: z.number().int(),
  /** `paid_tax` by the result of the check. */
  checked: checkedSums,
});
/**
 * `previous`: the whole period before; `previous_same_days`: its part that has gone as far as this one has today (R-STAT-20).
 */
const periodStatisticsWithPrevious = periodStatistics.extend({
  previous: periodStatistics,
  previous_same_days: periodStatistics,
});
const paidSumWithPrevious = paidSum.extend({ previous: paidSum });

const groupStatistics = {
  lunas: z.number().int(),
  total_records: z.number().int(),
  total_tax: z.number(),
  paid_tax: z.number(),
  checked: checkedSums,
};

/** The statistics of all records, in rupiah and counts; `periods` by created_at (R-STAT-3, R-STAT-4). */
export const adminStatistics = z
  .object({
    total_users: z.number().int(),
    active_users: z.number().int(),
    total_records: z.number().int(),
    /** Different objects among the records, by the digits of their SPT numbers (R-STAT-22). */
    total_objects: z.number().int(),
    lunas: z.number().int(),
    belum_lunas: z.number().int(),
    proses: z.number().int(),
    total_tax: z.number(),
    paid_tax: z.number(),
    unpaid_tax: z.number(),
    /** `paid_tax` by the result of the check. */
    checked: checkedSums,
    periods: z.object({
      today: periodStatisticsWithPrevious,
      week: periodStatisticsWithPrevious,
      month: periodStatisticsWithPrevious,
      year: periodStatisticsWithPrevious,
    }),
    /** By the day of the payment, in the same periods (R-STAT-13). */
    payments: z.object({
      today: paidSumWithPrevious,
      week: paidSumWithPrevious,
      month: paidSumWithPrevious,
      year: paidSumWithPrevious,
    }),
    /**
     * Records that wait for an admin: status proses, overdue, due from today to Sunday (R-STAT-14), unchecked reports (R-CHECK-9), and
     * reports that the office matched although they are not paid (R-CHECK-31).
     */
    tasks: z.object({
      reported: recordSum,
      overdue: overdueSum,
      due_this_week: recordSum,
      to_check: recordSum,
      matched_unpaid: recordSum,
    }),
    /** By tax year, newest first; only years that occur. */
    by_year: z.array(z.object({ year: z.number().int(), ...groupStatistics })),
    /** By property type, largest tax first; null stands for records without one. */
    by_property: z.array(z.object({ property_type: z.enum(PROPERTY_TYPES).nullable(), ...groupStatistics })),
  })
  .meta({ id: 'StatistikAdmin' });
export type AdminStatistics = z.infer<typeof adminStatistics>;
export const adminStatisticsAnswer = singleOf(adminStatistics);
