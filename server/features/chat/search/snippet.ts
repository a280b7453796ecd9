import type { Mark } from './matching.ts';

/** About three lines on a phone. */
const SNIPPET_MAX = 160;
/** Characters before the first found word. */
const BEFORE_MAX = 48;
const ELLIPSIS = '…';

/** The part of a text around the first found word, on one line, with the found places in it. */
export function cutSnippet(text: string, marks: readonly Mark[]): { snippet: string; marks: Mark[] } {
  const first = marks[0]?.[0] ?? 0;
  const from = first <= BEFORE_MAX || text.length <= SNIPPET_MAX ? 0 : startOfWord(text, first - BEFORE_MAX, first);
  const to = text.length - from <= SNIPPET_MAX ? text.length : endOfWord(text, from + SNIPPET_MAX, from);
  const prefix = from > 0 ? ELLIPSIS : '';
  const suffix = to < text.length ? ELLIPSIS : '';
  // One character for another, so that the places stay right.
  const snippet = `${prefix}${text.slice(from, to).replaceAll(/\s/gu, ' ')}${suffix}`;
  const shift = prefix.length - from;
  const inside = marks.filter((mark) => mark[0] >= from && mark[0] < to);
  return { snippet, marks: inside.map((mark): Mark => [mark[0] + shift, Math.min(mark[1], to) + shift]) };
}

/** The first start of a word from `at` on and before `until`. */
function startOfWord(text: string, at: number, until: number): number {
  const space = text.slice(at, until).search(/\s/u);
  return wholeCharacter(text, space < 0 ? at : at + space + 1);
}

/** The last end of a word before `at`, if that leaves most of the snippet. */
function endOfWord(text: string, at: number, from: number): number {
  const space = text.slice(0, at + 1).search(/\s\S*$/u);
  return wholeCharacter(text, space > from + SNIPPET_MAX / 2 ? space : at);
}

/** Never between the halves of an emoji. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc_00 && code <= 0xdf_ff ? at + 1 : at;
}
