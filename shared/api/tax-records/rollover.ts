import { z } from 'zod';
import { PROPERTY_TYPES } from '#shared/domain/tax-records/record-values.ts';
import { ROLLOVER_RECORDS_MAX } from '#shared/limits.ts';
import { fieldTexts } from '#shared/texts.ts';
import { singleOf } from '../envelope.ts';
import { amount, calendarDate, flag } from '../fields.ts';
import { yearInRange } from './tax-records.ts';

/** The number of copies that were not made because the account has reached its quota (R-YEAR-10). */
const leftOutCount = z.number().int();
const checkYear = z.object({
  autoCreated: z.boolean(),
  count: z.number().int(),
  leftOutCount,
  /** The number of copies that 'Tahun Baru' can make, while new years are only offered; else 0 (R-YEAR-14). */
  offered: z.number().int(),
});
export type CheckYear = z.infer<typeof checkYear>;
/** Its fields are both at the top level and in `data` (R-API-4). */
export const checkYearAnswer = singleOf(checkYear).extend(checkYear.shape);

/** A copy as a person saw it before it existed (R-YEAR-15). */
const chosenCopy = z.object({
  source_id: z.string({ error: fieldTexts.sourcesRequired }),
  amount: amount(fieldTexts.amountRequired),
  due_date: calendarDate.optional(),
  /** The person says that the amount is that of the SPPT, also when it is the one that was suggested. */
  confirmed: flag.optional(),
  /** The suggestion was that of the preview, with the office's values; clients without it suggest 10 % more. */
  previewed: flag.optional(),
});
export type ChosenCopy = z.output<typeof chosenCopy>;

/** A copy before it exists, as the server would make it; amounts in rupiah. */
const suggestedCopy = z
  .object({
    source_id: z.string(),
    address: z.string(),
    property_type: z.enum(PROPERTY_TYPES).nullable(),
    spt_number: z.string(),
    /** The amount of the source. */
    amount_before: z.number(),
    amount: z.number(),
    amount_source: z.enum(['estimate', 'office']),
    due_date: z.string().nullable(),
  })
  .meta({ id: 'SalinanTahunBaru' });
export type SuggestedCopy = z.infer<typeof suggestedCopy>;
const newYearPreview = z.object({
  year: z.number().int(),
  /** The first ones. */
  copies: z.array(suggestedCopy),
  /** The number of all copies that the year lacks. */
  total: z.number().int(),
  /** Whether the year before has any records. */
  has_source: z.boolean(),
});
export type NewYearPreview = z.infer<typeof newYearPreview>;
/** This year and next year; the one that auto-create would take without a year stands first. */
export const newYearAnswer = singleOf(z.object({ years: z.array(newYearPreview) }));

/** Without a year the service chooses one, and checks it against the same range; without records it makes all copies. */
export const autoCreateBody = z
  .object({
    year: yearInRange(fieldTexts.yearRange).nullish(),
    records: z
      .array(chosenCopy, { error: fieldTexts.sourcesRequired })
      .min(1, { error: fieldTexts.sourcesRequired })
      .max(ROLLOVER_RECORDS_MAX, { error: fieldTexts.changesTooMany(ROLLOVER_RECORDS_MAX) })
      .refine((records) => new Set(records.map(({ source_id: id }) => id)).size === records.length, {
        error: fieldTexts.sourceTwice,
      })
      .nullish(),
  })
  .nullish();
export type AutoCreateBody = z.output<typeof autoCreateBody>;

const autoCreate = z.object({
  year: z.number().int(),
  count: z.number().int(),
  outstandingCount: z.number().int(),
  newYearCount: z.number().int(),
  leftOutCount,
});
export type AutoCreate = z.infer<typeof autoCreate>;
export const autoCreateAnswer = singleOf(autoCreate).extend(autoCreate.shape);
