/**
 * Codes that people read aloud, write down and type: cards, activations, codes of the office, the spare codes of a second factor,
 * and the codes with which admins set one up.
 */

/** Letters and digits of which no two look or sound alike in print or handwriting: no 0 O, 1 I L, 2 Z, 5 S, 8 B, 6 G, U V. */
export const CODE_ALPHABET = '2346789ACDEFHJKMNPQRTVWXY';
export const CODE_LENGTHS = { recovery: 8, card: 8, activation: 10, spare: 10, setup: 10 } as const;
export type CodeKind = keyof typeof CODE_LENGTHS;

/** The code that was typed or pasted, without letter case, spaces, hyphens and invisible characters; two typed codes with the same result are the same code. */
export const cleanCode = (typed: string): string =>
  typed.toUpperCase().replaceAll(/[\s\p{Pd}\p{Default_Ignorable_Code_Point}]/gu, '');

/** In two halves: 'K7M2-9QXA'. */
export function formatCode(code: string): string {
  const half = Math.ceil(code.length / 2);
  return `${code.slice(0, half)}-${code.slice(half)}`;
}

/** @param pick a random integer from 0 up to, not including, its argument */
export const makeCode = (kind: CodeKind, pick: (below: number) => number): string =>
  Array.from({ length: CODE_LENGTHS[kind] }, () => CODE_ALPHABET.charAt(pick(CODE_ALPHABET.length))).join('');
