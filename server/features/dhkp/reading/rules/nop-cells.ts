import { cleanNop, isNop, NOP_LENGTH, NOP_SHORT_LENGTH } from '#shared/domain/dhkp/nop.ts';
import type { Cell } from '../files/grid.ts';
import type { ListColumns } from '../list-reading.ts';
import { isNopHeader, NOP_PARTS } from './column-names.ts';
import { cleanText } from './texts.ts';

/** `short`: the eight digits below the village; `words`: a text without a digit, such as a title. */
export type NopCell =
  | { kind: 'empty' }
  | { kind: 'words'; text: string }
  | { kind: 'header' }
  | { kind: 'whole'; digits: string }
  | { kind: 'short'; digits: string; text: string }
  | { kind: 'problem'; code: 'nop_lost' | 'nop_length' | 'nop_invalid'; text: string };

/** Spreadsheets keep 15 digits of a number; those after them are another object's. */
const EXACT_NUMBER_END = 1e15;
const SHORT_NUMBER_END = 10 ** NOP_SHORT_LENGTH;
const EXPONENT = /^\d+(?:[.,]\d+)?E\+?\d+$/i;
/** Programs write `="3515…"` into CSV, so that a spreadsheet keeps the digits. */
const QUOTED_FORMULA = /^="([^"]*)"$/;

export function readNopCell(cells: readonly Cell[], columns: ListColumns): NopCell {
  return columns.nop === undefined ? readParts(cells, columns) : readWhole(cells[columns.nop] ?? null);
}

function readWhole(cell: Cell): NopCell {
  if (typeof cell === 'number') return readNumberCell(cell);
  const text = cleanText(cell).replace(QUOTED_FORMULA, '$1');
  const digits = cleanNop(text);
  if (digits === '') return { kind: 'empty' };
  if (isNopHeader(text)) return { kind: 'header' };
  if (EXPONENT.test(text.replaceAll(/[\s'"]/g, ''))) return { kind: 'problem', code: 'nop_lost', text };
  if (!/\d/.test(digits)) return { kind: 'words', text };
  return readDigits(digits, text);
}

function readDigits(digits: string, text: string): NopCell {
  if (/^\d+$/.test(digits)) {
    if (digits.length === NOP_SHORT_LENGTH) return { kind: 'short', digits, text };
    if (digits.length === NOP_LENGTH)
      return isNop(digits) ? { kind: 'whole', digits } : { kind: 'problem', code: 'nop_invalid', text };
  }
  return { kind: 'problem', code: 'nop_length', text };
}

function readNumberCell(value: number): NopCell {
  const text = String(value);
  if (value >= EXACT_NUMBER_END) return { kind: 'problem', code: 'nop_lost', text: lostDigits(value) };
  if (!Number.isInteger(value) || value < 0 || value >= SHORT_NUMBER_END)
    return { kind: 'problem', code: 'nop_length', text };
  return { kind: 'short', digits: text.padStart(NOP_SHORT_LENGTH, '0'), text };
}

/** As a spreadsheet shows them: 15 digits, then zeros. */
function lostDigits(value: number): string {
  const [digits = '', exponent = '0'] = value.toExponential(14).split('e+');
  return digits.replace('.', '').padEnd(Number(exponent) + 1, '0');
}

function readParts(cells: readonly Cell[], columns: ListColumns): NopCell {
  const texts = NOP_PARTS.map(([part]) => cleanText(cells[columns[part] ?? -1]));
  if (texts.every((text) => text === '')) return { kind: 'empty' };
  const text = texts.join(' ').trim();
  if (!/\d/.test(text)) return { kind: 'words', text };
  const digits = NOP_PARTS.map(([, length], index) => padPart(texts[index] ?? '', length));
  if (digits.includes(null)) return { kind: 'problem', code: 'nop_length', text };
  return readDigits(digits.join(''), text);
}

/** Numbers lose the zeros at their front. */
function padPart(text: string, length: number): string | null {
  const digits = cleanNop(text);
  return /^\d+$/.test(digits) && digits.length <= length ? digits.padStart(length, '0') : null;
}
