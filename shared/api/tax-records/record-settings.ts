import { z } from 'zod';
import { ROLLOVER_MODES } from '#shared/domain/tax-records/rollover.ts';
import { OPEN_YEARS_MAX } from '#shared/limits.ts';
import { fieldTexts } from '#shared/texts.ts';
import { singleOf } from '../envelope.ts';

/** Absent fields stay. The service knows this year, and so the range of the years. */
export const recordSettingsBody = z.object({
  user_years: z
    .array(z.number({ error: fieldTexts.taxYearsInvalid }).int({ error: fieldTexts.taxYearsInvalid }), {
      error: fieldTexts.taxYearsInvalid,
    })
    .min(1, { error: fieldTexts.taxYearsInvalid })
    .max(OPEN_YEARS_MAX, { error: fieldTexts.taxYearsInvalid })
    .refine((years) => new Set(years).size === years.length, { error: fieldTexts.taxYearsInvalid })
    .optional(),
  rollover: z.enum(ROLLOVER_MODES, { error: fieldTexts.rolloverModeInvalid }).optional(),
});
export type RecordSettingsBody = z.output<typeof recordSettingsBody>;

/** The tax years that users may enter, newest first, and what a new year does (R-YEAR-12). */
const recordSettings = z
  .object({ user_years: z.array(z.number().int()), rollover: z.enum(ROLLOVER_MODES) })
  .meta({ id: 'PengaturanDataPBB' });
export type RecordSettings = z.infer<typeof recordSettings>;
export const recordSettingsAnswer = singleOf(recordSettings);
