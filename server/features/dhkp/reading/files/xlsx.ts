import { type Cell, createGrids, type GridBuilder, ListFileError, type Merge, type OpenedFile } from './grid.ts';
import { findWorkbookPart, type OfficePackage, readRelationships, requirePart } from './package-parts.ts';
import { parseXml } from './xml.ts';
import { unpackPart } from './zip.ts';

/** Excel's own limit. */
const SHEET_ROWS_MAX = 2 ** 20;

type SheetEntry = { name: string; isHidden: boolean; relationship: string };

/** Reads .xlsx and .xlsm. Macros, formulas, styles, pictures and links are parts that are not opened. */
export async function readXlsx(source: OfficePackage): Promise<OpenedFile> {
  const workbook = await findWorkbookPart(source, 'xl/workbook.xml');
  const { sheets, isDate1904 } = await readWorkbook(source, workbook);
  const relationships = await readRelationships(source, workbook);
  const texts = [...relationships.values()].find(({ type }) => type === 'sharedStrings');
  const sharedTexts = texts ? await readSharedTexts(source, texts.part) : [];
  const { grids, addGrid } = createGrids();
  for (const { name, isHidden, relationship } of sheets) {
    const target = relationships.get(relationship);
    if (!target) throw new ListFileError('broken', `no part of sheet ${name}`);
    // Sheets of charts and macros hold no cells.
    if (target.type !== 'worksheet') continue;
    const grid = addGrid(name, isHidden);
    await readSheet(source, target.part, sharedTexts, grid);
    grid.build();
  }
  return { grids, isDate1904 };
}

async function readWorkbook(source: OfficePackage, part: string) {
  const sheets: SheetEntry[] = [];
  let isDate1904 = false;
  await parseXml(unpackPart(source.bytes, requirePart(source, part)), {
    open(name, attributes) {
      if (name === 'workbookPr') isDate1904 = isTrue(attributes['date1904']);
      if (name !== 'sheet') return;
      const relationship = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1];
      const isHidden = (attributes['state'] ?? 'visible') !== 'visible';
      sheets.push({ name: attributes['name'] ?? '', isHidden, relationship: relationship ?? '' });
    },
  });
  return { sheets, isDate1904 };
}

const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true';

async function readSharedTexts(source: OfficePackage, part: string): Promise<string[]> {
  const texts: string[] = [];
  const text = createTextCollector();
  await parseXml(unpackPart(source.bytes, requirePart(source, part)), {
    open(name) {
      if (name === 'si') text.begin();
      text.open(name);
    },
    close(name) {
      text.close(name);
      if (name === 'si') texts.push(text.take());
    },
    text: (piece) => text.add(piece),
  });
  return texts;
}

/** Joins the runs of one text. Readings of characters (`rPh`), which East Asian files have, are no part of it. */
function createTextCollector() {
  let text = '';
  let isInRun = false;
  let isReading = false;
  return {
    begin(): void {
      text = '';
      isReading = false;
    },
    open(name: string): void {
      if (name === 'rPh') isReading = true;
      if (name === 't') isInRun = !isReading;
    },
    close(name: string): void {
      if (name === 'rPh') isReading = false;
      if (name === 't') isInRun = false;
    },
    add(piece: string): void {
      if (isInRun) text += piece;
    },
    take: (): string => decodeEscapes(text),
  };
}

/** Excel writes characters that XML forbids as `_x000D_`. */
function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

async function readSheet(
  source: OfficePackage,
  part: string,
  sharedTexts: readonly string[],
  grid: GridBuilder,
): Promise<void> {
  const text = createTextCollector();
  let row = 0;
  let column = -1;
  let type = 'n';
  let value: string | null = null;
  let isInValue = false;
  let isInCell = false;

  const cellOf = (): Cell => {
    if (type === 'inlineStr') return text.take();
    if (value === null || value === '') return null;
    if (type === 's') return requireText(sharedTexts, value);
    if (type === 'b') return isTrue(value);
    if (type === 'str') return decodeEscapes(value);
    if (type === 'e') return value;
    // A date of ISO 8601, with a time.
    if (type === 'd') return value.slice(0, 10);
    const number = Number(value);
    return Number.isFinite(number) ? number : value;
  };

  await parseXml(unpackPart(source.bytes, requirePart(source, part)), {
    open(name, attributes) {
      if (name === 'row') {
        row = attributes['r'] === undefined ? row + 1 : requireRow(attributes['r']);
        column = -1;
        if (isTrue(attributes['hidden'])) grid.hideRow(row);
      } else if (name === 'c') {
        column = attributes['r'] === undefined ? column + 1 : requireColumn(attributes['r']);
        type = attributes['t'] ?? 'n';
        value = null;
        text.begin();
        isInCell = true;
      } else if (name === 'v') isInValue = isInCell;
      else if (name === 'mergeCell') grid.merge(requireMerge(attributes['ref']));
      else if (isInCell) text.open(name);
    },
    close(name) {
      if (name === 'v') isInValue = false;
      else if (name === 'c') {
        grid.put(row, column, cellOf());
        isInCell = false;
      } else if (isInCell) text.close(name);
    },
    text(piece) {
      if (isInValue) value = (value ?? '') + piece;
      else if (isInCell) text.add(piece);
    },
  });
}

function requireText(texts: readonly string[], index: string): string {
  const text = texts[Number(index)];
  if (text === undefined) throw new ListFileError('broken', `no shared text ${index}`);
  return text;
}

function requireRow(reference: string): number {
  const row = Number(reference);
  if (!Number.isInteger(row) || row < 1 || row > SHEET_ROWS_MAX) throw new ListFileError('broken', `row ${reference}`);
  return row;
}

/** @returns the zero-based column of a reference such as `AB12` */
function requireColumn(reference: string): number {
  let column = 0;
  let at = 0;
  for (; at < reference.length; at += 1) {
    const letter = reference.charCodeAt(at) - 64;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  if (at === 0 || at > 3) throw new ListFileError('broken', `cell ${reference}`);
  return column - 1;
}

function requireMerge(reference: string | undefined): Merge {
  const parts = /^\$?([A-Z]{1,3})\$?(\d{1,7}):\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(reference ?? '');
  if (!parts) throw new ListFileError('broken', `merged cells ${reference}`);
  const [, left = '', top = '', right = '', bottom = ''] = parts;
  return {
    firstRow: Number(top),
    lastRow: Number(bottom),
    firstColumn: requireColumn(left),
    lastColumn: requireColumn(right),
  };
}
