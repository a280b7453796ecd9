import { z } from 'zod';
import { parseCalendarDate } from '../domain/dates/dates.ts';
import { isRupiahAmount } from '../domain/money/rupiah.ts';
import { cleanName } from '../domain/users/person-name.ts';
import { hasEmail } from '../domain/users/no-email.ts';
import { readPhone } from '../domain/users/phone.ts';
import { DEVICE_TOKEN_MAX, EMAIL_MAX, NAME_MAX, PASSWORD_MAX } from '../limits.ts';
import { fieldTexts } from '../texts.ts';

/** Building blocks of the request schemas. Each stops at its first error, so that a field has one message at a time. */

/**
 * A refinement that reports only the first error of a text. It does not use zod's `abort`, which would skip the checks
 * of the whole body, so that their errors could not be reported together.
 */
function firstError(checks: [isWrong: (text: string) => boolean, message: string][]) {
  return (text: string, context: z.core.$RefinementCtx<string>): void => {
    const failed = checks.find(([isWrong]) => isWrong(text));
    if (failed) context.addIssue({ code: 'custom', message: failed[1] });
  };
}

/** Text that must not be empty; trimmed. `label` is used for the too-long message. */
export function requiredText(required: string, label: string, max: number) {
  return z
    .string({ error: required })
    .trim()
    .superRefine(
      firstError([
        [(text) => text === '', required],
        [(text) => text.length > max, fieldTexts.tooLong(label, max)],
      ]),
    )
    .meta({ minLength: 1, maxLength: max });
}

/** A name of a person: one line without invisible characters (R-AUTH-25). */
export function personName(required: string) {
  return z
    .string({ error: required })
    .transform(cleanName)
    .pipe(requiredText(required, 'Nama', NAME_MAX))
    .meta({ type: 'string', minLength: 1, maxLength: NAME_MAX });
}

/** Text that may be left empty; trimmed, empty counts as null. */
export function optionalText(label: string, max: number) {
  return z
    .string({ error: fieldTexts.tooLong(label, max) })
    .trim()
    .max(max, { error: fieldTexts.tooLong(label, max) })
    .nullable()
    .transform((text) => text || null);
}

/** An e-mail address, trimmed and lower-cased (R-AUTH-7). */
export function email(required: string = fieldTexts.emailRequired) {
  return anyEmail(required).refine(hasEmail, { error: fieldTexts.emailInvalid });
}

/** As `email`, and also the address of an account without one, which clients send back with the rest of a form. */
export function anyEmail(required: string) {
  return z
    .string({ error: required })
    .trim()
    .toLowerCase()
    .superRefine(
      firstError([
        [(text) => text === '', required],
        [(text) => text.length > EMAIL_MAX || !z.regexes.email.test(text), fieldTexts.emailInvalid],
      ]),
    )
    .meta({ format: 'email', maxLength: EMAIL_MAX });
}

/** A mobile number, as it is stored; null and an empty text: none. */
export const phone = z
  .string({ error: fieldTexts.phoneInvalid })
  .nullable()
  .superRefine((text, context) => {
    if (text !== null && text.trim() !== '' && readPhone(text) === null)
      context.addIssue({ code: 'custom', message: fieldTexts.phoneInvalid });
  })
  .transform((text) => (text === null ? null : readPhone(text)))
  .meta({ type: 'string', description: 'nomor HP, misalnya 0812-3456-7890; null atau kosong: tidak ada' });

/** A password, never trimmed. `min` matters only where a password is chosen. */
export function password(required: string, min: number, tooShort: string) {
  return z
    .string({ error: required })
    .superRefine(
      firstError([
        [(text) => text === '', required],
        [(text) => text.length < min, tooShort],
        // Hashing a longer text would cost too much time.
        [(text) => text.length > PASSWORD_MAX, fieldTexts.tooLong('Password', PASSWORD_MAX)],
      ]),
    )
    .meta({ format: 'password', minLength: min, maxLength: PASSWORD_MAX });
}

/** `yyyy-mm-dd`; any value that is not a real calendar date becomes null and is no error (R-API-6). */
export const calendarDate = z
  .unknown()
  .transform((value) => parseCalendarDate(value))
  .meta({ type: 'string', format: 'date', description: 'yyyy-mm-dd; tanggal yang tidak nyata menjadi null' });

/** Whether a text is a real calendar date, `yyyy-mm-dd`. */
export const isDate = (text: string): boolean => parseCalendarDate(text) === text;

/** A calendar date at one end of a period; an empty one counts as absent. */
export function dateOfPeriod(invalid: string) {
  return z
    .string({ error: invalid })
    .trim()
    .refine((text) => text === '' || isDate(text), { error: invalid })
    .transform((text) => text || undefined)
    .optional()
    .meta({ type: 'string', format: 'date' });
}

/** A time of day in 24 hours, `hh:mm`. */
export const timeOfDay = (invalid: string) =>
  z.string({ error: invalid }).regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: invalid });

/** Rupiah as a JSON number, 0 to 999,999,999,999 with at most two decimals. */
export function amount(required: string) {
  return z.number({ error: required }).refine(isRupiahAmount, { error: fieldTexts.amountRange });
}

/** Yes or no, never a text or a number. */
export const flag = z.boolean({ error: fieldTexts.flagInvalid });

/** One of a fixed set; null, undefined and '' count as missing. */
export function choice<const T extends readonly [string, ...string[]]>(values: T, missing: string, invalid: string) {
  return z.enum(values, {
    error: (issue) => (issue.input === undefined || issue.input === null || issue.input === '' ? missing : invalid),
  });
}

/** One of a fixed set, or null; '' counts as null. */
export function optionalChoice<const T extends readonly [string, ...string[]]>(values: T, invalid: string) {
  return z
    .enum([...values, ''], { error: invalid })
    .nullable()
    .transform((value) => (value === '' || value === null ? null : (value as T[number])));
}

/** The `updated_at` with which a form was loaded (R-REC-9). Only an edit that does not have it is not guarded. */
export const expectedUpdatedAt = z.iso
  .datetime({ offset: true, error: fieldTexts.updatedAtInvalid })
  .meta({ description: 'updated_at saat data dimuat; berbeda → 409' });

/** The token that an earlier login to the account gave this browser; anything else counts as absent (R-AUTH-21). */
export const deviceToken = z
  .unknown()
  .transform((value) => (typeof value === 'string' && value.length <= DEVICE_TOKEN_MAX ? value : undefined))
  .optional()
  .meta({ type: 'string', description: 'device_token dari login sebelumnya di perangkat ini' });

/** Both spellings of the two instants that every object has (R-API-6). */
export const timestamps = {
  created_at: z.string(),
  createdAt: z.string(),
  updated_at: z.string(),
  updatedAt: z.string(),
};

export const bothIds = { id: z.string(), _id: z.string() };

/** A file among the fields of a form. It is for the API documentation; the file arrives beside the body. */
export const formFile = z.unknown().optional().meta({ type: 'string', format: 'binary' });

/** The body of a form that has a file and nothing else. */
export function fileBody(field: string) {
  return z.object({ [field]: formFile }).nullish();
}
