import { z } from 'zod';
import { CLAIM_STATES } from '#shared/domain/dhkp/list-states.ts';
import { cleanNop, NOP_LENGTH } from '#shared/domain/dhkp/nop.ts';
import { CLAIM_NOTE_MAX, CLAIM_REASON_MAX, CLAIM_REASON_MIN, CLAIMS_MAX } from '#shared/limits.ts';
import { claimTexts, dhkpTexts, inboxTexts } from '#shared/texts.ts';
import { attachment } from '../chat/chat.ts';
import { listOf, positiveInteger, singleOf } from '../envelope.ts';
import { bothIds, expectedUpdatedAt, optionalText, timestamps } from '../fields.ts';
import { filter } from '../filters.ts';
import { assessment } from './assessments.ts';

/** Users' requests that the office links an object to their account (R-DHKP-33). */

export const claimBody = z.object({
  nop: z
    .string({ error: claimTexts.nopInvalid })
    .transform(cleanNop)
    .refine((digits) => new RegExp(`^\\d{${NOP_LENGTH}}$`).test(digits), { error: claimTexts.nopInvalid })
    .meta({ type: 'string' }),
  note: optionalText('Catatan', CLAIM_NOTE_MAX).optional(),
  /** A file of the chat that was uploaded before. */
  attachment_id: z.string({ error: inboxTexts.attachmentMissing }).nullish(),
});
export type ClaimBody = z.output<typeof claimBody>;

/** The same whether the office's list has the NOP or not. */
export const claimAnswer = singleOf(z.null());

export const ownClaimsQuery = z.object({
  limit: positiveInteger(CLAIMS_MAX).optional(),
  page: positiveInteger().optional(),
});
export const claimsQuery = ownClaimsQuery.extend({ state: filter(z.enum(CLAIM_STATES)) });
export type ClaimsQuery = z.output<typeof claimsQuery>;

const ownClaim = z
  .object({
    ...bothIds,
    nop: z.string(),
    state: z.enum(CLAIM_STATES),
    reason: z.string().nullable(),
    ...timestamps,
  })
  .meta({ id: 'PermintaanSendiri' });
export type OwnClaim = z.infer<typeof ownClaim>;
export const ownClaimsAnswer = listOf(ownClaim);

const claim = z
  .object({
    ...bothIds,
    nop: z.string(),
    nop_text: z.string(),
    user: z.object({ id: z.string(), name: z.string(), email: z.string(), has_email: z.boolean() }),
    note: z.string().nullable(),
    /** Null also after the conversation was deleted. */
    attachment: attachment.nullable(),
    state: z.enum(CLAIM_STATES),
    reason: z.string().nullable(),
    /** The admin who answered. */
    answered_by: z.string().nullable(),
    ...timestamps,
    /** The listed ones of the NOP, newest first. */
    assessments: z.array(assessment),
  })
  .meta({ id: 'Permintaan' });
export type Claim = z.infer<typeof claim>;
export const claimsAnswer = listOf(claim);
export const oneClaimAnswer = singleOf(claim);

export const approveClaimBody = z.object({
  assessment_id: z.string({ error: dhkpTexts.objectMissing }),
  /** That of the claim. */
  updated_at: expectedUpdatedAt,
});
export type ApproveClaimBody = z.output<typeof approveClaimBody>;

export const rejectClaimBody = z.object({
  reason: z
    .string({ error: claimTexts.reasonLength })
    .trim()
    .min(CLAIM_REASON_MIN, { error: claimTexts.reasonLength })
    .max(CLAIM_REASON_MAX, { error: claimTexts.reasonLength }),
});
export type RejectClaimBody = z.output<typeof rejectClaimBody>;
