import { z } from 'zod';
import { RETENTION_MONTHS_MAX, RETENTION_MONTHS_MIN } from '../limits.ts';
import { retentionTexts } from '../texts.ts';
import { singleOf } from './envelope.ts';
import { ownSecretFields } from './users.ts';

/** The time for which the office keeps messages, and accounts that nobody uses (R-ACCESS-91 to R-ACCESS-94). */

const months = (error: string) =>
  z
    .number({ error })
    .int({ error })
    .refine((value) => value === 0 || (value >= RETENTION_MONTHS_MIN && value <= RETENTION_MONTHS_MAX), { error });

export const retentionBody = z.object({
  messages_months: months(retentionTexts.messagesMonths),
  inactive_accounts_months: months(retentionTexts.accountsMonths),
  ...ownSecretFields,
});
export type RetentionBody = z.output<typeof retentionBody>;

const counts = { messages: z.number(), accounts: z.number() };

const retention = z
  .object({
    /** 0: for ever. */
    messages_months: z.number(),
    inactive_accounts_months: z.number(),
    /** Of the last announcement; null while nothing is ever deleted. */
    announced_at: z.string().nullable(),
    announced_by: z.string().nullable(),
    /** The line of the announcement among the notices, by which it is stopped; null while nothing is ever deleted. */
    notice_id: z.string().nullable(),
    /** The first deletion comes in a night after it; null while nothing is ever deleted. */
    starts_at: z.string().nullable(),
    has_started: z.boolean(),
    /** The counts that each term would delete today, by the clock of the computer. */
    older: z.array(z.object({ months: z.number(), ...counts })),
    /** The last night that deleted something. */
    last_run: z.object({ at: z.string(), ...counts }).nullable(),
    /** So long, at most, the archives of the office still hold what was deleted. */
    archive_months: z.number(),
  })
  .meta({ id: 'MasaSimpan' });
export type Retention = z.infer<typeof retention>;
export const retentionAnswer = singleOf(retention);
