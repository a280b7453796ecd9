import { useLayoutEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { parseCalendarDate } from '#shared/domain/dates/dates.ts';
import { SEARCH_MAX } from '#shared/limits.ts';
import { PAGE_PARAM } from '../paging/page-params.ts';

/** One part of a filter in the address. A part without its parameter has the value of an empty text. */
export type UrlPart<Value extends string> = {
  param: string;
  /** Any text, because people change addresses. One that is no value counts as empty. */
  read: (text: string) => Value;
  write: (value: Value) => string;
};
export type UrlParts<Filter> = { [Part in keyof Filter]: UrlPart<Filter[Part] & string> };
const asIs = (value: string): string => value;

export const textPart = (param: string): UrlPart<string> => ({
  param,
  read: (text) => text.slice(0, SEARCH_MAX),
  write: asIs,
});

/** A calendar date, yyyy-mm-dd. */
export const datePart = (param: string): UrlPart<string> => ({
  param,
  read: (text) => parseCalendarDate(text) ?? '',
  write: asIs,
});

export const yearPart = (param: string): UrlPart<string> => ({
  param,
  read: (text) => (/^\d{4}$/.test(text) ? text : ''),
  write: asIs,
});

/** One of some values, or '' for all. */
export const choicePart = <Value extends string>(param: string, values: readonly Value[]): UrlPart<Value | ''> => ({
  param,
  read: (text) => values.find((value) => value === text) ?? '',
  write: asIs,
});

/** As `choicePart`, with a word of its own for each value in the address. */
export const wordPart = <Value extends string>(param: string, words: Record<Value, string>): UrlPart<Value | ''> => ({
  param,
  read: (text) => keysOf(words).find((value) => words[value] === text) ?? '',
  write: (value) => (value === '' ? '' : words[value]),
});

/** The order of a list. The usual one is not written. */
export const sortPart = <Value extends string>(
  param: string,
  values: readonly Value[],
  usual: Value,
): UrlPart<Value> => ({
  param,
  read: (text) => values.find((value) => value === text) ?? usual,
  write: (value) => (value === usual ? '' : value),
});

export function keysOf<Key extends string>(labels: Record<Key, unknown>): Key[] {
  return Object.keys(labels) as Key[];
}

export function readFilter<Filter extends Record<string, string>>(
  parts: UrlParts<Filter>,
  params: URLSearchParams,
): Filter {
  const values = keysOf(parts as Record<keyof Filter & string, unknown>).map((part) => {
    const { param, read } = parts[part];
    return [part, read(params.get(param) ?? '')];
  });
  return Object.fromEntries(values) as Filter;
}

/** Puts a filter before the other parameters of an address and leaves out its empty parts. */
export function writeFilter<Filter extends Record<string, string>>(
  parts: UrlParts<Filter>,
  filter: Filter,
  current = new URLSearchParams(),
): URLSearchParams {
  const names = keysOf(parts as Record<keyof Filter & string, unknown>);
  const own = names.map((part) => [parts[part].param, parts[part].write(filter[part])]);
  const ownParams = new Set(names.map((part) => parts[part].param));
  const others = [...current].filter(([name]) => !ownParams.has(name));
  return new URLSearchParams([...own.filter(([, value]) => value !== ''), ...others]);
}

/**
 * The filter of a list in its address: back, reload and a shared link show the same rows.
 * @param parts must stay the same object
 */
export function useUrlFilter<Filter extends Record<string, string>>(parts: UrlParts<Filter>) {
  const [params, setParams] = useSearchParams();
  const none = readFilter(parts, new URLSearchParams());
  // A second change comes before the first one is drawn where a choice meets the end of typing.
  const latest = useRef(params);
  useLayoutEffect(() => {
    latest.current = params;
  }, [params]);

  /**
   * Starts on the first page again.
   * @param replace replaces the browser's history entry, so that a search leaves one entry and not one for each pause
   */
  function change(changed: Partial<Filter>, { replace = false } = {}): void {
    const current = latest.current;
    const next = writeFilter(parts, { ...readFilter(parts, current), ...changed }, current);
    next.delete(PAGE_PARAM);
    latest.current = next;
    setParams(next, { replace, preventScrollReset: true });
  }

  /** Empties some parts. */
  const reset = (keys: readonly (keyof Filter)[]): void =>
    change(Object.fromEntries(keys.map((key) => [key, none[key]])) as Partial<Filter>);

  return { filter: readFilter(parts, params), none, change, reset, clear: () => change(none) };
}
export type FilterChange<Filter> = (changed: Partial<Filter>, options?: { replace?: boolean }) => void;
