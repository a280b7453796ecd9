import type { Cell, GridRow } from '../files/grid.ts';
import { createMemoryCheck } from '../files/memory-limit.ts';
import type { ListNote, ListTotal } from '../list-reading.ts';
import { type Amount, readAmount } from './amounts.ts';
import { compactHeader } from './column-names.ts';
import type { SheetLayout } from './layouts.ts';
import { type NopCell, readNopCell } from './nop-cells.ts';
import { cleanText } from './texts.ts';
import { type TotalKind, totalOf } from './total-rows.ts';
import { hasMovedCells, type ReadValues, readValues, type ValueRules } from './values.ts';

/** A row that is an object, before its NOP is completed and compared with the others. */
export type ObjectRow = { row: number; nop: NopCell } & ReadValues;

export type SheetRows = {
  sheet: string;
  objects: ObjectRow[];
  /** The control total of the sheet. */
  total: ListTotal | null;
  /** The last sum that calls itself a grand total, and the last other one. */
  grandTotal: ListTotal | null;
  plainTotal: ListTotal | null;
  notes: ListNote[];
};

/** `isEmpty`: it has no amount, as a row that only counts objects. */
type FoundTotal = { isGrand: boolean; isEmpty: boolean; total: ListTotal };

/** A row with words such as `belum ada` for its NOP is an object if so many other cells of the list are filled. */
const OBJECT_CELLS_MIN = 2;
/** Amounts are rarely below this; a spreadsheet of another language makes 45 of a typed `45.000`. */
const SMALL_RUPIAH = 1000;

/** Reads the rows below the header of one sheet. */
export function readSheetRows(layout: SheetLayout, rules: ValueRules, year: number): SheetRows {
  const { grid, header } = layout;
  const notes = createNotes(grid.name);
  const headerTexts = grid.rows.filter(({ row }) => row >= header.firstRow && row <= header.lastRow).map(wordsOf);
  const objects: ObjectRow[] = [];
  const totals: FoundTotal[] = [];
  const endStep = createMemoryCheck();
  const { nop: nopColumn, amount: amountColumn, ...others } = rules.columns;
  const otherColumns = Object.values(others).filter((column) => column !== nopColumn && column !== amountColumn);
  const groups: Partial<Record<'.' | ',', number>> = {};

  for (const row of grid.rows) {
    if (row.row <= header.lastRow) continue;
    if (row.isHidden) notes.count('hidden_rows', row.row);
    const nop = readNopCell(row.cells, rules.columns);
    if (nop.kind !== 'whole') {
      if (nop.kind === 'header' || isColumnNumbers(row.cells) || isHeaderAgain(row, headerTexts)) continue;
      const total = totalOf(row.cells);
      if (total && total.kind !== 'page') totals.push(readTotal(total, row, nop));
      if (total || isTitle(row.cells, nop)) continue;
    }
    objects.push({ row: row.row, nop, ...readValues(row.cells, rules) });
    endStep();
  }

  function readTotal(
    found: { kind: TotalKind; label: string; objects: number | null },
    { row, cells }: GridRow,
    nop: NopCell,
  ): FoundTotal {
    const amount: Amount = hasMovedCells(cells, rules)
      ? { problem: 'amount_invalid' }
      : readAmount(cells[rules.columns.amount ?? -1], rules.amountMultiplier);
    const isEmpty = 'problem' in amount && amount.problem === 'amount_missing';
    if ('problem' in amount && !isEmpty) notes.count('total_invalid', row);
    const total = {
      label: found.label,
      sheet: grid.name,
      row,
      // Some lists count their objects in the column of the NOP.
      objects: found.objects ?? (nop.kind === 'short' ? Number(nop.digits) : null),
      amount_sen: 'sen' in amount ? amount.sen : null,
    };
    return { isGrand: found.kind === 'grand', isEmpty, total };
  }

  /** Titles, signatures and empty rows have neither a NOP nor an amount. Words in place of a NOP need more to be an object. */
  function isTitle(cells: readonly Cell[], nop: NopCell): boolean {
    if (nop.kind !== 'empty' && nop.kind !== 'words') return false;
    const amount = cells[rules.columns.amount ?? -1];
    if (typeof amount === 'number' || /\d/.test(cleanText(amount))) return false;
    const said = otherColumns.filter((column) => cleanText(cells[column]) !== '').length;
    return nop.kind === 'empty' || said < OBJECT_CELLS_MIN;
  }

  const last = totals.at(-1) ?? null;
  const control = totals.findLast(({ isEmpty }) => !isEmpty) ?? last;
  const listed = objects.filter((object) => {
    // An employee's number of 18 digits under a signature is no object.
    const isBelow = last !== null && object.row > last.total.row;
    if (isBelow) {
      if (object.nop.kind !== 'empty' && object.nop.kind !== 'words') notes.count('below_total', object.row);
      return false;
    }
    const isOfOtherYear = object.values.year !== null && object.values.year !== year;
    if (isOfOtherYear) notes.count('other_year', object.row);
    return !isOfOtherYear;
  });
  for (const { row, group } of listed) if (group) groups[group] ??= row;
  if (groups['.'] !== undefined && groups[','] !== undefined)
    notes.count('mixed_groups', Math.max(groups['.'], groups[',']));
  if (groups['.'] !== undefined || groups[','] !== undefined) noteSmallNumbers();

  function noteSmallNumbers(): void {
    const small = SMALL_RUPIAH * 100;
    for (const { row, values, group } of listed)
      if (group === null && values.amount_sen !== null && values.amount_sen > 0 && values.amount_sen < small)
        notes.count('small_amounts', row);
  }

  return {
    sheet: grid.name,
    objects: listed,
    total: control?.total ?? null,
    grandTotal: totals.findLast(({ isGrand }) => isGrand)?.total ?? null,
    plainTotal: totals.findLast(({ isGrand }) => !isGrand)?.total ?? null,
    notes: notes.list(),
  };
}

/** 1 2 3 … in the columns, also as `(1)`. */
function isColumnNumbers(cells: readonly Cell[]): boolean {
  const numbers = cells.map((cell) => cleanText(cell).replaceAll(/[()[\].]/g, '')).filter((text) => text !== '');
  return numbers.length >= 3 && numbers.every((text, index) => text === String(index + 1));
}

function wordsOf({ cells }: GridRow): string[] {
  return cells.map((cell) => compactHeader(cleanText(cell)));
}

/** A page may repeat the header. Such a row has only words of the header, each in its column. */
function isHeaderAgain(row: GridRow, headerTexts: readonly string[][]): boolean {
  const words = wordsOf(row);
  const said = words.filter(Boolean).length;
  return (
    said >= 2 && headerTexts.some((header) => words.every((word, column) => word === '' || word === header[column]))
  );
}

const MESSAGES: Record<string, (count: number, first: number) => string> = {
  hidden_rows: (count) => `${count} baris tersembunyi ikut dibaca.`,
  below_total: (count, first) =>
    `${count} baris di bawah jumlah terakhir tampak seperti objek dan tidak dibaca (mulai baris ${first}).`,
  other_year: (count, first) => `${count} baris untuk tahun lain tidak dibaca (mulai baris ${first}).`,
  mixed_groups: () => 'Kolom ketetapan memakai titik dan koma sebagai pemisah ribuan. Periksa angkanya.',
  small_amounts: (count, first) =>
    `${count} ketetapan di bawah Rp 1.000 (mulai baris ${first}). Mungkin "45.000" terbaca sebagai 45. Periksa angkanya.`,
  total_invalid: (_, first) => `Jumlah di baris ${first} tidak terbaca dengan pasti.`,
};

/** One warning of a sheet for each kind, with how many rows it is about and the first of them. */
function createNotes(sheet: string) {
  const found = new Map<string, { count: number; first: number }>();
  return {
    count(code: string, row: number): void {
      const note = found.get(code);
      if (note) note.count += 1;
      else found.set(code, { count: 1, first: row });
    },
    list: (): ListNote[] =>
      [...found].map(([code, { count, first }]) => ({
        code,
        sheet,
        row: first,
        message: MESSAGES[code]?.(count, first) ?? '',
      })),
  };
}
