import { createGrids, type OpenedFile } from './grid.ts';
import { createMemoryCheck } from './memory-limit.ts';

const DELIMITERS = [';', ',', '\t', '|'] as const;
/** The header begins within these rows; titles stand above it. */
const SAMPLE_ROWS = 45;
/** An address in quotes has a few line ends. More of them mean that a quotation mark was never closed. */
const QUOTED_LINE_ENDS_MAX = 10;
const QUOTED_CHARACTERS_MAX = 5000;

type TextRow = { line: number; cells: string[] };

/**
 * Reads separated values: CSV, TSV and pasted cells. A line `sep=;` is obeyed.
 * @param countColumns how many of the cells are headers of a list; the delimiter that shows most of them is the one
 */
export function readCsv(text: string, countColumns: (cells: string[]) => number): OpenedFile {
  const { grids, addGrid } = createGrids();
  const grid = addGrid('Lembar 1', false);
  const announced = /^sep=(.)(?:\r\n|\r|\n|$)/i.exec(text);
  const delimiter = announced?.[1] ?? findDelimiter(text, countColumns);
  const [start, firstLine] = announced ? [announced[0].length, 2] : [0, 1];
  const endStep = createMemoryCheck();
  for (const { line, cells } of rowsOf(text.slice(start), delimiter, firstLine)) {
    for (const [column, cell] of cells.entries()) grid.put(line, column, cell);
    endStep();
  }
  grid.build();
  return { grids, isDate1904: false, separator: delimiter };
}

function findDelimiter(text: string, countColumns: (cells: string[]) => number): string {
  let best: { delimiter: string; headers: number; cells: number } = { delimiter: ';', headers: -1, cells: -1 };
  for (const delimiter of DELIMITERS) {
    const sample = firstRows(text, delimiter);
    const headers = Math.max(0, ...sample.map(({ cells }) => countColumns(cells)));
    // Without a header: the delimiter that every row has most often.
    const cells = Math.min(...sample.filter(({ cells: row }) => row.some(Boolean)).map(({ cells: row }) => row.length));
    if (headers > best.headers || (headers === best.headers && cells > best.cells))
      best = { delimiter, headers, cells };
  }
  return best.delimiter;
}

function firstRows(text: string, delimiter: string): TextRow[] {
  const rows: TextRow[] = [];
  for (const row of rowsOf(text, delimiter, 1)) {
    rows.push(row);
    if (rows.length === SAMPLE_ROWS) break;
  }
  return rows;
}

function* rowsOf(text: string, delimiter: string, firstLine: number): Generator<TextRow> {
  let line = firstLine;
  let at = 0;
  while (at < text.length) {
    const row: TextRow = { line, cells: [] };
    for (;;) {
      const quoted = readQuoted(text, at, delimiter);
      const end = quoted?.end ?? endOfCell(text, at, delimiter);
      row.cells.push(quoted?.value ?? text.slice(at, end));
      line += quoted?.lineEnds ?? 0;
      at = end;
      if (text[at] !== delimiter) break;
      at += 1;
    }
    yield row;
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
    line += 1;
  }
}

function endOfCell(text: string, start: number, delimiter: string): number {
  let at = start;
  while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at += 1;
  return at;
}

/**
 * Reads a cell in quotation marks. Marks that do not enclose the whole cell are part of its text, because a mark that is
 * never closed would swallow the rows below it.
 */
function readQuoted(text: string, start: number, delimiter: string) {
  if (text[start] !== '"') return null;
  const limit = Math.min(text.length, start + QUOTED_CHARACTERS_MAX);
  let value = '';
  let lineEnds = 0;
  for (let at = start + 1; at < limit; at += 1) {
    const character = text[at] ?? '';
    if (character === '"') {
      if (text[at + 1] === '"') at += 1;
      else {
        const end = skipSpaces(text, at + 1, delimiter);
        const isWhole = end >= text.length || text[end] === delimiter || text[end] === '\n' || text[end] === '\r';
        return isWhole ? { value, end, lineEnds } : null;
      }
    }
    const isLineEnd = character === '\n' || (character === '\r' && text[at + 1] !== '\n');
    if (isLineEnd) lineEnds += 1;
    // No spreadsheet copies a tab inside a cell.
    if (lineEnds > QUOTED_LINE_ENDS_MAX || (delimiter === '\t' && character === '\t')) return null;
    value += character;
  }
  return null;
}

function skipSpaces(text: string, start: number, delimiter: string): number {
  if (delimiter === ' ') return start;
  let at = start;
  while (text[at] === ' ') at += 1;
  return at;
}
