import { withoutNul } from '#server/http/bodies/nul-texts.ts';

/** One cell as the file stores it: a date is its serial number or `yyyy-mm-dd`, an error its text, such as `#REF!`. */
export type Cell = string | number | boolean | null;

/** `row`: as the spreadsheet shows it, from 1. The index of a cell is its column. */
export type GridRow = { row: number; cells: Cell[]; isHidden: boolean };

/** Rows from 1, columns from 0, both ends included. */
export type Merge = { firstRow: number; lastRow: number; firstColumn: number; lastColumn: number };

/** A sheet: its rows that hold something, in order, and the merged cells near its top. */
export type Grid = { name: string; isHidden: boolean; rows: GridRow[]; merges: Merge[] };

/**
 * `isDate1904`: serial numbers of dates count from 1904, as in files of old Macintoshes. `separator`: the sign
 * between cells of a text; one too many moves all cells behind it.
 */
export type OpenedFile = { grids: Grid[]; isDate1904: boolean; separator?: string };

/** A file that cannot be read, and why. */
export class ListFileError extends Error {
  readonly reason: 'locked' | 'broken' | 'too_large';
  constructor(reason: 'locked' | 'broken' | 'too_large', detail: string) {
    super(detail);
    this.name = 'ListFileError';
    this.reason = reason;
  }
}

const ROWS_MAX = 100_000;
const COLUMNS_MAX = 200;
/** Excel stores 32,767 characters in a cell. */
const CHARACTERS_MAX = 100_000;
/** Only merged cells of headers count, and a header begins within the first 40 rows. */
const MERGE_ROW_MAX = 50;
const MERGES_MAX = 10_000;

export type GridBuilder = {
  /** Empty cells are not kept, so that formats far below or beside the list cost nothing. */
  put: (row: number, column: number, cell: Cell) => void;
  hideRow: (row: number) => void;
  merge: (merge: Merge) => void;
  build: () => Grid;
};

/** Collects the sheets of one file within the limits of rows and columns. */
export function createGrids(): { grids: Grid[]; addGrid: (name: string, isHidden: boolean) => GridBuilder } {
  const grids: Grid[] = [];
  let rowsOfFile = 0;
  const addGrid = (sheetName: string, isHidden: boolean): GridBuilder => {
    const name = withoutNul(sheetName);
    const rows = new Map<number, GridRow>();
    const hiddenRows = new Set<number>();
    const merges: Merge[] = [];
    let current: GridRow | undefined;
    const rowOf = (row: number): GridRow => {
      if (current?.row === row) return current;
      let found = rows.get(row);
      if (!found) {
        rowsOfFile += 1;
        if (rowsOfFile > ROWS_MAX) throw new ListFileError('too_large', `more than ${ROWS_MAX} rows`);
        found = { row, cells: [], isHidden: false };
        rows.set(row, found);
      }
      current = found;
      return found;
    };
    return {
      put(row, column, cell) {
        if (cell === null || cell === '') return;
        if (column >= COLUMNS_MAX) throw new ListFileError('too_large', `more than ${COLUMNS_MAX} columns`);
        if (typeof cell === 'string' && cell.length > CHARACTERS_MAX)
          throw new ListFileError('too_large', `a text of ${cell.length} characters`);
        const { cells } = rowOf(row);
        while (cells.length < column) cells.push(null);
        cells[column] = cell;
      },
      hideRow: (row) => void hiddenRows.add(row),
      merge(merge) {
        const isWanted = merge.firstRow <= MERGE_ROW_MAX && merge.firstColumn < COLUMNS_MAX;
        if (isWanted && merges.length < MERGES_MAX) merges.push(merge);
      },
      build() {
        const ordered = [...rows.values()].toSorted((a, b) => a.row - b.row);
        for (const row of ordered) row.isHidden = hiddenRows.has(row.row);
        const grid = { name, isHidden, rows: ordered, merges };
        grids.push(grid);
        return grid;
      },
    };
  };
  return { grids, addGrid };
}
