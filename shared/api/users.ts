import { z } from 'zod';
import { CHECKED_BY } from '../domain/users/security-events.ts';
import { ADMIN_USERS_MAX, CODE_NOTE_MAX, PASSWORD_MAX, PASSWORD_MIN_ADMIN_CREATE } from '../limits.ts';
import { accessTexts, cardTexts, fieldTexts } from '../texts.ts';
import { listOf, positiveInteger, singleOf } from './envelope.ts';
import { flagFilter, searchFilter } from './filters.ts';
import {
  anyEmail,
  bothIds,
  choice,
  deviceToken,
  email,
  expectedUpdatedAt,
  flag,
  optionalText,
  password,
  personName,
  phone,
  timestamps,
} from './fields.ts';

/** A user as every answer shows it (R-USER-1). */
export const userAnswer = z
  .object({
    ...bothIds,
    name: z.string(),
    email: z.string(),
    /** False: the address is one that nobody can own (R-ACCESS-8). */
    has_email: z.boolean(),
    is_admin: z.boolean(),
    is_active: z.boolean(),
    role: z.enum(['admin', 'user']),
    ...timestamps,
  })
  .meta({ id: 'User' });
export type UserAnswer = z.infer<typeof userAnswer>;

/** An account as admins and its owner see it, beyond what every answer shows. */
export const accountAnswer = userAnswer
  .extend({
    phone: z.string().nullable(),
    /** Whether its owner agreed to be written to at the number. */
    phone_consent: z.boolean(),
    /** False: the account has none yet, and its own acts take the PIN of its card (R-ACCESS-45). */
    has_password: z.boolean(),
    /** The session reaches nothing but a new password (R-ACCESS-20). */
    must_change_password: z.boolean(),
  })
  .meta({ id: 'Akun' });
export type AccountAnswer = z.infer<typeof accountAnswer>;

/** The account with its card, as admins see it. */
export const adminAccountAnswer = accountAnswer
  .extend({
    /** Whether a call to the number proves whose account it is (R-ACCESS-11). */
    phone_proves: z.boolean(),
    /** Whether every way in ends in a code of its app. */
    has_second_factor: z.boolean(),
    card: z
      .object({
        made_at: z.string(),
        /** Null: its holder has not chosen a PIN yet. */
        activated_at: z.string().nullable(),
        /** Null once it is activated. */
        activation_expires_at: z.string().nullable(),
        /** Too many wrong PINs: it opens nothing until the office makes a new one. */
        is_blocked: z.boolean(),
      })
      .nullable(),
  })
  .meta({ id: 'AkunWarga' });
export type AdminAccountAnswer = z.infer<typeof adminAccountAnswer>;

export const usersQuery = z.object({
  is_admin: flagFilter,
  is_active: flagFilter,
  search: searchFilter,
  limit: positiveInteger(ADMIN_USERS_MAX).optional(),
  page: positiveInteger().optional(),
});
export type UsersQuery = z.infer<typeof usersQuery>;

/** Texts of the own password that a change of administrators needs (R-USER-16). */
export const ownPasswordTexts = {
  /** Says enough for a page of an earlier version, which has no field for it. */
  missing:
    'Masukkan password Anda untuk membuat atau mengubah akun administrator. Bila kolomnya tidak tampak, muat ulang halaman ini.',
  wrong: 'Password salah',
  required: 'Masukkan password Anda',
} as const;

/** The caller's own password, and the token of its browser; the service asks for it where it is needed. */
export const ownPasswordFields = (missing: string) => ({
  current_password: z.string({ error: missing }).max(PASSWORD_MAX, { error: ownPasswordTexts.wrong }).optional(),
  device_token: deviceToken,
});
/** Only a change of administrators reads it. */
const ownPassword = ownPasswordFields(ownPasswordTexts.missing);

/** The caller's own password, or the PIN of an account without one, for what opens an account later. */
export const ownSecretFields = {
  ...ownPasswordFields(ownPasswordTexts.required),
  pin: z.string({ error: cardTexts.ownPinRequired }).max(PASSWORD_MAX, { error: cardTexts.ownPinWrong }).optional(),
};

/** The bodies of calls that have no other fields. */
export const ownSecretBody = z.object(ownSecretFields).nullish();
export type OwnSecretBody = z.infer<typeof ownSecretBody>;
export const ownPasswordBody = z.object(ownPassword).nullish();
export type OwnPasswordBody = z.infer<typeof ownPasswordBody>;

/** The fields of a new account that an admin makes (R-USER-3). */
export const createUserBody = z.object({
  name: personName(fieldTexts.adminUserIncomplete),
  email: email(fieldTexts.adminUserIncomplete),
  password: password(fieldTexts.adminUserIncomplete, PASSWORD_MIN_ADMIN_CREATE, fieldTexts.passwordMin6),
  is_admin: flag.default(false),
  is_active: flag.default(true),
  ...ownPassword,
});
export type CreateUserBody = z.infer<typeof createUserBody>;

/** An admin's edit of an account; absent fields stay as they are (R-USER-5). */
export const updateUserBody = z
  .object({
    name: personName(fieldTexts.userNameEmailRequired),
    email: anyEmail(fieldTexts.userNameEmailRequired),
    is_admin: flag,
    is_active: flag,
    phone,
    phone_consent: flag,
  })
  .partial()
  .extend({ updated_at: expectedUpdatedAt.optional(), ...ownPassword });
export type UpdateUserBody = z.infer<typeof updateUserBody>;

/** Texts of a new password that an admin gives a user (R-USER-6). */
export const resetTexts = {
  ownPassword: 'Password Anda sendiri diganti di Akun Saya',
} as const;

/** A new password for another account, for example a forgotten one. Its minimum is that of R-USER-3. */
export const resetPasswordBody = z.object({
  password: password(fieldTexts.passwordRequired, PASSWORD_MIN_ADMIN_CREATE, fieldTexts.passwordMin6),
  must_change: flag.optional(),
  ...ownPassword,
});
export type ResetPasswordBody = z.infer<typeof resetPasswordBody>;

/** The way in which the office found out who asks for the code, and a note for the audit. */
export const recoveryCodeBody = z.object({
  checked: choice(CHECKED_BY, accessTexts.checkedInvalid, accessTexts.checkedInvalid),
  note: optionalText('Keterangan', CODE_NOTE_MAX).optional(),
  ...ownPassword,
});
export type RecoveryCodeBody = z.infer<typeof recoveryCodeBody>;
/** Shown once: the server keeps nothing from which the code could be read. */
export const recoveryCodeAnswer = singleOf(z.object({ code: z.string(), url: z.string(), expires_at: z.string() }));

export const oneUserAnswer = singleOf(userAnswer);
export const oneAccountAnswer = singleOf(adminAccountAnswer);
export const usersAnswer = listOf(userAnswer);
