import { z } from 'zod';
import { CHECK_RESULTS, type CheckResult, RECORD_STATUSES } from '#shared/domain/tax-records/record-values.ts';
import { VERIFICATION_STATES } from '#shared/domain/tax-records/verification-states.ts';
import { ADMIN_RECORDS_MAX, REASON_MAX } from '#shared/limits.ts';
import { fieldTexts } from '#shared/texts.ts';
import { positiveInteger } from '../envelope.ts';
import { calendarDate, choice, expectedUpdatedAt, optionalText } from '../fields.ts';

/**
 * Whether the office has checked the payment that a user reported (R-CHECK-2). `at`: of the report while it is pending, else of
 * the check. It changes no status and no sum.
 */
export const verification = z
  .object({
    state: z.enum(VERIFICATION_STATES),
    at: z.string().nullable(),
    /** The admin who checked it. */
    by_name: z.string().nullable(),
    /** Why it was rejected. */
    reason: z.string().nullable(),
  })
  .meta({ id: 'Pencocokan' });
export type Verification = z.infer<typeof verification>;

/** 'pending': oldest report first; the others: newest check first. Absent or unknown: 'pending'. */
export const verificationsQuery = z.object({
  state: z.enum(['pending', 'matched', 'rejected', 'outdated']).optional().catch(undefined),
  limit: positiveInteger(ADMIN_RECORDS_MAX).optional(),
  page: positiveInteger().optional(),
});
export type VerificationsQuery = z.infer<typeof verificationsQuery>;

/** The status that a check may set in the same act. */
const STATUS_OF_RESULT = { matched: 'lunas', rejected: 'belum_lunas' } as const satisfies Record<CheckResult, string>;

/**
 * `updated_at`: the version of the record that was looked at; another one is refused with 409. `status` changes the record in
 * the same act: `lunas`, with the date, for a match, and `belum_lunas` for a rejection.
 */
export const verificationBody = z
  .object({
    result: z.enum(CHECK_RESULTS, { error: fieldTexts.checkResultInvalid }),
    reason: optionalText('Alasan', REASON_MAX).optional(),
    status: choice(RECORD_STATUSES, fieldTexts.statusRequired, fieldTexts.statusInvalid).optional(),
    payment_date: calendarDate.optional(),
    updated_at: expectedUpdatedAt,
  })
  .refine(({ result, reason }) => result === 'matched' || Boolean(reason), {
    error: fieldTexts.required('Alasan'),
    path: ['reason'],
  })
  .refine(({ result, status }) => status === undefined || status === STATUS_OF_RESULT[result], {
    error: fieldTexts.statusInvalid,
    path: ['status'],
  })
  .refine(({ status, payment_date }) => status !== 'lunas' || Boolean(payment_date), {
    error: fieldTexts.paymentDateRequired,
    path: ['payment_date'],
  });
export type VerificationBody = z.infer<typeof verificationBody>;

/** Takes the newest check back, so that the report waits again. */
export const undoVerificationBody = z.object({ updated_at: expectedUpdatedAt });

/** Copies an image of the conversation into the record's proof; the rest as in an edit of the same side. */
export const proofFromMessageBody = z.object({
  attachment_id: z
    .string({ error: fieldTexts.attachmentRequired })
    .trim()
    .min(1, { error: fieldTexts.attachmentRequired }),
  status: choice(RECORD_STATUSES, fieldTexts.statusRequired, fieldTexts.statusInvalid).optional(),
  payment_date: calendarDate.optional(),
  updated_at: expectedUpdatedAt.optional(),
});
export type ProofFromMessageBody = z.infer<typeof proofFromMessageBody>;
