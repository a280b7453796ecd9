import type { Grid } from '../files/grid.ts';
import type { ListColumns, ReadChoices } from '../list-reading.ts';
import { isNop, cleanNop } from '#shared/domain/dhkp/nop.ts';
import { compactHeader, isRowNumberHeader, saysThousands } from './column-names.ts';
import { findHeader, hasNop, type Header, readHeader } from './headers.ts';
import { cleanText } from './texts.ts';

/** The way in which one sheet is read. */
export type SheetLayout = {
  index: number;
  grid: Grid;
  header: Header;
  /** A title above the list speaks of thousands. */
  saysThousands: boolean;
  /** The column of the NOP was found by its cells, so a person must confirm it. */
  isProposal: boolean;
};

/** `used`: the sheets that are read together; `hidden`: the sheet to propose where only hidden ones have a list. */
export type Layouts = { used: SheetLayout[]; hidden: SheetLayout | null };

/** A header names at least the NOP and the amount. */
const HEADER_WORDS_MIN = 2;
/** Without a header, so many of the first rows are looked at for a NOP. */
const SAMPLE_ROWS = 40;

/** All visible sheets with a header belong together, such as one for each book; hidden ones only where they are chosen. */
export function chooseLayouts(grids: readonly Grid[], choices: ReadChoices): Layouts {
  const { sheets } = choices;
  const wanted = grids.flatMap((grid, index) =>
    (sheets ? sheets.includes(index) : !grid.isHidden) ? [{ grid, index }] : [],
  );
  const found = wanted.flatMap(({ grid, index }) => {
    const header = remember(grid, findHeader(grid), choices);
    return header ? [layoutOf(grid, index, header)] : [];
  });
  const complete = found.filter(({ header }) => isComplete(header));
  const withNop = complete.length > 0 ? complete : found;
  const candidates = withNop.length > 0 ? withNop : findHeaderless(wanted);
  if (choices.columns === undefined && choices.headerRow === undefined) {
    // A person who chose a sheet without a list may still choose its columns.
    const chosen = sheets ? wanted.map(({ grid, index }) => layoutOf(grid, index, withoutHeader(grid))) : [];
    const used = candidates.length > 0 ? candidates : chosen;
    return { used, hidden: used.length > 0 ? null : findHidden(grids) };
  }
  const indexes = new Set(candidates.map(({ index }) => index));
  const isMeant = ({ index }: { index: number }): boolean => sheets !== undefined || indexes.has(index);
  return {
    used: applyChoices(
      indexes.size > 0 ? wanted.filter(isMeant) : wanted.slice(0, 1),
      [...found, ...candidates],
      choices,
    ),
    hidden: null,
  };
}

const isComplete = ({ columns, isAmountUncertain }: Header): boolean =>
  hasNop(columns) && (columns.amount !== undefined || isAmountUncertain);

function layoutOf(grid: Grid, index: number, header: Header): SheetLayout {
  const titles = grid.rows.filter(({ row }) => row < header.firstRow);
  const saysSo = titles.some(({ cells }) => cells.some((cell) => typeof cell === 'string' && saysThousands(cell)));
  return { index, grid, header, saysThousands: saysSo, isProposal: false };
}

/** Columns that were chosen before for a list with the same headers. */
function remember(grid: Grid, found: Header | null, { rememberedLayouts = [] }: ReadChoices): Header | null {
  for (const layout of rememberedLayouts) {
    if (layout.headers.length === 0) continue;
    const header = found && areSame(found.headers, layout.headers) ? found : readHeader(grid, layout.headerRow);
    if (header && areSame(header.headers, layout.headers)) return withColumns(header, layout.columns);
  }
  return found;
}

function areSame(headers: readonly string[], others: readonly string[]): boolean {
  return (
    headers.length === others.length &&
    headers.every((text, at) => compactHeader(text) === compactHeader(others[at] ?? ''))
  );
}

/**
 * The choice counts for the first sheet, and for those whose header is the same or was not found. Another sheet with a
 * header of its own keeps it.
 */
function applyChoices(
  wanted: readonly { grid: Grid; index: number }[],
  found: readonly SheetLayout[],
  { headerRow, columns }: ReadChoices,
): SheetLayout[] {
  let first: Header | null = null;
  return wanted.map(({ grid, index }) => {
    const own = found.find((layout) => layout.index === index)?.header ?? null;
    if (first && own && !areSame(own.headers, first.headers)) return layoutOf(grid, index, own);
    // Another sheet may have the same header in another row.
    const chosen = headerRow === undefined || (first && own) ? own : readHeader(grid, headerRow);
    const header = chosen ?? withoutHeader(grid);
    first ??= header;
    return layoutOf(grid, index, columns ? withColumns(header, columns) : header);
  });
}

function withColumns(header: Header, columns: ListColumns): Header {
  const read = new Set(Object.values(columns));
  const unknownHeaders = header.headers.filter(
    (text, column) => text !== '' && !read.has(column) && !isRowNumberHeader(text),
  );
  return { ...header, columns, unknownHeaders, doubleHeaders: [], isAmountUncertain: false };
}

/** Sheets without a header in which a column holds NOPs, as when only the rows were copied. */
function findHeaderless(wanted: readonly { grid: Grid; index: number }[]): SheetLayout[] {
  return wanted.flatMap(({ grid, index }) => {
    const found = findFirstNop(grid);
    if (!found) return [];
    const header = (found.rowAbove === null ? null : readHeader(grid, found.rowAbove)) ?? withoutHeader(grid);
    const columns = { ...header.columns, nop: found.column };
    return [{ ...layoutOf(grid, index, withColumns(header, columns)), isProposal: true }];
  });
}

function findHidden(grids: readonly Grid[]): SheetLayout | null {
  for (const [index, grid] of grids.entries()) {
    const header = grid.isHidden ? findHeader(grid) : null;
    if (header && isComplete(header)) return layoutOf(grid, index, header);
  }
  return null;
}

/** The columns have the letters of a spreadsheet as names, so that a person can choose. */
function withoutHeader(grid: Grid): Header {
  const width = Math.max(0, ...grid.rows.slice(0, SAMPLE_ROWS).map(({ cells }) => cells.length));
  return {
    firstRow: 0,
    lastRow: 0,
    headers: Array.from({ length: width }, (_, column) => `Kolom ${columnLetters(column)}`),
    columns: {},
    unknownHeaders: [],
    doubleHeaders: [],
    isAmountUncertain: false,
    thousandsColumns: [],
  };
}

function columnLetters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : columnLetters(Math.floor(column / 26) - 1) + last;
}

/** `rowAbove`: a row of words just above the first NOP, which is likely a header that is not recognised. */
function findFirstNop(grid: Grid): { column: number; rowAbove: number | null } | null {
  for (const [at, { cells }] of grid.rows.slice(0, SAMPLE_ROWS).entries()) {
    const column = cells.findIndex((cell) => typeof cell === 'string' && isNop(cleanNop(cleanText(cell))));
    if (column === -1) continue;
    const above = grid.rows[at - 1];
    const words = above?.cells.filter((cell) => typeof cell === 'string' && /\p{L}/u.test(cell)) ?? [];
    return { column, rowAbove: above && words.length >= HEADER_WORDS_MIN ? above.row : null };
  }
  return null;
}
