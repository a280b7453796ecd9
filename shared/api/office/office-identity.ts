import { z } from 'zod';
import { cleanName } from '#shared/domain/users/person-name.ts';
import { OFFICE_ADDRESS_MAX, OFFICE_NAME_MAX, OFFICE_PHONE_MAX, OFFICE_WHATSAPP_MAX } from '#shared/limits.ts';
import { fieldTexts, identityTexts } from '#shared/texts.ts';
import { singleOf } from '../envelope.ts';

/** The form field that carries the logo. */
export const LOGO_FIELD = 'logo';

/** One line without invisible characters; may be empty. */
function line(label: string, max: number) {
  const tooLong = fieldTexts.tooLong(label, max);
  return z
    .string({ error: tooLong })
    .transform(cleanName)
    .pipe(z.string().max(max, { error: tooLong }))
    .meta({ type: 'string', maxLength: max });
}

/** Name, address and numbers of the office (R-OFFICE-20). Fields that are not sent stay. */
export const officeIdentityBody = z.object({
  name: line('Nama kantor', OFFICE_NAME_MAX).optional(),
  /** May have several lines. */
  address: z
    .string({ error: fieldTexts.tooLong('Alamat kantor', OFFICE_ADDRESS_MAX) })
    .trim()
    .max(OFFICE_ADDRESS_MAX, { error: fieldTexts.tooLong('Alamat kantor', OFFICE_ADDRESS_MAX) })
    .optional(),
  phone: line('Telepon kantor', OFFICE_PHONE_MAX).optional(),
  whatsapp: z
    .string({ error: identityTexts.whatsappInvalid })
    .trim()
    .max(OFFICE_WHATSAPP_MAX, { error: identityTexts.whatsappInvalid })
    // A number has a digit; it may be left empty.
    .regex(/^(?:[ +-]*\d[\d +-]*)?$/, { error: identityTexts.whatsappInvalid })
    .optional(),
});

/** Texts are empty before an admin set them. */
export const officeIdentity = z
  .object({
    name: z.string(),
    address: z.string(),
    phone: z.string(),
    whatsapp: z.string(),
    /** A path that everybody may open and that each new logo changes; null without a logo. */
    logo_url: z.string().nullable(),
  })
  .meta({ id: 'IdentitasKantor' });
export type OfficeIdentity = z.infer<typeof officeIdentity>;

export const officeIdentityAnswer = singleOf(officeIdentity);
