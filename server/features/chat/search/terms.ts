import { wordsOf } from '#server/messages/message-words.ts';

/** One piece of a query without spaces: words that follow each other, such as the groups of digits of `45.000`. */
export type Term = {
  words: string[];
  /** The last word is still being typed: it also finds longer words. */
  isPrefix: boolean;
  /** The same words as the index is asked for them. */
  phrase: string;
};

/** A query of 200 characters could have a hundred words; each costs a look into the index. */
const TERMS_MAX = 32;
/** A single letter would find nearly every message. */
const PREFIX_MIN_LENGTH = 2;

/** Any text is a query: what is no letter and no digit only separates words. */
export function parseTerms(query: string): Term[] {
  const pieces = query.split(/\s+/u).flatMap((piece) => {
    const words = wordsOf(piece);
    // Only letters and digits reach the index, so nothing in a query is an operator.
    const phrase = `"${words.map(({ from, to }) => piece.slice(from, to)).join(' ')}"`;
    return words.length > 0
      ? [{ words: words.map(({ text }) => text), phrase, isTyped: words.at(-1)?.to === piece.length }]
      : [];
  });
  return pieces.slice(0, TERMS_MAX).map(({ words, phrase, isTyped }, index) => {
    const isLast = index === pieces.length - 1;
    const isPrefix = isLast && isTyped && Array.from(words.at(-1) ?? '').length >= PREFIX_MIN_LENGTH;
    return { words, isPrefix, phrase: isPrefix ? `${phrase} *` : phrase };
  });
}

/** The question to the index: messages that contain all terms. */
export const indexQuery = (terms: readonly Term[]): string => terms.map(({ phrase }) => phrase).join(' AND ');
