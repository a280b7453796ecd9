import type { ListField } from '#shared/domain/dhkp/list-fields.ts';
import type { Cell } from '../files/grid.ts';
import type { CellNote, ListColumns, ListValues } from '../list-reading.ts';
import { readAmount } from './amounts.ts';
import { readDate } from './dates.ts';
import { MOVED_CELLS, PROBLEM_MESSAGES } from './messages.ts';
import { cleanText, cutText, isErrorText } from './texts.ts';

/** `multipliers`: of the amounts and of NJOP, which may have different units. */
export type ValueRules = {
  columns: ListColumns;
  isDate1904: boolean;
  amountMultiplier: 1 | 1000;
  njopMultiplier: 1 | 1000;
  useChanged: boolean;
  /** Of a text with separated cells: the sign, and how many columns its header has. */
  separated: { separator: string; width: number } | null;
};

export type ReadValues = {
  values: ListValues;
  problems: CellNote[];
  warnings: CellNote[];
  /** The sign that groups the digits of the amount, where it is a text with groups. */
  group: '.' | ',' | null;
};

const NAME_MAX = 255;
const ADDRESS_MAX = 1000;
const TEXT_MAX = 100;
const NOTE_TEXT_MAX = 200;
const HUNDREDS = /^(?:Rp\.? ?)?[1-9]\d{0,2}$/i;
const THREE_DIGITS = /^\d{3}(?:\.\d{1,2})?$/;
const AREA_MAX_M2 = 1e9;
const YEAR_MIN = 1994;
const YEAR_MAX = 2100;

const PAID = new Set(['LUNAS', 'L', '1', 'SUDAH', 'SUDAH LUNAS', 'SUDAH BAYAR', 'YA', 'TRUE']);
const UNPAID = new Set(['BELUM', 'B', '0', 'BELUM LUNAS', 'BELUM BAYAR', 'TIDAK', 'FALSE', '-']);

/** Reads all columns of an object but its NOP. An optional value that cannot be read is null and has a warning. */
export function readValues(cells: readonly Cell[], rules: ValueRules): ReadValues {
  const warnings: CellNote[] = [];
  const problems: CellNote[] = [];
  const cellOf = (field: ListField): Cell => cells[rules.columns[field] ?? -1] ?? null;
  const noteOf = (code: string, field: ListField, message: string): CellNote => ({
    code,
    field,
    text: cutText(cleanText(cellOf(field)), NOTE_TEXT_MAX),
    message,
  });
  const warn = (code: string, field: ListField, message: string): void =>
    void warnings.push(noteOf(code, field, message));

  /** An empty cell, and the dash of an empty cell of numbers, have no warning. */
  const isEmpty = (field: ListField): boolean => /^[-\u2013\u2014]?$/.test(cleanText(cellOf(field)));

  function text(field: ListField, charactersMax: number): string | null {
    const whole = cleanText(cellOf(field));
    if (isErrorText(whole)) {
      warn('value_error', field, 'Sel berisi kesalahan rumus, jadi dikosongkan.');
      return null;
    }
    const cut = cutText(whole, charactersMax);
    if (cut !== whole) warn('text_cut', field, `Teks dipotong menjadi ${charactersMax} karakter.`);
    return cut === '' ? null : cut;
  }

  function number(field: ListField, max: number, multiplier: 1 | 1000): { rupiah: number; sen: number } | null {
    if (isEmpty(field)) return null;
    const cell = cellOf(field);
    const read = readAmount(typeof cell === 'string' ? cell.replace(/\s*m(?:2|²)$/i, '') : cell, multiplier);
    if ('sen' in read && read.sen <= max * 100) return { rupiah: read.sen / 100, sen: read.sen };
    warn('number_invalid', field, 'Angka tidak terbaca dengan pasti, jadi dikosongkan.');
    return null;
  }
  const area = (field: ListField): number | null => number(field, AREA_MAX_M2, 1)?.rupiah ?? null;
  const money = (field: ListField, multiplier: 1 | 1000): number | null =>
    number(field, Infinity, multiplier)?.sen ?? null;

  function date(field: ListField): string | null {
    if (isEmpty(field)) return null;
    const read = readDate(cellOf(field), rules.isDate1904);
    if (read === null) warn('date_invalid', field, 'Tanggal tidak terbaca dengan pasti, jadi dikosongkan.');
    return read;
  }

  function flag(): boolean | null {
    const word = cleanText(cellOf('paid_flag')).toUpperCase();
    if (word === '') return null;
    if (PAID.has(word)) return true;
    if (UNPAID.has(word)) return false;
    warn('flag_invalid', 'paid_flag', 'Keterangan lunas tidak dikenal, jadi dikosongkan.');
    return null;
  }

  function year(): number | null {
    const word = cleanText(cellOf('year'));
    if (word === '') return null;
    const read = /^\d{4}$/.test(word) ? Number(word) : NaN;
    if (read >= YEAR_MIN && read <= YEAR_MAX) return read;
    warn('year_invalid', 'year', 'Tahun tidak terbaca dengan pasti, jadi dikosongkan.');
    return null;
  }

  const isMoved = hasMovedCells(cells, rules);
  let group: '.' | ',' | null = null;
  function amount(): number | null {
    if (isMoved) {
      problems.push({
        ...noteOf('amount_invalid', 'amount', MOVED_CELLS),
        text: cutText(cells.join(' | '), NOTE_TEXT_MAX),
      });
      return null;
    }
    const read = readAmount(cellOf('amount'), rules.amountMultiplier);
    if ('problem' in read) {
      problems.push(noteOf(read.problem, 'amount', PROBLEM_MESSAGES[read.problem]));
      return null;
    }
    group = read.group;
    return read.sen;
  }

  const values: ListValues = {
    name: text('name', NAME_MAX),
    payer_address: text('payer_address', ADDRESS_MAX),
    object_address: text('object_address', ADDRESS_MAX),
    land_m2: area('land_m2'),
    building_m2: area('building_m2'),
    njop_sen: money('njop', rules.njopMultiplier),
    amount_sen: amount(),
    amount_changed_sen: money('amount_changed', rules.amountMultiplier),
    due_date: date('due_date'),
    paid_on: date('paid_on'),
    paid_amount_sen: money('paid_amount', rules.amountMultiplier),
    paid_fine_sen: money('paid_fine', rules.amountMultiplier),
    paid_place: text('paid_place', TEXT_MAX),
    is_paid: flag(),
    old_number: text('old_number', TEXT_MAX),
    book: text('book', TEXT_MAX),
    dusun: text('dusun', TEXT_MAX),
    rt: text('rt', TEXT_MAX),
    rw: text('rw', TEXT_MAX),
    collector: text('collector', TEXT_MAX),
    year: year(),
  };

  // A cell that has moved is no changed amount.
  if (!isMoved && values.amount_changed_sen !== null && values.amount_changed_sen > 0) {
    warn(
      'amount_changed',
      'amount_changed',
      rules.useChanged
        ? 'Perubahan pajak dipakai sebagai ketetapan.'
        : 'Ada perubahan pajak. Ketetapan dibaca tanpa perubahan itu.',
    );
    if (rules.useChanged) {
      values.amount_sen = values.amount_changed_sen;
      problems.length = 0;
    }
  }
  checkPayment(values, warn);
  return { values, problems, warnings, group };
}

/**
 * Whether a separator too many has moved the cells of a row: `45,000` without quotation marks becomes 45 and 000. An amount of
 * hundreds before three digits is taken for one, because none is assessed so low. So is a changed amount that counts.
 */
export function hasMovedCells(cells: readonly Cell[], { columns, separated, useChanged }: ValueRules): boolean {
  if (!separated) return false;
  if (cells.slice(separated.width).some((cell) => cleanText(cell) !== '')) return true;
  if (separated.separator !== ',') return false;
  const amounts = useChanged ? [columns.amount, columns.amount_changed] : [columns.amount];
  return amounts.some(
    (column) =>
      column !== undefined &&
      HUNDREDS.test(cleanText(cells[column])) &&
      THREE_DIGITS.test(cleanText(cells[column + 1])),
  );
}

/** A payment is what the tax office says; a part of it that is missing is never invented. */
function checkPayment(values: ListValues, warn: (code: string, field: ListField, message: string) => void): void {
  const { paid_amount_sen: paid, amount_sen: assessed } = values;
  if (paid === 0) {
    warn('paid_zero', 'paid_amount', 'Pembayaran 0 tidak disimpan.');
    Object.assign(values, {
      paid_on: null,
      paid_amount_sen: null,
      paid_fine_sen: null,
      paid_place: null,
      is_paid: values.is_paid === false ? false : null,
    });
  }
  if (paid !== null && assessed !== null && paid > assessed)
    warn('paid_more', 'paid_amount', 'Pembayaran lebih besar daripada ketetapan.');
  if (values.is_paid === true && values.paid_on === null)
    warn('paid_undated', 'paid_flag', 'Lunas tanpa tanggal bayar. Tanggalnya tetap kosong.');
}
