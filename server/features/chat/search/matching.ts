import type { Term } from './terms.ts';
import { type Word, wordsOf } from '#server/messages/message-words.ts';

export type Mark = [from: number, to: number];

const ONLY_ASCII = /^\p{ASCII}*$/u;

/** The places of a term among the words of a text. */
function placesOf({ words, isPrefix }: Term, text: readonly Word[]): Mark[] {
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
    if (terms.some(({ words }) => words.some((word) => !lower.includes(word)))) return null;
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
