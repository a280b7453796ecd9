import { z } from 'zod';
import { isAdminName } from '../domain/users/person-name.ts';
import { PASSWORD_MIN_REGISTER } from '../limits.ts';
import { fieldTexts } from '../texts.ts';
import { listOf, singleOf } from './envelope.ts';
import { bothIds, deviceToken, email, password, personName } from './fields.ts';
import { userAnswer } from './users.ts';

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
export const ownUserAnswer = singleOf(userAnswer);
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
export type ChangeNameBody = z.infer<typeof changeNameBody>;

export const changePasswordBody = z
  .object({
    current_password: password(accountTexts.currentPasswordRequired, 1, accountTexts.currentPasswordRequired),
    password: registerBody.shape.password,
    password_confirmation: registerBody.shape.password_confirmation,
    device_token: deviceToken,
  })
  .refine(isConfirmed, confirmationRule);
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
  })
  .meta({ id: 'Sesi' });
export type OwnSession = z.infer<typeof ownSession>;
export const ownSessionsAnswer = listOf(ownSession);
