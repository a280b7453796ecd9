import { z } from 'zod';
import { AMOUNT_MAX_RUPIAH, DUE_YEARS_MAX } from '#shared/limits.ts';
import { dhkpTexts } from '#shared/texts.ts';
import { singleOf } from '../envelope.ts';
import { isDate } from '../fields.ts';

const limit = z
  .number({ error: dhkpTexts.bookLimitsInvalid })
  .int({ error: dhkpTexts.bookLimitsInvalid })
  .min(1, { error: dhkpTexts.bookLimitsInvalid })
  .max(AMOUNT_MAX_RUPIAH, { error: dhkpTexts.bookLimitsInvalid });

/** Choices for all lists; absent fields stay (R-DHKP-14). */
export const dhkpSettingsBody = z.object({
  prefix: z
    .string({ error: dhkpTexts.prefixInvalid })
    .regex(/^\d{10}$/, { error: dhkpTexts.prefixInvalid })
    .nullable()
    .optional(),
  /** The largest amounts of books I to IV in rupiah. */
  book_limits: z
    .array(limit, { error: dhkpTexts.bookLimitsInvalid })
    .length(4, { error: dhkpTexts.bookLimitsInvalid })
    .refine((limits) => limits.every((value, index) => index === 0 || value > (limits[index - 1] ?? 0)), {
      error: dhkpTexts.bookLimitsInvalid,
    })
    .optional(),
  due_date_by_year: z
    .record(
      z.string().regex(/^\d{4}$/, { error: dhkpTexts.dueDateInvalid }),
      z.string({ error: dhkpTexts.dueDateInvalid }).refine(isDate, { error: dhkpTexts.dueDateInvalid }),
      { error: dhkpTexts.dueDateInvalid },
    )
    .refine((dates) => Object.keys(dates).length <= DUE_YEARS_MAX, { error: dhkpTexts.dueDateInvalid })
    .optional(),
});
export type DhkpSettingsBody = z.output<typeof dhkpSettingsBody>;

const dhkpSettings = z
  .object({
    prefix: z.string().nullable(),
    book_limits: z.array(z.number()),
    due_date_by_year: z.record(z.string(), z.string()),
  })
  .meta({ id: 'PengaturanDaftar' });
export type DhkpSettings = z.infer<typeof dhkpSettings>;
export const dhkpSettingsAnswer = singleOf(dhkpSettings);

/** The area of each block; a null area takes it away. The list replaces the one before it. */
export const blocksBody = z
  .array(
    z.object({
      block: z.string({ error: dhkpTexts.blockInvalid }).regex(/^\d{3}$/, { error: dhkpTexts.blockInvalid }),
      area_id: z.string({ error: dhkpTexts.areaUnknown }).nullable(),
    }),
    { error: dhkpTexts.blockInvalid },
  )
  .refine((rows) => new Set(rows.map(({ block }) => block)).size === rows.length, {
    error: dhkpTexts.blockInvalid,
    // An error of the whole body has no field that the answer could name.
    path: ['block'],
  });
export type BlocksBody = z.output<typeof blocksBody>;

/** `found`: the blocks of the newest list with their objects. */
export const blocksAnswer = singleOf(z.array(z.object({ block: z.string(), area_id: z.string() }))).extend({
  found: z.array(z.object({ block: z.string(), objects: z.number().int() })),
});
