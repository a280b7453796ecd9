import type { Cell, GridRow } from '../files/grid.ts';
import { createMemoryCheck } from '../files/memory-limit.ts';
import type { ListNote, ListTotal } from '../list-reading.ts';
import { readAmount } from './amounts.ts';
import { compactHeader } from './column-names.ts';
import type { SheetLayout } from './layouts.ts';
import { type NopCell, readNopCell } from './nop-cells.ts';
import { cleanText } from './texts.ts';
import { totalOf } from './total-rows.ts';
import { type ReadValues, readValues, type ValueRules } from './values.ts';

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

type FoundTotal = { isGrand: boolean; total: ListTotal };

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
  const groups: Partial<Record<'.' | ',', number>> = {};

  for (const row of grid.rows) {
    if (row.row <= header.lastRow) continue;
    if (row.isHidden) notes.count('hidden_rows', row.row);
    const nop = readNopCell(row.cells, rules.columns);
    if (nop.kind === 'header' || isColumnNumbers(row.cells) || isHeaderAgain(row, headerTexts)) continue;
    const total = nop.kind === 'whole' ? null : totalOf(row.cells);
    if (total) {
      if (total.kind !== 'page') totals.push({ isGrand: total.kind === 'grand', total: readTotal(total, row, nop) });
      continue;
    }
    if ((nop.kind === 'empty' || nop.kind === 'words') && !hasAmount(row.cells)) continue;
    objects.push({ row: row.row, nop, ...readValues(row.cells, rules) });
    endStep();
  }

  function readTotal(
    found: { label: string; objects: number | null },
    { row, cells }: GridRow,
    nop: NopCell,
  ): ListTotal {
    const amount = readAmount(cells[rules.columns.amount ?? -1], rules.amountMultiplier);
    if ('problem' in amount && amount.problem !== 'amount_missing') notes.count('total_invalid', row);
    return {
      label: found.label,
      sheet: grid.name,
      row,
      // Some lists count their objects in the column of the NOP.
      objects: found.objects ?? (nop.kind === 'short' ? Number(nop.digits) : null),
      amount_sen: 'sen' in amount ? amount.sen : null,
    };
  }

  function hasAmount(cells: readonly Cell[]): boolean {
    const cell = cells[rules.columns.amount ?? -1];
    return typeof cell === 'number' || /\d/.test(cleanText(cell));
  }

  const last = totals.at(-1) ?? null;
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
    total: last?.total ?? null,
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

/** A page begins with the same header; every word of the row stands in it, in the same column. */
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
