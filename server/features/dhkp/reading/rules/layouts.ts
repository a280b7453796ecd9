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
};

/** `used`: the sheets that are read together; `proposal`: where a person must choose, the sheet to begin with. */
export type Layouts = { used: SheetLayout[]; proposal: SheetLayout | null };

/** Without a header, so many of the first rows of a column are looked at for a NOP. */
const SAMPLE_ROWS = 40;

/** All visible sheets with a header belong together, such as one for each book; hidden ones only where they are chosen. */
export function chooseLayouts(grids: readonly Grid[], choices: ReadChoices): Layouts {
  const { sheets } = choices;
  const candidates = grids.flatMap((grid, index): SheetLayout[] => {
    if (sheets ? !sheets.includes(index) : grid.isHidden) return [];
    const header = remember(grid, findHeader(grid), choices);
    return header ? [layoutOf(grid, index, header)] : [];
  });
  const isChosen = choices.columns !== undefined || choices.headerRow !== undefined;
  if (isChosen) return { used: applyChoices(grids, candidates, choices), proposal: null };
  const used = candidates.filter(({ header }) => isComplete(header));
  if (used.length > 0) return { used, proposal: null };
  const [proposal] = [...candidates, ...findHeaderless(grids, sheets), ...findHidden(grids)];
  return { used: [], proposal: proposal ?? null };
}

const isComplete = ({ columns, isAmountUncertain }: Header): boolean =>
  hasNop(columns) && (columns.amount !== undefined || isAmountUncertain);

function layoutOf(grid: Grid, index: number, header: Header): SheetLayout {
  const titles = grid.rows.filter(({ row }) => row < header.firstRow);
  const saysSo = titles.some(({ cells }) => cells.some((cell) => typeof cell === 'string' && saysThousands(cell)));
  return { index, grid, header, saysThousands: saysSo };
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
function applyChoices(grids: readonly Grid[], candidates: readonly SheetLayout[], choices: ReadChoices): SheetLayout[] {
  const complete = candidates.filter(({ header }) => isComplete(header));
  const chosen = choices.sheets ?? (complete.length > 0 ? complete : candidates).map(({ index }) => index);
  const indexes = chosen.length > 0 ? chosen : [grids.findIndex(({ isHidden }) => !isHidden)];
  const wanted = grids.flatMap((grid, index) => (indexes.includes(index) ? [{ grid, index }] : []));
  let first: Header | null = null;
  return wanted.map(({ grid, index }) => {
    const found = candidates.find((candidate) => candidate.index === index)?.header ?? null;
    if (first && found && !areSame(found.headers, first.headers)) return layoutOf(grid, index, found);
    const { headerRow, columns } = choices;
    const isFoundElsewhere = first && found;
    const base: Header | null =
      headerRow === undefined || isFoundElsewhere ? (found ?? withoutHeader(grid)) : readHeader(grid, headerRow);
    const header = base ?? withoutHeader(grid);
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
function findHeaderless(grids: readonly Grid[], sheets: number[] | undefined): SheetLayout[] {
  return grids.flatMap((grid, index) => {
    if (sheets ? !sheets.includes(index) : grid.isHidden) return [];
    const nop = findNopColumn(grid);
    return nop === null ? [] : [layoutOf(grid, index, withColumns(withoutHeader(grid), { nop }))];
  });
}

function findHidden(grids: readonly Grid[]): SheetLayout[] {
  return grids.flatMap((grid, index) => {
    const header = grid.isHidden ? findHeader(grid) : null;
    return header && isComplete(header) ? [layoutOf(grid, index, header)] : [];
  });
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

function findNopColumn(grid: Grid): number | null {
  const rows = grid.rows.slice(0, SAMPLE_ROWS);
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  for (let column = 0; column < width; column += 1)
    if (rows.some(({ cells }) => typeof cells[column] === 'string' && isNop(cleanNop(cleanText(cells[column])))))
      return column;
  return null;
}
