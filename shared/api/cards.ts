import { z } from 'zod';
import { isSafePin } from '../domain/users/pin.ts';
import { ASSISTED_OBJECTS_MAX, CODE_TYPED_MAX } from '../limits.ts';
import { cardTexts, fieldTexts } from '../texts.ts';
import { singleOf } from './envelope.ts';
import { deviceToken, flag, personName, phone } from './fields.ts';

/** Cards, with which people without an e-mail address enter, and accounts that the office makes for them (R-ACCESS-40). */

/** A code as it was typed; one that is too long for any opens nothing. */
const typedCode = (required: string) =>
  z.string({ error: required }).trim().min(1, { error: required }).max(CODE_TYPED_MAX, { error: cardTexts.wrong });

export const enterByCardBody = z.object({
  code: typedCode(cardTexts.codeRequired),
  pin: typedCode(cardTexts.pinRequired),
  device_token: deviceToken,
});
export type EnterByCardBody = z.infer<typeof enterByCardBody>;

export const activateCardBody = z
  .object({
    code: typedCode(cardTexts.codeRequired),
    activation: typedCode(cardTexts.activationRequired),
    pin: z.string({ error: cardTexts.pinRequired }).refine((pin) => isSafePin(pin), { error: cardTexts.pinWeak }),
    pin_confirmation: typedCode(cardTexts.confirmationRequired),
  })
  .refine((body) => body.pin === body.pin_confirmation, {
    path: ['pin_confirmation'],
    error: cardTexts.confirmationDiffers,
  });
export type ActivateCardBody = z.infer<typeof activateCardBody>;

/** Whether any card exists, so that the login page may offer this way in. */
export const cardsInUseAnswer = singleOf(z.object({ in_use: z.boolean() }));

/** Shown once: the server keeps nothing from which the codes could be read. */
export const madeCardAnswer = singleOf(
  z.object({
    /** As people read them: 'K7M2-9QXA' and 'K7M29-QXAC3'. */
    code: z.string(),
    activation: z.string(),
    activation_expires_at: z.string(),
    qr_url: z.string(),
  }),
);
export type MadeCard = z.infer<typeof madeCardAnswer>['data'];

/** A new account without an e-mail address, with objects of the office's list. */
export const assistedBody = z.object({
  name: personName(fieldTexts.nameRequired),
  phone: phone.optional(),
  phone_consent: flag.optional(),
  assessment_ids: z
    .array(z.string({ error: fieldTexts.changesRequired }), { error: fieldTexts.changesRequired })
    .max(ASSISTED_OBJECTS_MAX, { error: cardTexts.tooManyObjects })
    .optional(),
});
export type AssistedBody = z.infer<typeof assistedBody>;
