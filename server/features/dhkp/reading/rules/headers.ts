import { withoutNul } from '#server/http/bodies/nul-texts.ts';
import type { ListField } from '#shared/domain/dhkp/list-fields.ts';
import type { Cell, Grid, GridRow } from '../files/grid.ts';
import type { ListColumns } from '../list-reading.ts';
import {
  chooseAmount,
  compactHeader,
  fieldOfHeader,
  isRowNumberHeader,
  NOP_PARTS,
  saysThousands,
} from './column-names.ts';

/** Rows as the spreadsheet shows them. */
export type Header = {
  firstRow: number;
  lastRow: number;
  /** The texts above each column, joined. */
  headers: string[];
  columns: ListColumns;
  unknownHeaders: string[];
  /** Columns with the same meaning as an earlier one, which are not read. */
  doubleHeaders: { field: ListField; header: string }[];
  /** Several columns may be the amount. */
  isAmountUncertain: boolean;
  /** Columns whose own header speaks of thousands. */
  thousandsColumns: number[];
};

const TOP_ROWS = 40;
const HEADER_ROWS_MAX = 3;
const HEADER_CHARACTERS_MAX = 200;
/** Titles may be merged to the last column that a spreadsheet has. */
const COLUMNS_MAX = 200;

/** The number of cells of a row that are headers of a list; at least a NOP is among them, else 0. */
export function countListHeaders(cells: readonly Cell[]): number {
  const fields = cells.map((cell) => fieldOfHeader([textOf(cell)])?.field);
  const isOfList = fields.includes('nop') || NOP_PARTS.every(([part]) => fields.includes(part));
  return isOfList ? fields.filter(Boolean).length : 0;
}

/** The first header within the top 40 rows with a NOP and an amount; without an amount it is only a proposal. */
export function findHeader(grid: Grid): Header | null {
  const tops = grid.rows.filter(({ row }) => row <= TOP_ROWS);
  let withoutAmount: Header | null = null;
  for (const top of tops) {
    if (isLowerRow(grid, top.row) || (withoutAmount && top.row <= withoutAmount.lastRow)) continue;
    const header = readHeader(grid, top.row);
    if (!header || !hasNop(header.columns) || !startsHere(grid, header)) continue;
    if (header.columns.amount !== undefined) return header;
    withoutAmount ??= header;
  }
  return withoutAmount;
}

export function hasNop(columns: ListColumns): boolean {
  return columns.nop !== undefined || NOP_PARTS.every(([part]) => columns[part] !== undefined);
}

/** A title above a header is not its first row: without it, as many columns are recognised. */
function startsHere(grid: Grid, header: Header): boolean {
  if (header.firstRow === header.lastRow || isLowerRow(grid, header.firstRow + 1)) return true;
  const next = readHeader(grid, header.firstRow + 1);
  return !next || !hasNop(next.columns) || scoreOf(next) < scoreOf(header);
}

/** A cell that names a column goes on from above: alone, this row would say less than the whole header. */
function isLowerRow(grid: Grid, row: number): boolean {
  return grid.merges.some(({ firstRow, lastRow, firstColumn }) => {
    if (firstRow >= row || lastRow < row) return false;
    const top = grid.rows.find((other) => other.row >= firstRow);
    return top?.row === firstRow && fieldOfHeader([textOf(top.cells[firstColumn] ?? null)]) !== null;
  });
}

/** The header that begins with this row: of one to three rows, those that mean most. */
export function readHeader(grid: Grid, firstRow: number): Header | null {
  let best: Header | null = null;
  const from = grid.rows.findIndex(({ row }) => row >= firstRow);
  const rows = from === -1 ? [] : grid.rows.slice(from, from + HEADER_ROWS_MAX);
  for (let count = 1; count <= HEADER_ROWS_MAX; count += 1) {
    const lastRow = firstRow + count - 1;
    const joined = rows.filter(({ row }) => row <= lastRow);
    // The words of an object, such as `LUNAS`, may be names of columns too.
    if (joined.slice(1).some(isDataLike)) break;
    const header = joinHeader(grid, joined, firstRow, lastRow);
    if (!best || scoreOf(header) > scoreOf(best)) best = header;
  }
  return best;
}

const scoreOf = ({ columns, isAmountUncertain }: Header): number =>
  Object.keys(columns).length + (isAmountUncertain ? 1 : 0);

/** Numbers, or texts of digits, of which no header has five. */
function isDataLike({ cells }: GridRow): boolean {
  return cells.some((cell) => typeof cell === 'number' || (typeof cell === 'string' && isLongNumber(cell)));
}

const isLongNumber = (text: string): boolean => !/\p{L}/u.test(text) && text.replaceAll(/\D/g, '').length >= 5;

function joinHeader(grid: Grid, rows: readonly GridRow[], firstRow: number, lastRow: number): Header {
  const texts = rows.map((row) => spreadMerged(grid, row));
  const width = Math.max(0, ...texts.map((row) => row.findLastIndex(Boolean) + 1));
  const parts = Array.from({ length: width }, (_, column) => partsOf(texts.map((row) => row[column] ?? '')));
  const headers = parts.map((part) => part.join(' ').slice(0, HEADER_CHARACTERS_MAX));
  return { firstRow, lastRow, headers, ...recognise(parts, headers) };
}

/** The texts of a row, where a merged cell says its text in every column and row that it covers. */
function spreadMerged(grid: Grid, { row, cells }: GridRow): string[] {
  const rowsAbove = grid.rows.slice(0, TOP_ROWS + HEADER_ROWS_MAX);
  const texts = cells.map((cell) => textOf(cell));
  for (const { firstRow, lastRow, firstColumn, lastColumn } of grid.merges) {
    if (row < firstRow || row > lastRow) continue;
    const text = textOf(rowsAbove.find((other) => other.row === firstRow)?.cells[firstColumn] ?? null);
    const end = Math.min(lastColumn, COLUMNS_MAX - 1);
    while (texts.length <= end) texts.push('');
    for (let column = firstColumn; column <= end; column += 1) texts[column] = text;
  }
  return texts;
}

/** A cell that is merged downwards says its text only once. */
function partsOf(texts: readonly string[]): string[] {
  return texts.filter((text, index) => text !== '' && text !== texts[index - 1]);
}

function textOf(cell: Cell): string {
  return typeof cell === 'string' ? withoutNul(cell).replaceAll(/\s+/g, ' ').trim() : cell === null ? '' : String(cell);
}

type Found = { field: ListField; name: string; column: number };

function recognise(parts: readonly string[][], headers: readonly string[]) {
  const found = parts.flatMap((part, column): Found[] => {
    const header = fieldOfHeader(part);
    return header ? [{ ...header, column }] : [];
  });
  const hasAllParts = NOP_PARTS.every(([part]) => found.some(({ field }) => field === part));
  const isPart = (field: ListField): boolean => NOP_PARTS.some(([part]) => part === field);
  const counted = found.filter(({ field }) => hasAllParts || !isPart(field));

  const columns: ListColumns = {};
  const doubleHeaders: { field: ListField; header: string }[] = [];
  for (const { field, column } of counted) {
    if (field === 'amount') continue;
    if (columns[field] === undefined) columns[field] = column;
    else doubleHeaders.push({ field, header: headers[column] ?? '' });
  }
  const amounts = counted.filter(({ field }) => field === 'amount');
  const hasPayments =
    columns.paid_on !== undefined || columns.paid_amount !== undefined || columns.paid_fine !== undefined;
  const amount = chooseAmount(amounts, hasPayments);
  if (amount) columns.amount = amount.column;

  const known = new Set(counted.map(({ column }) => column));
  const unknownHeaders = headers.filter(
    (header, column) =>
      header !== '' && !known.has(column) && !isRowNumberHeader(header) && compactHeader(header) !== '',
  );
  const thousandsColumns = headers.flatMap((header, column) => (saysThousands(header) ? [column] : []));
  const isAmountUncertain = amounts.length > 0 && !amount;
  return { columns, unknownHeaders, doubleHeaders, isAmountUncertain, thousandsColumns };
}
