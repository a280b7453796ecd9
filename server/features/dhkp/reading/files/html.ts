import { Parser } from 'htmlparser2';
import { createGrids, type GridBuilder, type OpenedFile } from './grid.ts';
import { createMemoryCheck } from './memory-limit.ts';

const SPAN_MAX = 200;
/** Elements whose content a browser does not show. */
const UNSEEN = new Set(['script', 'style', 'title', 'head', 'template', 'noscript']);
/** Texts on both sides of them stand on lines of their own. */
const BREAKING = new Set(['br', 'p', 'div', 'li']);

/**
 * Reads the tables of a page as one sheet, one below the other, as Excel opens it. Programs write such pages and name them
 * .xls. Rows of a table inside a cell become rows of their own. Nothing is loaded or run.
 */
export function readHtml(page: string): OpenedFile {
  const { grids, addGrid } = createGrids();
  const grid = addGrid('Tabel', false);
  const tables: TableReader[] = [];
  let row = 0;
  const nextRow = (): number => (row += 1);
  const endStep = createMemoryCheck();
  let unseenDepth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        endStep();
        if (UNSEEN.has(name)) unseenDepth += 1;
        const table = tables.at(-1);
        if (name === 'table') tables.push(createTableReader(grid, nextRow));
        else if (name === 'tr') table?.openRow();
        else if (name === 'td' || name === 'th') table?.openCell(attributes);
        else if (BREAKING.has(name)) table?.add('\n');
      },
      ontext(text) {
        // Line ends of the source are only spaces on the page.
        if (unseenDepth === 0) tables.at(-1)?.add(text.replaceAll(/\s+/g, ' '));
      },
      onclosetag(name) {
        if (UNSEEN.has(name)) unseenDepth -= 1;
        if (name === 'table') tables.pop()?.end();
        else if (name === 'tr') tables.at(-1)?.closeRow();
        else if (name === 'td' || name === 'th') tables.at(-1)?.closeCell();
      },
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  );
  parser.write(page);
  parser.end();
  grid.build();
  return { grids, isDate1904: false };
}

type TableReader = {
  openRow: () => void;
  closeRow: () => void;
  openCell: (attributes: Record<string, string>) => void;
  closeCell: () => void;
  add: (text: string) => void;
  end: () => void;
};

function createTableReader(grid: GridBuilder, nextRow: () => number): TableReader {
  /** Rows for which a cell from above still covers the column. */
  const covered: number[] = [];
  let row = 0;
  let column = 0;
  let cell: { text: string; columns: number; rows: number } | null = null;

  function closeCell(): void {
    if (!cell) return;
    const { text, columns, rows } = cell;
    grid.put(row, column, text.trim());
    if (columns > 1 || rows > 1) {
      const [lastRow, lastColumn] = [row + rows - 1, column + columns - 1];
      grid.merge({ firstRow: row, lastRow, firstColumn: column, lastColumn });
      for (let at = column; at <= lastColumn; at += 1) covered[at] = Math.max(covered[at] ?? 0, lastRow);
    }
    column += columns;
    cell = null;
  }

  const openRow = (): void => {
    closeCell();
    row = nextRow();
    column = 0;
  };
  return {
    openRow,
    closeRow: closeCell,
    openCell(attributes) {
      closeCell();
      if (row === 0) openRow();
      while ((covered[column] ?? 0) >= row) column += 1;
      cell = { text: '', columns: spanOf(attributes['colspan']), rows: spanOf(attributes['rowspan']) };
    },
    closeCell,
    add(text) {
      if (cell) cell.text += text;
    },
    end: closeCell,
  };
}

function spanOf(value: string | undefined): number {
  const span = Number.parseInt(value ?? '1', 10);
  return Number.isNaN(span) || span < 1 ? 1 : Math.min(span, SPAN_MAX);
}
