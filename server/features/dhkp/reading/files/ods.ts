import { type Cell, createGrids, type GridBuilder, ListFileError, type OpenedFile } from './grid.ts';
import { type OfficePackage, requirePart } from './package-parts.ts';
import { parseXml, type XmlAttributes } from './xml.ts';
import { readSmallPart, unpackPart, unpackWhole } from './zip.ts';

const MIME_TYPE = 'application/vnd.oasis.opendocument.spreadsheet';
/** A run of spaces is a number in the file; an attack names a huge one. */
const SPACES_MAX = 100;
/** Spreadsheets have at most so many rows; the last ones are one empty row that is repeated. */
const REPEATED_MAX = 2 ** 20;

/** Elements inside a cell whose texts are not its value. */
const NOT_THE_VALUE = new Set(['annotation', 'shapes', 'frame', 'object']);

/** Reads OpenDocument spreadsheets. Values are stored beside their formats, dates as `yyyy-mm-dd`. */
export async function readOds(source: OfficePackage): Promise<OpenedFile> {
  if (source.entries.has('encrypted-package')) throw new ListFileError('locked', 'an encrypted package');
  const manifest = source.entries.get('meta-inf/manifest.xml');
  if (manifest && (await unpackWhole(source.bytes, manifest)).includes('encryption-data'))
    throw new ListFileError('locked', 'an encrypted part');
  const { grids, addGrid } = createGrids();
  const hiddenStyles = new Set<string>();
  let style: string | undefined;
  let table: TableReader | null = null;
  let tableDepth = 0;
  await parseXml(unpackPart(source.bytes, requirePart(source, 'content.xml')), {
    open(name, attributes) {
      if (name === 'style') style = attributes['style:name'];
      if (name === 'table-properties' && attributes['table:display'] === 'false' && style) hiddenStyles.add(style);
      if (name === 'table') {
        tableDepth += 1;
        if (tableDepth > 1) return;
        const isHidden = hiddenStyles.has(attributes['table:style-name'] ?? '');
        table = createTableReader(addGrid(attributes['table:name'] ?? '', isHidden));
      } else if (tableDepth === 1) table?.open(name, attributes);
    },
    close(name) {
      if (name === 'table') {
        tableDepth -= 1;
        if (tableDepth === 0) table?.end();
      } else if (tableDepth === 1) table?.close(name);
    },
    text(piece) {
      if (tableDepth === 1) table?.text(piece);
    },
  });
  return { grids, isDate1904: false };
}

/** @returns whether the package says that it is a spreadsheet */
export function isOds({ bytes, entries }: OfficePackage): boolean {
  const entry = entries.get('mimetype');
  const type = entry ? readSmallPart(bytes, entry, 200) : null;
  return type !== null && type.toString('latin1').trim().startsWith(MIME_TYPE);
}

type TableReader = {
  open: (name: string, attributes: XmlAttributes) => void;
  close: (name: string) => void;
  text: (piece: string) => void;
  end: () => void;
};

function createTableReader(grid: GridBuilder): TableReader {
  let firstRow = 1;
  let repeatedRows = 1;
  let column = 0;
  let cells: { column: number; cell: Cell }[] = [];
  let attributes: XmlAttributes = {};
  let isInCell = false;
  let ignoredDepth = 0;
  let paragraphs = 0;
  let paragraphDepth = 0;
  let text = '';

  function endCell(): void {
    const repeated = repeatOf(attributes['table:number-columns-repeated']);
    const cell = cellOf(attributes, text);
    if (cell !== null && cell !== '')
      for (let index = 0; index < repeated; index += 1) cells.push({ column: column + index, cell });
    const [columns, rows] = [spanOf(attributes, 'columns'), spanOf(attributes, 'rows')];
    if (columns > 1 || rows > 1) {
      const [lastRow, lastColumn] = [firstRow + rows - 1, column + columns - 1];
      grid.merge({ firstRow, lastRow, firstColumn: column, lastColumn });
    }
    column += repeated;
    isInCell = false;
  }

  function endRow(): void {
    if (cells.length > 0)
      for (let index = 0; index < repeatedRows; index += 1)
        for (const { column: at, cell } of cells) grid.put(firstRow + index, at, cell);
    firstRow += repeatedRows;
  }

  return {
    open(name, given) {
      if (ignoredDepth > 0 || NOT_THE_VALUE.has(name)) ignoredDepth += 1;
      else if (name === 'table-row') {
        repeatedRows = repeatOf(given['table:number-rows-repeated']);
        if ((given['table:visibility'] ?? 'visible') !== 'visible') grid.hideRow(firstRow);
        column = 0;
        cells = [];
      } else if (name === 'table-cell' || name === 'covered-table-cell') {
        attributes = given;
        isInCell = true;
        text = '';
        paragraphs = 0;
      } else if (isInCell && name === 'p') {
        if (paragraphs > 0) text += '\n';
        paragraphs += 1;
        paragraphDepth += 1;
      } else if (paragraphDepth > 0) text += whiteSpaceOf(name, given);
    },
    close(name) {
      if (ignoredDepth > 0) ignoredDepth -= 1;
      else if (name === 'table-row') endRow();
      else if (name === 'table-cell' || name === 'covered-table-cell') endCell();
      else if (isInCell && name === 'p') paragraphDepth -= 1;
    },
    text(piece) {
      if (ignoredDepth === 0 && paragraphDepth > 0) text += piece;
    },
    end: () => void grid.build(),
  };
}

function whiteSpaceOf(name: string, attributes: XmlAttributes): string {
  if (name === 's') return ' '.repeat(Math.min(repeatOf(attributes['text:c']), SPACES_MAX));
  if (name === 'tab') return '\t';
  return name === 'line-break' ? '\n' : '';
}

function repeatOf(value: string | undefined): number {
  if (value === undefined) return 1;
  const times = Number(value);
  if (!Number.isInteger(times) || times < 1) throw new ListFileError('broken', `repeated ${value} times`);
  return Math.min(times, REPEATED_MAX);
}

function spanOf(attributes: XmlAttributes, what: 'rows' | 'columns'): number {
  return repeatOf(attributes[`table:number-${what}-spanned`]);
}

function cellOf(attributes: XmlAttributes, text: string): Cell {
  // The paragraphs of an error are what the screen shows, such as '#REF!' or 'Err:502'.
  if (attributes['calcext:value-type'] === 'error') return text === '' ? '#VALUE!' : text;
  switch (attributes['office:value-type']) {
    case 'float':
    case 'currency':
    case 'percentage': {
      const number = Number(attributes['office:value'] ?? '');
      return attributes['office:value'] && Number.isFinite(number) ? number : text;
    }
    case 'date':
      return attributes['office:date-value']?.slice(0, 10) ?? text;
    case 'boolean':
      return attributes['office:boolean-value'] === 'true';
    case 'string':
      return text === '' ? (attributes['office:string-value'] ?? '') : text;
    default:
      return text;
  }
}
