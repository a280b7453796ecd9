import { z } from 'zod';
import { OFFICE_PERIODS } from '#shared/domain/dates/dates.ts';
import { fieldTexts } from '#shared/texts.ts';
import { singleOf } from '../envelope.ts';

export const chatStatisticsQuery = z.object({
  range: z.enum(OFFICE_PERIODS, { error: fieldTexts.periodInvalid }).default('this_month'),
});

/** Waits in opening hours, from the oldest waiting message to the answer. Null without an answer. */
const waits = {
  answered: z.number().int(),
  median_ms: z.number().nullable(),
  /** Nine of ten waits were not longer. */
  p90_ms: z.number().nullable(),
};
const longestWait = { longest_wait_ms: z.number().nullable() };
const ofAdmins = z.array(z.object({ id: z.string(), name: z.string(), ...waits, ...longestWait }));

/** The times in which messages of users were answered (R-OFFICE-6). */
export const chatStatistics = z
  .object({
    /** Calendar dates; both belong to the range. */
    period: z.object({ from: z.string(), to: z.string() }),
    /** Every day of the range up to today. `incoming`: messages of users; `answered`: waits that an answer ended. */
    days: z.array(
      z.object({ date: z.string(), incoming: z.number().int(), ...waits, ...longestWait, admins: ofAdmins }),
    ),
    /** Over the whole range. */
    total: z.object({ incoming: z.number().int(), ...waits }),
    admins: ofAdmins,
    /**
     * Parts that did not fit into the answer: the admins with the fewest answers, and the admins of every day, which are then empty.
     */
    left_out: z.object({ admins: z.number().int(), admins_by_day: z.boolean() }),
    ...longestWait,
    /** The conversations that wait now, whatever the range, and the longest wait by the clock; null when none waits. */
    waiting: z.object({ count: z.number().int(), longest_ms: z.number() }).nullable(),
  })
  .meta({ id: 'LaporanLayananChat' });
export type ChatStatistics = z.infer<typeof chatStatistics>;
export const chatStatisticsAnswer = singleOf(chatStatistics);
