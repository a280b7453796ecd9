import { z } from 'zod';
import { isAdminName } from '../domain/users/person-name.ts';
import { SESSION_ENTRIES } from '../domain/users/security-events.ts';
import { LEGAL_DOCUMENTS } from '../legal-versions.ts';
import { CODE_TYPED_MAX, IDENTIFIER_MAX, PASSWORD_MIN_REGISTER } from '../limits.ts';
import { accessTexts, fieldTexts } from '../texts.ts';
import { listOf, singleOf } from './envelope.ts';
import { anyEmail, bothIds, deviceToken, email, flag, password, personName, phone, requiredText } from './fields.ts';
import { consentDue } from './own-data.ts';
import { accountAnswer, ownSecretFields, userAnswer } from './users.ts';

export const loginBody = z.object({
  email: email(),
  password: password(fieldTexts.passwordRequired, 1, fieldTexts.passwordRequired),
  device_token: deviceToken,
});
export type LoginBody = z.infer<typeof loginBody>;

type NewPassword = { password: string; password_confirmation: string };

const isConfirmed = (body: NewPassword): boolean => body.password === body.password_confirmation;

const confirmationRule = {
  path: ['password_confirmation'],
  error: fieldTexts.confirmationDiffers,
  // Without this, zod would compare the passwords only once all other fields are valid.
  when: ({ value }: { value: unknown }) => {
    const body = value as Partial<Record<keyof NewPassword, unknown>> | null | undefined;
    return typeof body?.password === 'string' && Boolean(body.password_confirmation);
  },
};

export const registerBody = z
  .object({
    name: personName(fieldTexts.nameRequired).refine((name) => !isAdminName(name), { error: fieldTexts.nameOfAdmin }),
    email: email(),
    password: password(fieldTexts.passwordRequired, PASSWORD_MIN_REGISTER, fieldTexts.passwordMin8),
    password_confirmation: z
      .string({ error: fieldTexts.confirmationRequired })
      .min(1, { error: fieldTexts.confirmationRequired }),
    /** The texts that the page showed; without it the present ones. One that changed meanwhile is asked for later. */
    consents: z.array(consentDue).max(LEGAL_DOCUMENTS.length).optional(),
  })
  .refine(isConfirmed, confirmationRule);
export type RegisterBody = z.infer<typeof registerBody>;

export const sessionAnswer = singleOf(
  z.object({
    token: z.string(),
    user: userAnswer,
    /** Sent along at the next login from this browser; it opens nothing (R-AUTH-21). */
    device_token: z.string(),
  }),
);
/** The account as its owner sees it, with the texts that are to be accepted anew (R-ACCESS-81). */
const ownAccount = accountAnswer
  .extend({
    consents_due: z.array(consentDue),
    has_second_factor: z.boolean(),
    /** The recovery codes of the second factor that are not used yet. */
    recovery_codes_left: z.number().int(),
    /** The session reaches nothing but the set-up of a second factor (R-ACCESS-70). */
    must_set_up_second_factor: z.boolean(),
  })
  .meta({ id: 'AkunSendiri' });
export type OwnAccount = z.infer<typeof ownAccount>;
export const ownUserAnswer = singleOf(ownAccount);
export const adminContact = z.object({ ...bothIds, name: z.string() }).meta({ id: 'KontakAdmin' });
export type AdminContact = z.infer<typeof adminContact>;
export const adminContactAnswer = singleOf(adminContact);

/** The own account, the same for users and admins. */
export const accountTexts = {
  currentPasswordRequired: 'Password lama wajib diisi',
  currentPasswordWrong: 'Password lama salah',
  sessionMissing: 'Sesi tidak ditemukan',
} as const;

export const changeNameBody = z.object({ name: personName(fieldTexts.nameRequired) });

/** The fields that an account changes of itself; another address or number needs the own password (R-ACCESS-10, R-ACCESS-17). */
export const changeOwnBody = changeNameBody
  .partial()
  .extend({
    email: anyEmail(fieldTexts.emailRequired).optional(),
    phone: phone.optional(),
    phone_consent: flag.optional(),
    ...ownSecretFields,
  })
  // Earlier clients know the name alone.
  .refine((body) => [body.name, body.email, body.phone, body.phone_consent].some((field) => field !== undefined), {
    path: ['name'],
    error: fieldTexts.nameRequired,
  });
export type ChangeOwnBody = z.infer<typeof changeOwnBody>;

/** An e-mail address, a phone number or the code of a card. */
export const askRecoveryBody = z.object({
  identifier: requiredText(accessTexts.identifierRequired, 'Isian', IDENTIFIER_MAX),
});
export type AskRecoveryBody = z.infer<typeof askRecoveryBody>;

export const completeRecoveryBody = z
  .object({
    code: z.string({ error: accessTexts.codeInvalid }).max(CODE_TYPED_MAX, { error: accessTexts.codeInvalid }),
    password: registerBody.shape.password,
    password_confirmation: registerBody.shape.password_confirmation,
  })
  .refine(isConfirmed, confirmationRule);
export type CompleteRecoveryBody = z.infer<typeof completeRecoveryBody>;

export const changePasswordBody = z
  .object({
    current_password: password(
      accountTexts.currentPasswordRequired,
      1,
      accountTexts.currentPasswordRequired,
    ).optional(),
    /** In place of the old password, of an account that has none yet. */
    pin: ownSecretFields.pin,
    device_token: deviceToken,
  })
  .refine((body) => body.current_password !== undefined || body.pin !== undefined, {
    path: ['current_password'],
    error: accountTexts.currentPasswordRequired,
  })
  .and(
    z
      .object({
        password: registerBody.shape.password,
        password_confirmation: registerBody.shape.password_confirmation,
      })
      .refine(isConfirmed, confirmationRule),
  );
export type ChangePasswordBody = z.infer<typeof changePasswordBody>;
/** The device token of before ended with the old password. */
export const changePasswordAnswer = singleOf(z.object({ device_token: z.string() }));

/** A session of the own account. `last_seen_at` is correct to about five minutes (R-AUTH-12). */
const ownSession = z
  .object({
    ...bothIds,
    /** Whether it is the session of the request. */
    current: z.boolean(),
    created_at: z.string(),
    createdAt: z.string(),
    last_seen_at: z.string(),
    lastSeenAt: z.string(),
    user_agent: z.string().nullable(),
    address: z.string().nullable(),
    /** Whether its browser gets push notifications. */
    has_notifications: z.boolean(),
    /** The way in by which it began. */
    entry: z.enum(SESSION_ENTRIES),
  })
  .meta({ id: 'Sesi' });
export type OwnSession = z.infer<typeof ownSession>;
export const ownSessionsAnswer = listOf(ownSession);
