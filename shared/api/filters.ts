import { z } from 'zod';
import { SEARCH_MAX } from '../limits.ts';
import { isDate } from './fields.ts';

/**
 * A filter of a list, as a URL carries it (R-API-12). An absent or empty filter is undefined. A value that no row can
 * match is null: the list is then empty, and never complete.
 */
export function filter<S extends z.ZodType>(value: S): z.ZodOptional<z.ZodType<z.output<S> | null | undefined>> {
  // zod does not know that a caught value may have a type of its own.
  const caught = value.optional().catch(null as never);
  return z.preprocess((input) => (isBlank(input) ? undefined : input), caught).optional();
}

function isBlank(input: unknown): boolean {
  return typeof input === 'string' && input.trim() === '';
}

/** A text to search for, trimmed. */
export const searchFilter = filter(z.string().trim().max(SEARCH_MAX));

/** Any text: an id that does not exist matches nothing anyway. */
export const idFilter = filter(z.string().trim());

/** A flag: 1/0 or true/false. */
export const flagFilter = filter(
  z.enum(['1', 'true', '0', 'false']).transform((value) => value === '1' || value === 'true'),
);

/** Values of a set, separated by commas. An unknown one matches no row; of known ones a row has to match one. */
export const setFilter = <const Value extends string>(values: readonly Value[]) =>
  filter(
    z
      .string()
      .transform((text) => new Set(text.split(',').map((part) => part.trim())))
      .transform((sent) => values.filter((value) => sent.has(value)))
      .refine((known) => known.length > 0),
  );

/** A calendar date, yyyy-mm-dd. */
export const dateFilter = filter(z.string().refine(isDate));

/** Filters of which each can match a row. */
export type PossibleFilters<T> = { [Name in keyof T]: Exclude<T[Name], null> };

/** @returns null when a filter is null, so that no row can match */
export function possibleFilters<T extends object>(filters: T): PossibleFilters<T> | null {
  return Object.values(filters).includes(null) ? null : (filters as PossibleFilters<T>);
}
