import { z } from 'zod';
import { CHECKED_BY } from '../domain/users/security-events.ts';
import { ERASURE_REASON_MAX } from '../limits.ts';
import { accessTexts, erasureTexts } from '../texts.ts';
import { singleOf } from './envelope.ts';
import { bothIds, choice, expectedUpdatedAt, optionalText } from './fields.ts';
import { filter } from './filters.ts';
import { ownPasswordFields, ownPasswordTexts, ownSecretFields } from './users.ts';

/** Requests of people who want their own account deleted (R-ACCESS-85 to R-ACCESS-88). */

export const ERASURE_RESULTS = ['approved', 'rejected'] as const;
export const ERASURE_STATES = ['open', ...ERASURE_RESULTS, 'withdrawn'] as const;
export type ErasureState = (typeof ERASURE_STATES)[number];

export const askErasureBody = z.object({
  reason: optionalText('Alasan', ERASURE_REASON_MAX).optional(),
  ...ownSecretFields,
});
export type AskErasureRequest = z.input<typeof askErasureBody>;
export type AskErasureBody = z.output<typeof askErasureBody>;

const erasure = z.object({
  ...bothIds,
  state: z.enum(ERASURE_STATES),
  due_at: z.string(),
  /** Of its owner, and after a rejection that of the office. */
  reason: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});
const ownErasure = erasure.meta({ id: 'PermintaanHapusAkun' });
export type OwnErasure = z.infer<typeof ownErasure>;
export const ownErasureAnswer = singleOf(ownErasure);

/** The facts that a person reads before asking. */
export const erasureTermsAnswer = singleOf(
  z.object({
    deadline_hours: z.number(),
    /** So long, at most, the archives of the office still hold what was deleted. */
    archive_months: z.number(),
    /** Whether there ever was a request of the account. */
    has_asked: z.boolean(),
  }),
);

const openErasure = erasure
  .extend({
    user: z.object({
      id: z.string(),
      name: z.string(),
      email: z.string(),
      has_email: z.boolean(),
      is_admin: z.boolean(),
      is_active: z.boolean(),
    }),
    /** From then on it can be approved without a check at the counter. */
    approvable_at: z.string(),
    records: z.number(),
    unpaid: z.number(),
    open_claims: z.number(),
  })
  .meta({ id: 'PermintaanHapusAkunTerbuka' });
export type OpenErasure = z.infer<typeof openErasure>;

export const erasuresQuery = z.object({ state: filter(z.literal('open')) });
/** 200 at most, the nearest deadline first. */
export const erasuresAnswer = singleOf(z.array(openErasure));

/** A rejection needs a reason of 3 characters at least. */
export const decideErasureBody = z.object({
  result: choice(ERASURE_RESULTS, erasureTexts.resultInvalid, erasureTexts.resultInvalid),
  reason: z
    .string({ error: erasureTexts.reasonLength })
    .trim()
    .max(ERASURE_REASON_MAX, { error: erasureTexts.reasonLength })
    .nullable()
    .transform((text) => text || null)
    .optional(),
  checked: choice(CHECKED_BY, accessTexts.checkedInvalid, accessTexts.checkedInvalid).optional(),
  updated_at: expectedUpdatedAt,
  ...ownPasswordFields(ownPasswordTexts.required),
});
export type DecideErasureBody = z.output<typeof decideErasureBody>;
