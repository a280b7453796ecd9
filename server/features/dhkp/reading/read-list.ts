import { isNop, NOP_PREFIX_LENGTH } from '#shared/domain/dhkp/nop.ts';
import { type GridRow, ListFileError, type OpenedFile } from './files/grid.ts';
import {
  hasPayment,
  type ListNote,
  type ListRead,
  type ListRow,
  type ReadChoices,
  type ReadOutcome,
} from './list-reading.ts';
import { openListFile, openListText } from './open-list-file.ts';
import { chooseTotals } from './rules/control-totals.ts';
import { resolveDoubles } from './rules/doubles.ts';
import { hasNop } from './rules/headers.ts';
import { chooseLayouts, type SheetLayout } from './rules/layouts.ts';
import { FAILURES, NOP_WITHOUT_PREFIX, PROBLEM_MESSAGES } from './rules/messages.ts';
import { type ObjectRow, readSheetRows, type SheetRows } from './rules/sheet-rows.ts';
import { cleanText, cutText } from './rules/texts.ts';
import type { ValueRules } from './rules/values.ts';

export type ListSource = { bytes: Uint8Array } | { text: string };

const NOTE_TEXT_MAX = 200;
/** Below so many objects, all may end with zeros by chance. */
const ZEROS_MIN_ROWS = 10;
const SAMPLE_ROWS = 3;
const SAMPLE_TEXT_MAX = 60;

/** Reads a list from the bytes of a file or from pasted cells, by the rules of columns, numbers and totals. */
export async function readList(source: ListSource, choices: ReadChoices): Promise<ReadOutcome> {
  try {
    const file = 'text' in source ? openListText(source.text) : await openListFile(toBuffer(source.bytes));
    return readOpened(file, choices);
  } catch (error) {
    if (error instanceof ListFileError) return { ok: false, message: FAILURES[error.reason] };
    throw error;
  }
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function readOpened(file: OpenedFile, choices: ReadChoices): ReadOutcome {
  const { used, hidden } = chooseLayouts(file.grids, choices);
  const first = used[0] ?? hidden;
  if (!first) return { ok: false, message: FAILURES.no_table };

  const speaksOfThousands = used.some((layout) => layout.saysThousands || layout.header.thousandsColumns.length > 0);
  const multiplier = choices.multiplier ?? (speaksOfThousands ? null : 1);
  const isCertain = used.every(
    ({ header, isProposal }) => !isProposal && hasNop(header.columns) && header.columns.amount !== undefined,
  );
  const needsMapping = used.length === 0 || !isCertain || multiplier === null;
  const { columns, headers, firstRow, unknownHeaders } = first.header;

  const sheets = needsMapping ? [] : used.map((layout) => readSheet(layout, file, choices, multiplier));
  const prefix = choices.prefix ?? mostCommonPrefix(sheets);
  const rows = resolveDoubles(
    sheets.flatMap(({ sheet, objects }) =>
      objects.map((object) => toListRow(sheet, object, prefix, choices.includeOtherVillage ?? false)),
    ),
  );
  const list: ListRead = {
    sheets: file.grids.map((grid, index) => ({
      index,
      name: grid.name,
      hidden: grid.isHidden,
      rows: grid.rows.length,
      header_row: used.find((layout) => layout.index === index)?.header.firstRow || null,
      used: used.some((layout) => layout.index === index),
    })),
    columns,
    headers,
    headerRow: firstRow || null,
    unknownHeaders,
    samples: sampleRows(file.grids[first.index]?.rows ?? [], first.header.lastRow),
    prefix,
    multiplier,
    needsMapping,
    paidNops: listPaidNops(rows),
    rows,
    totals: chooseTotals(sheets, rows),
    warnings: [
      ...noteSheets(file, used, choices),
      ...used.flatMap(noteColumns),
      ...sheets.flatMap(({ notes }) => notes),
      ...noteZeros(rows),
    ],
  };
  return { ok: true, list };
}

function listPaidNops(rows: readonly ListRow[]): string[] | null {
  const counted = rows.filter(({ problems, isOtherVillage }) => problems.length === 0 && !isOtherVillage);
  if (counted.length === 0 || !counted.every(hasPayment)) return null;
  return [...new Set(counted.flatMap(({ nop }) => nop ?? []))];
}

function sampleRows(rows: readonly GridRow[], headerRow: number): string[][] {
  const below = rows.filter(({ row }) => row > headerRow).slice(0, SAMPLE_ROWS);
  return below.map(({ cells }) => cells.map((cell) => cutText(cleanText(cell), SAMPLE_TEXT_MAX)));
}

function readSheet(
  { header, ...layout }: SheetLayout,
  { isDate1904, separator }: OpenedFile,
  { year, useChanged = false }: ReadChoices,
  multiplier: 1 | 1000,
): SheetRows {
  const { columns, thousandsColumns } = header;
  // If single headers speak of thousands, the values below the others are whole.
  const isNjopInThousands = thousandsColumns.length === 0 || thousandsColumns.includes(columns.njop ?? -1);
  const rules: ValueRules = {
    columns,
    isDate1904,
    amountMultiplier: multiplier,
    njopMultiplier: layout.saysThousands || isNjopInThousands ? multiplier : 1,
    useChanged,
    separated: separator !== undefined && header.firstRow > 0 ? { separator, width: header.headers.length } : null,
  };
  return readSheetRows({ header, ...layout }, rules, year);
}

/** The first ten digits that most whole NOPs share. */
function mostCommonPrefix(sheets: readonly SheetRows[]): string | null {
  const counts = new Map<string, number>();
  for (const { objects } of sheets)
    for (const { nop } of objects) {
      if (nop.kind !== 'whole') continue;
      const prefix = nop.digits.slice(0, NOP_PREFIX_LENGTH);
      counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
    }
  let best: string | null = null;
  for (const [prefix, count] of counts) if (best === null || count > (counts.get(best) ?? 0)) best = prefix;
  return best;
}

function toListRow(
  sheet: string,
  { row, nop: cell, values, problems, warnings }: ObjectRow,
  prefix: string | null,
  includeOtherVillage: boolean,
): ListRow {
  const listRow: ListRow = { sheet, row, nop: null, values, isOtherVillage: false, problems: [...problems], warnings };
  const refuse = (code: 'nop_lost' | 'nop_length' | 'nop_missing' | 'nop_invalid', text: string, message?: string) =>
    listRow.problems.unshift({
      code,
      field: 'nop',
      text: cutText(text, NOTE_TEXT_MAX),
      message: message ?? PROBLEM_MESSAGES[code],
    });
  if (cell.kind === 'problem') refuse(cell.code, cell.text);
  else if (cell.kind === 'words') refuse('nop_length', cell.text);
  else if (cell.kind === 'short') {
    const digits = `${prefix ?? ''}${cell.digits}`;
    if (prefix === null) refuse('nop_length', cell.text, NOP_WITHOUT_PREFIX);
    else if (isNop(digits)) listRow.nop = digits;
    else refuse('nop_invalid', cell.text);
  } else if (cell.kind === 'whole') listRow.nop = cell.digits;
  else refuse('nop_missing', '');
  listRow.isOtherVillage =
    !includeOtherVillage && prefix !== null && listRow.nop !== null && !listRow.nop.startsWith(prefix);
  return listRow;
}

/** Names the sheets that are not read. */
function noteSheets({ grids }: OpenedFile, used: readonly SheetLayout[], { sheets }: ReadChoices): ListNote[] {
  return grids.flatMap((grid, index): ListNote[] => {
    if (sheets || grid.rows.length === 0 || used.some((layout) => layout.index === index)) return [];
    const note = { sheet: grid.name, row: null };
    return grid.isHidden
      ? [{ ...note, code: 'sheet_hidden', message: 'Tersembunyi, jadi tidak dipakai.' }]
      : [
          {
            ...note,
            code: 'sheet_unused',
            message: 'Tidak dipakai: tidak ada kolom NOP dan ketetapan.',
          },
        ];
  });
}

function noteColumns({ grid, header }: SheetLayout): ListNote[] {
  const note = { sheet: grid.name, row: header.firstRow || null };
  const doubles = header.doubleHeaders.map((double) => ({
    ...note,
    code: 'column_double',
    message: `Kolom "${double.header}" tidak dibaca: artinya sama dengan kolom sebelumnya.`,
  }));
  if (header.unknownHeaders.length === 0) return doubles;
  const names = header.unknownHeaders.map((name) => `"${name}"`).join(', ');
  return [
    ...doubles,
    { ...note, code: 'columns_unknown', message: `Kolom yang tidak dikenal: ${cutText(names, 500)}.` },
  ];
}

/** Texts can hold digits that a spreadsheet lost before: then all end with zeros. */
function noteZeros(rows: readonly ListRow[]): ListNote[] {
  const whole = rows.filter(({ nop }) => nop !== null);
  if (whole.length < ZEROS_MIN_ROWS || !whole.every(({ nop }) => nop?.endsWith('000'))) return [];
  const [first] = whole;
  const message =
    'Semua NOP berakhir dengan 000. Mungkin digit terakhirnya sudah hilang di berkas asli. Periksa NOP-nya.';
  return [{ code: 'nop_zeros', sheet: first?.sheet ?? '', row: first?.row ?? null, message }];
}
