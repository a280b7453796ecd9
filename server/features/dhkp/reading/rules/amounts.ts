import type { Cell } from '../files/grid.ts';
import { cleanText } from './texts.ts';

export type AmountProblem = 'amount_missing' | 'amount_invalid' | 'amount_negative' | 'amount_range';

/** `sen`: whole sen. `group`: the sign that groups the digits of a text in threes, where one does. */
export type Amount = { sen: number; group: '.' | ',' | null } | { problem: AmountProblem };

export const RUPIAH_MAX = 999_999_999_999;

const CURRENCY = /^(?:Rp\.?|IDR)\s*|\s*(?:Rp\.?|IDR)$/gi;
const NO_TAIL = /[.,]-$/;
const NOTHING = /^[-\u2010-\u2015\u2212]$/;
const MINUS = /^[-\u2010-\u2015\u2212]\s*(?=\d|Rp|IDR)/i;
const BRACKETS = /^\(.*\)$/;

/** The only ways to write a number of which it is certain what is meant. A group never begins with 0. */
const PLAIN = /^\d+$/;
const GROUPED: Record<'.' | ',' | ' ', RegExp> = {
  '.': /^[1-9]\d{0,2}(?:\.\d{3})+(?:,\d{1,2})?$/,
  ',': /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d{1,2})?$/,
  ' ': /^[1-9]\d{0,2}(?: \d{3})+(?:[.,]\d{1,2})?$/,
};
const DECIMAL = /^\d+[.,]\d{1,2}$/;

/** Reads an amount of money. What could mean two numbers is invalid, and nothing becomes 0. */
export function readAmount(cell: Cell | undefined, multiplier: 1 | 1000): Amount {
  if (typeof cell === 'number') return toAmount(cell, multiplier, null);
  const text = cleanText(cell).replaceAll(CURRENCY, '').trim();
  if (text === '' || NOTHING.test(text)) return { problem: 'amount_missing' };
  const isNegative = BRACKETS.test(text) || MINUS.test(text);
  const number = text
    .replace(BRACKETS, (inner) => inner.slice(1, -1))
    .replace(MINUS, '')
    .replaceAll(CURRENCY, '')
    .trim();
  const read = readNumber(number.replace(NO_TAIL, ''));
  if (!read) return { problem: 'amount_invalid' };
  if (isNegative) return { problem: 'amount_negative' };
  return toAmount(read.value, multiplier, read.group);
}

/** @returns null for every text of which it is not certain which number it means */
export function readNumber(text: string): { value: number; group: '.' | ',' | null } | null {
  const joined = text.replaceAll(/\s*([.,])\s*/g, '$1');
  if (PLAIN.test(joined)) return { value: Number(joined), group: null };
  if (DECIMAL.test(joined)) return { value: Number(joined.replace(',', '.')), group: null };
  if (GROUPED['.'].test(joined)) return { value: Number(joined.replaceAll('.', '').replace(',', '.')), group: '.' };
  if (GROUPED[','].test(joined)) return { value: Number(joined.replaceAll(',', '')), group: ',' };
  if (GROUPED[' '].test(joined)) return { value: Number(joined.replaceAll(' ', '').replace(',', '.')), group: null };
  return null;
}

function toAmount(value: number, multiplier: 1 | 1000, group: '.' | ',' | null): Amount {
  if (!Number.isFinite(value)) return { problem: 'amount_invalid' };
  if (value < 0) return { problem: 'amount_negative' };
  const rupiah = value * multiplier;
  if (rupiah > RUPIAH_MAX) return { problem: 'amount_range' };
  return { sen: Math.round(rupiah * 100), group };
}
