import { z } from 'zod';
import { parseCalendarDate } from '../domain/dates.ts';
import { isRupiahAmount } from '../domain/rupiah.ts';
import { EMAIL_MAX, PASSWORD_MAX } from '../limits.ts';
import { fieldTexts } from '../texts.ts';

/** Building blocks of the request schemas: each stops at its first fault, so a field has one message at a time. */

/**
 * Tells only the first fault of a text, and yet lets the checks of the whole body run: stopping by zod's `abort` would
 * keep them from being told together.
 */
export function firstError(checks: [isFault: (text: string) => boolean, message: string][]) {
  return (text: string, context: z.core.$RefinementCtx<string>): void => {
    const failed = checks.find(([isFault]) => isFault(text));
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

/** Text that may be left empty; trimmed, empty counts as null. */
export function optionalText(label: string, max: number) {
  return z
    .string({ error: fieldTexts.tooLong(label, max) })
    .trim()
    .max(max, { error: fieldTexts.tooLong(label, max) })
    .nullable()
    .transform((text) => text || null);
}

/** An e-mail address, trimmed and lower-cased (contract 2). */
export function email(required: string = fieldTexts.emailRequired) {
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

/** A password, never trimmed. `min` counts only where one is chosen. */
export function password(required: string, min: number, tooShort: string) {
  return z
    .string({ error: required })
    .superRefine(
      firstError([
        [(text) => text === '', required],
        [(text) => text.length < min, tooShort],
        // The upper bound keeps hashing one cheap.
        [(text) => text.length > PASSWORD_MAX, fieldTexts.tooLong('Password', PASSWORD_MAX)],
      ]),
    )
    .meta({ format: 'password', minLength: min, maxLength: PASSWORD_MAX });
}

/** `yyyy-mm-dd`; whatever is not a real calendar date becomes null, never an error (contract 2). */
export const calendarDate = z
  .unknown()
  .transform((value) => parseCalendarDate(value))
  .meta({ type: 'string', format: 'date', description: 'yyyy-mm-dd; tanggal yang tidak nyata menjadi null' });

/** Rupiah as a JSON number, 0 to 999,999,999,999 with at most two decimals. */
export function amount(required: string) {
  return z.number({ error: required }).refine(isRupiahAmount, { error: fieldTexts.amountRange });
}

/** One of a fixed set; null, undefined and '' count as missing. */
export function choice<const T extends readonly [string, ...string[]]>(values: T, missing: string, invalid: string) {
  return z.enum(values, {
    error: (issue) => (issue.input === undefined || issue.input === null || issue.input === '' ? missing : invalid),
  });
}

/** One of a fixed set or nothing; '' counts as null. */
export function optionalChoice<const T extends readonly [string, ...string[]]>(values: T, invalid: string) {
  return z
    .enum([...values, ''], { error: invalid })
    .nullable()
    .transform((value) => (value === '' || value === null ? null : (value as T[number])));
}

/** The `updated_at` a form was loaded with; empty counts as absent. */
export const expectedUpdatedAt = z
  .unknown()
  .transform((value) => (typeof value === 'string' && value !== '' ? value : undefined))
  .meta({ type: 'string', format: 'date-time', description: 'updated_at saat data dimuat; berbeda → 409' });

/** Both spellings of an instant that every object carries (contract 2). */
export const timestamps = {
  created_at: z.string(),
  createdAt: z.string(),
  updated_at: z.string(),
  updatedAt: z.string(),
};

export const bothIds = { id: z.string(), _id: z.string() };
