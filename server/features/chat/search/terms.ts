import { findNop, otherNopForms } from '#shared/domain/dhkp/nop.ts';
import { type Word, wordsOf } from '#server/messages/message-words.ts';

/** One piece of a query without spaces: words that follow each other, such as the groups of digits of `45.000`. */
export type Term = {
  words: string[];
  /** Of a whole NOP the words of its other form, with or without signs: a message may have these instead. */
  otherWords: string[] | null;
  /** The last word is still being typed: it also finds longer words. */
  isPrefix: boolean;
  /** The same words as the index is asked for them, those of the other form too. */
  phrase: string;
};

/** A place in a text. */
export type Mark = [from: number, to: number];

/** A query of 200 characters could have a hundred words; each costs a look into the index. */
const TERMS_MAX = 32;
/** A single letter would find nearly every message. */
const PREFIX_MIN_LENGTH = 2;

/** Only letters and digits reach the index, so nothing in a query is an operator. */
const phraseOf = (text: string): string =>
  `"${wordsOf(text)
    .map(({ from, to }) => text.slice(from, to))
    .join(' ')}"`;

/** A whole NOP alone has another form, so that a query of 200 characters still names at most a hundred words. */
function otherFormOf(piece: string): string | null {
  if (findNop(piece) === null) return null;
  return otherNopForms(piece).find((form) => phraseOf(form) !== phraseOf(piece)) ?? null;
}

/** Any text is a query: what is no letter and no digit only separates words. */
export function parseTerms(query: string): Term[] {
  const pieces = query.split(/\s+/u).flatMap((piece) => {
    const words = wordsOf(piece);
    return words.length > 0
      ? [{ piece, words: words.map(({ text }) => text), isTyped: words.at(-1)?.to === piece.length }]
      : [];
  });
  return pieces.slice(0, TERMS_MAX).map(({ piece, words, isTyped }, index) => {
    const isLast = index === pieces.length - 1;
    const isPrefix = isLast && isTyped && Array.from(words.at(-1) ?? '').length >= PREFIX_MIN_LENGTH;
    const otherForm = otherFormOf(piece);
    const forms = otherForm === null ? [piece] : [piece, otherForm];
    const phrases = forms.map((form) => (isPrefix ? `${phraseOf(form)} *` : phraseOf(form)));
    return {
      words,
      otherWords: otherForm === null ? null : wordsOf(otherForm).map(({ text }) => text),
      isPrefix,
      phrase: phrases.length > 1 ? `(${phrases.join(' OR ')})` : phrases.join(''),
    };
  });
}

/** Names have no NOP, so that SQLite compares them with what was typed alone. */
export const asTyped = (term: Term): Term => ({ ...term, otherWords: null });

/** The question to the index: messages that contain all terms. */
export const indexQuery = (terms: readonly Term[]): string => terms.map(({ phrase }) => phrase).join(' AND ');

const ONLY_ASCII = /^\p{ASCII}*$/u;

const formsOf = ({ words, otherWords }: Term): string[][] => (otherWords === null ? [words] : [words, otherWords]);

/** The places of a term among the words of a text. */
const placesOf = (term: Term, text: readonly Word[]): Mark[] =>
  formsOf(term).flatMap((words) => placesOfWords(words, term.isPrefix, text));

function placesOfWords(words: readonly string[], isPrefix: boolean, text: readonly Word[]): Mark[] {
  const marks: Mark[] = [];
  const last = words.length - 1;
  for (let start = 0; start + last < text.length; start += 1) {
    const isFound = words.every((word, index) => {
      const other = text[start + index]?.text ?? '';
      return isPrefix && index === last ? other.startsWith(word) : other === word;
    });
    const [first, end] = [text[start], text[start + last]];
    if (isFound && first && end) marks.push([first.from, end.to]);
  }
  return marks;
}

/**
 * Whether a text contains every term.
 * @returns the places, in the order of the text and without overlaps; null when a term is missing
 */
export function findTerms(text: string, terms: readonly Term[]): Mark[] | null {
  if (terms.length === 0) return [];
  // Most texts do not match, and most are plain ASCII: one look spares the division into words.
  if (ONLY_ASCII.test(text)) {
    const lower = text.toLowerCase();
    const isIn = (words: readonly string[]): boolean => words.every((word) => lower.includes(word));
    if (!terms.every((term) => formsOf(term).some(isIn))) return null;
  }
  const words = wordsOf(text);
  const marks: Mark[] = [];
  for (const term of terms) {
    const places = placesOf(term, words);
    if (places.length === 0) return null;
    marks.push(...places);
  }
  return joinMarks(marks);
}

/** All places of any of the terms, for a text of which it is known that it counts as found. */
export function markTerms(text: string, terms: readonly Term[]): Mark[] {
  const words = wordsOf(text);
  return joinMarks(terms.flatMap((term) => placesOf(term, words)));
}

function joinMarks(marks: Mark[]): Mark[] {
  const joined: Mark[] = [];
  for (const [from, to] of marks.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const before = joined.at(-1);
    if (before && from < before[1]) before[1] = Math.max(before[1], to);
    else joined.push([from, to]);
  }
  return joined;
}
