import { type ByteReader, createByteReader, decodeRk, errorText } from './byte-reader.ts';
import { type Cell, createGrids, type GridBuilder, ListFileError, type OpenedFile } from './grid.ts';
import { createMemoryCheck } from './memory-limit.ts';
import { findWorkbookPart, type OfficePackage, readRelationships, requirePart } from './package-parts.ts';
import { unpackWhole } from './zip.ts';

/** The kinds of records of MS-XLSB that hold what a list needs. */
const ROW = 0;
const WORKBOOK_PROPERTIES = 153;
const SHEET = 156;
const SHARED_TEXT = 19;
const MERGED_CELLS = 176;

/** Readers of the value of a cell, by the kind of its record; a blank cell has none. */
const CELLS: Record<number, (record: ByteReader, texts: readonly string[]) => Cell> = {
  1: () => null,
  2: (record) => decodeRk(record.uint32()),
  3: (record) => errorText(record.uint8()),
  4: (record) => record.uint8() !== 0,
  5: (record) => record.float64(),
  6: (record) => readText(record),
  7: (record, texts) => requireText(texts, record.uint32()),
  // The stored values of formulas.
  8: (record) => readText(record),
  9: (record) => record.float64(),
  10: (record) => record.uint8() !== 0,
  11: (record) => errorText(record.uint8()),
  // A text with formats.
  62: (record) => {
    record.skip(1);
    return readText(record);
  },
};
/** Short records name no column: it is the one after the last. Their kinds are those of the long ones plus this. */
const SHORT_FROM = 12;
const SHORT_TO = 18;
const SHORT_OFFSET = 11;

type Sheet = { name: string; isHidden: boolean; relationship: string };

export async function readXlsb(source: OfficePackage): Promise<OpenedFile> {
  const workbook = await findWorkbookPart(source, 'xl/workbook.bin');
  const relationships = await readRelationships(source, workbook);
  const { sheets, isDate1904 } = readWorkbook(await unpackWhole(source.bytes, requirePart(source, workbook)));
  const textsPart = [...relationships.values()].find(({ type }) => type === 'sharedStrings')?.part;
  const texts = textsPart ? readTexts(await unpackWhole(source.bytes, requirePart(source, textsPart))) : [];
  const { grids, addGrid } = createGrids();
  for (const { name, isHidden, relationship } of sheets) {
    const target = relationships.get(relationship);
    if (!target) throw new ListFileError('broken', `no part of sheet ${name}`);
    if (target.type !== 'worksheet') continue;
    const grid = addGrid(name, isHidden);
    readSheet(await unpackWhole(source.bytes, requirePart(source, target.part)), texts, grid);
    grid.build();
  }
  return { grids, isDate1904 };
}

function readWorkbook(bytes: Buffer): { sheets: Sheet[]; isDate1904: boolean } {
  const sheets: Sheet[] = [];
  let isDate1904 = false;
  for (const { kind, record } of records(bytes)) {
    if (kind === WORKBOOK_PROPERTIES) isDate1904 = (record.uint32() & 1) === 1;
    if (kind !== SHEET) continue;
    const isHidden = record.uint32() !== 0;
    record.skip(4);
    const relationship = readText(record);
    sheets.push({ name: readText(record), isHidden, relationship });
  }
  return { sheets, isDate1904 };
}

function readTexts(bytes: Buffer): string[] {
  const texts: string[] = [];
  for (const { kind, record } of records(bytes)) {
    if (kind !== SHARED_TEXT) continue;
    record.skip(1);
    texts.push(readText(record));
  }
  return texts;
}

function readSheet(bytes: Buffer, texts: readonly string[], grid: GridBuilder): void {
  let row = 0;
  let column = -1;
  for (const { kind, record } of records(bytes)) {
    if (kind === ROW) {
      row = record.uint32() + 1;
      column = -1;
      record.skip(7);
      if (record.uint8() & 0x10) grid.hideRow(row);
    } else if (kind === MERGED_CELLS) {
      const [firstRow, lastRow] = [record.uint32() + 1, record.uint32() + 1];
      grid.merge({ firstRow, lastRow, firstColumn: record.uint32(), lastColumn: record.uint32() });
    } else {
      const isShort = kind >= SHORT_FROM && kind <= SHORT_TO;
      const readCell = CELLS[isShort ? kind - SHORT_OFFSET : kind];
      if (!readCell) continue;
      column = isShort ? column + 1 : record.uint32();
      record.skip(4);
      grid.put(row, column, readCell(record, texts));
    }
  }
}

function* records(bytes: Buffer): Generator<{ kind: number; record: ByteReader }> {
  const endStep = createMemoryCheck();
  let at = 0;
  const next = (): number => {
    const byte = bytes[at];
    if (byte === undefined) throw new ListFileError('broken', 'a record is cut');
    at += 1;
    return byte;
  };
  while (at < bytes.length) {
    let kind = next();
    if (kind & 0x80) kind = (kind & 0x7f) | ((next() & 0x7f) << 7);
    let length = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = next();
      length |= (byte & 0x7f) << shift;
      if ((byte & 0x80) === 0) break;
    }
    if (at + length > bytes.length) throw new ListFileError('broken', 'a record is cut');
    yield { kind, record: createByteReader(bytes.subarray(at, at + length)) };
    endStep();
    at += length;
  }
}

/** A length of 2³² − 1 means: no text. */
function readText(record: ByteReader): string {
  const characters = record.uint32();
  return characters === 0xffffffff ? '' : record.utf16(characters);
}

function requireText(texts: readonly string[], index: number): string {
  const text = texts[index];
  if (text === undefined) throw new ListFileError('broken', `no shared text ${index}`);
  return text;
}
