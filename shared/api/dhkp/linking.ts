import { z } from 'zod';
import { MATCH_REASONS } from '#shared/domain/dhkp/match-reasons.ts';
import { MATCHES_MAX } from '#shared/limits.ts';
import { fieldTexts } from '#shared/texts.ts';
import { listOf, positiveInteger } from '../envelope.ts';
import { filter } from '../filters.ts';
import { assessedFields } from '../tax-records/tax-records.ts';
import { assessment } from './assessments.ts';

/** Objects without an account, and their links to accounts (R-DHKP-30 to R-DHKP-32). */

export const matchesQuery = z.object({
  /** Without it the newest year with a list. */
  year: filter(
    z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  ),
  limit: positiveInteger(MATCHES_MAX).optional(),
  page: positiveInteger().optional(),
});
export type MatchesQuery = z.output<typeof matchesQuery>;

const candidate = z
  .object({
    user: z.object({ id: z.string(), name: z.string() }),
    /** A record of that user that names the object, or has its name. */
    record_id: z.string().nullable(),
    reasons: z.array(z.enum(MATCH_REASONS)),
    score: z.number().int(),
  })
  .meta({ id: 'CalonPemilik' });
export type Candidate = z.infer<typeof candidate>;
const match = z.object({ assessment, candidates: z.array(candidate) });
export type Match = z.infer<typeof match>;

const page = listOf(match).shape;
export const matchesAnswer = z.object({
  ...page,
  /** The year of the list; null without any list. */
  data: page.data.extend({ year: z.number().int().nullable() }),
});

export const linkBody = z.object({
  user_id: z.string({ error: fieldTexts.pickUser }).trim().min(1, { error: fieldTexts.pickUser }),
  /** The office's values for these fields replace those of records that are joined. */
  overwrite: assessedFields.nullish(),
});
export type LinkBody = z.output<typeof linkBody>;
