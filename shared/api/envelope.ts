import { z } from 'zod';

/** The shapes that all answers share (R-API-1, R-API-2). */

const errorAnswer = z
  .object({
    success: z.literal(false),
    message: z.string(),
    errors: z.record(z.string(), z.array(z.string())).optional(),
    /** The rows that keep an import from being reverted (R-DHKP-10). */
    data: z.array(z.object({ id: z.string(), nop: z.string() })).optional(),
  })
  .meta({ id: 'Galat' });
export type ErrorAnswer = z.infer<typeof errorAnswer>;

/** `{ success, message, data }` around a single object. */
export function singleOf<T extends z.ZodType>(data: T) {
  return z.object({ success: z.literal(true), message: z.string(), data });
}

/** `{ success, message, data: { data: [...], total, … } }` around a page of a list. */
export function listOf<T extends z.ZodType>(item: T) {
  return singleOf(
    z.object({
      data: z.array(item),
      total: z.number().int(),
      per_page: z.number().int(),
      current_page: z.number().int(),
      last_page: z.number().int(),
    }),
  );
}

/** An answer without data, for an action that succeeded. */
export const doneAnswer = singleOf(z.object({}));

export type Page<T> = { data: T[]; total: number; per_page: number; current_page: number; last_page: number };

/**
 * A query value that counts only when it is a positive integer; anything else counts as absent (R-API-11).
 * @param max larger values are cut to it, however large they are
 */
export function positiveInteger(max = Number.MAX_SAFE_INTEGER) {
  return z
    .unknown()
    .transform((value) => {
      const text = typeof value === 'number' ? String(value) : value;
      if (typeof text !== 'string' || !/^\d+$/.test(text)) return undefined;
      const number = Number(text);
      return number >= 1 ? Math.min(number, max) : undefined;
    })
    .meta({
      type: 'integer',
      minimum: 1,
      ...(max === Number.MAX_SAFE_INTEGER ? {} : { description: `Paling banyak ${max}; yang lebih besar dipotong` }),
    });
}
