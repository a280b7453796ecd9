import { z } from 'zod';
import { CODE_TYPED_MAX } from '../limits.ts';
import { accessTexts, factorTexts } from '../texts.ts';
import { sessionAnswer } from './auth.ts';
import { singleOf } from './envelope.ts';
import { choice, deviceToken } from './fields.ts';
import { ownPasswordFields, ownPasswordTexts, ownSecretFields } from './users.ts';

/** The second factor of an account: codes of an app on the phone, by TOTP of RFC 6238 (R-ACCESS-60). */

/** A code of the app, or one of the ten recovery codes. */
const typedCode = z
  .string({ error: factorTexts.codeRequired })
  .trim()
  .min(1, { error: factorTexts.codeRequired })
  .max(CODE_TYPED_MAX, { error: factorTexts.wrong });

/** The answer of a way in to an account with a second factor: no session yet. */
const ticket = z.object({ second_factor: z.literal(true), ticket: z.string() }).meta({ id: 'TiketMasuk' });
export type TicketAnswer = z.infer<typeof ticket>;
/** Every way in answers so. */
export const entranceAnswer = singleOf(z.union([sessionAnswer.shape.data, ticket]));

export const secondStepBody = z.object({
  ticket: z.string({ error: factorTexts.wrong }).max(CODE_TYPED_MAX * 2, { error: factorTexts.wrong }),
  code: typedCode,
  device_token: deviceToken,
});
export type SecondStepBody = z.infer<typeof secondStepBody>;

export const startFactorBody = z
  .object({
    ...ownSecretFields,
    /** For admins of an office that asks for a second factor. */
    setup_code: z
      .string({ error: factorTexts.setupCodeRequired })
      .max(CODE_TYPED_MAX, { error: factorTexts.setupCodeWrong })
      .optional(),
  })
  .nullish();
export type StartFactorBody = z.infer<typeof startFactorBody>;
/** Shown once. */
export const startedFactorAnswer = singleOf(z.object({ secret: z.string(), otpauth_url: z.string() }));
export type StartedFactor = z.infer<typeof startedFactorAnswer>['data'];

export const confirmFactorBody = z.object({ code: typedCode });
/** Ten codes as people read them, 'K7M29-QXAC3'; shown once. */
export const confirmedFactorAnswer = singleOf(z.object({ recovery_codes: z.array(z.string()) }));

export const endFactorBody = z.object({ code: typedCode, ...ownSecretFields });
export type EndFactorBody = z.infer<typeof endFactorBody>;

const ownPassword = ownPasswordFields(ownPasswordTexts.missing);
/** Somebody at the counter only: the phone is the one that is lost. */
export const resetFactorBody = z.object({
  checked: choice(['counter'], accessTexts.checkedInvalid, accessTexts.checkedInvalid),
  ...ownPassword,
});
export type ResetFactorBody = z.infer<typeof resetFactorBody>;

export const setupCodeBody = z.object(ownPassword).nullish();
/** Shown once. */
export const setupCodeAnswer = singleOf(z.object({ code: z.string(), expires_at: z.string() }));
export type SetupCode = z.infer<typeof setupCodeAnswer>['data'];
