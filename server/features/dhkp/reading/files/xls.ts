import { type ByteReader, createByteReader, decodeRk, errorText } from './byte-reader.ts';
import { type CompoundFile } from './cfb.ts';
import { type Cell, createGrids, type GridBuilder, ListFileError, type OpenedFile } from './grid.ts';
import { createMemoryCheck } from './memory-limit.ts';
import { readSharedXlsTexts, readXlsText } from './xls-texts.ts';

/** The kinds of records of BIFF8 (MS-XLS) that hold what a list needs. */
const BOF = 0x0809;
const EOF = 0x000a;
const FILEPASS = 0x002f;
const DATE_MODE = 0x0022;
const BOUND_SHEET = 0x0085;
const SHARED_TEXTS = 0x00fc;
const CONTINUE = 0x003c;
const ROW = 0x0208;
const MULTIPLE_RK = 0x00bd;
const FORMULA = 0x0006;
const FORMULA_TEXT = 0x0207;
const MERGED_CELLS = 0x00e5;

const BIFF8 = 0x0600;
const HIDDEN_ROW = 0x20;

/** Readers of the value of one cell, by the kind of its record. */
const CELLS: Record<number, (record: ByteReader, texts: readonly string[]) => Cell> = {
  0x00fd: (record, texts) => requireText(texts, record.uint32()),
  0x027e: (record) => decodeRk(record.uint32()),
  0x0203: (record) => record.float64(),
  0x0204: (record) => readXlsText(record, record.uint16()),
  0x00d6: (record) => readXlsText(record, record.uint16()),
  0x0205: (record) => {
    const code = record.uint8();
    return record.uint8() === 1 ? errorText(code) : code !== 0;
  },
};

type XlsRecord = { kind: number; data: Buffer };
type SheetEntry = { name: string; isHidden: boolean; at: number };

/** Reads .xls of Excel 97 to 2003. Macros are in other streams, which are not opened. */
export function readXls(file: CompoundFile): OpenedFile {
  const stream = file.readStream('Workbook');
  const [first] = recordsFrom(stream, 0);
  if (first?.kind !== BOF || first.data.readUInt16LE(0) !== BIFF8) throw new ListFileError('broken', 'not BIFF8');
  const { sheets, texts, isDate1904 } = readGlobals(stream);
  const { grids, addGrid } = createGrids();
  for (const { name, isHidden, at } of sheets) {
    const grid = addGrid(name, isHidden);
    readSheet(recordsFrom(stream, at), texts, grid);
    grid.build();
  }
  return { grids, isDate1904 };
}

/** @throws ListFileError at the end of a stream that was cut; the last record that a reader wants is an end */
function* recordsFrom(stream: Buffer, start: number): Generator<XlsRecord> {
  const endStep = createMemoryCheck();
  let at = start;
  while (at + 4 <= stream.length) {
    const kind = stream.readUInt16LE(at);
    const length = stream.readUInt16LE(at + 2);
    // The stream is filled up with zeros.
    if (kind === 0 && length === 0) break;
    if (at + 4 + length > stream.length) break;
    yield { kind, data: stream.subarray(at + 4, at + 4 + length) };
    at += 4 + length;
    endStep();
  }
  throw new ListFileError('broken', 'the stream has no end');
}

function readGlobals(stream: Buffer) {
  const sheets: SheetEntry[] = [];
  const sharedTexts: Buffer[] = [];
  let isDate1904 = false;
  let before = 0;
  for (const { kind, data } of recordsFrom(stream, 0)) {
    if (kind === EOF) break;
    if (kind === FILEPASS) throw new ListFileError('locked', 'a password');
    if (kind === DATE_MODE) isDate1904 = data.readUInt16LE(0) === 1;
    const isSharedTexts = kind === SHARED_TEXTS || (kind === CONTINUE && before === SHARED_TEXTS);
    if (isSharedTexts) sharedTexts.push(data);
    before = isSharedTexts ? SHARED_TEXTS : kind;
    if (kind !== BOUND_SHEET) continue;
    const record = createByteReader(data);
    const at = record.uint32();
    const isHidden = (record.uint8() & 3) !== 0;
    // Other kinds are charts and macros, which hold no cells.
    const isWorksheet = record.uint8() === 0;
    const name = readXlsText(record, record.uint8());
    if (isWorksheet) sheets.push({ name, isHidden, at });
  }
  return { sheets, texts: sharedTexts.length > 0 ? readSharedXlsTexts(sharedTexts) : [], isDate1904 };
}

function readSheet(records: Iterable<XlsRecord>, texts: readonly string[], grid: GridBuilder): void {
  // A chart inside the sheet has a beginning and an end of its own.
  let depth = 0;
  /** The formula whose text follows in a record of its own. */
  let formula: { row: number; column: number } | null = null;
  for (const { kind, data } of records) {
    if (kind === BOF) depth += 1;
    else if (depth === 0) throw new ListFileError('broken', 'no sheet here');
    else if (kind === EOF) depth -= 1;
    if (depth === 0) return;
    if (depth > 1) continue;
    const record = createByteReader(data);
    const readCell = CELLS[kind];
    if (readCell) {
      const [row, column] = [record.uint16() + 1, record.uint16()];
      record.skip(2);
      grid.put(row, column, readCell(record, texts));
    } else if (kind === MULTIPLE_RK) readMultipleRk(data, grid);
    else if (kind === FORMULA) {
      const [row, column] = [record.uint16() + 1, record.uint16()];
      const value = formulaValue(data);
      formula = value === undefined ? { row, column } : null;
      if (value !== undefined) grid.put(row, column, value);
    } else if (kind === FORMULA_TEXT && formula) {
      grid.put(formula.row, formula.column, readXlsText(record, record.uint16()));
      formula = null;
    } else if (kind === ROW) {
      const row = record.uint16() + 1;
      record.skip(10);
      if (record.uint16() & HIDDEN_ROW) grid.hideRow(row);
    } else if (kind === MERGED_CELLS) {
      for (let count = record.uint16(); count > 0; count -= 1) {
        const [firstRow, lastRow] = [record.uint16() + 1, record.uint16() + 1];
        grid.merge({ firstRow, lastRow, firstColumn: record.uint16(), lastColumn: record.uint16() });
      }
    }
  }
}

function readMultipleRk(data: Buffer, grid: GridBuilder): void {
  const record = createByteReader(data);
  const row = record.uint16() + 1;
  const firstColumn = record.uint16();
  const count = Math.floor((data.length - 6) / 6);
  for (let index = 0; index < count; index += 1) {
    record.skip(2);
    grid.put(row, firstColumn + index, decodeRk(record.uint32()));
  }
}

/** @returns the stored value of a formula; undefined: its text follows */
function formulaValue(data: Buffer): Cell | undefined {
  const value = data.subarray(6, 14);
  if (value.length < 8) throw new ListFileError('broken', 'a formula is cut');
  if (value.readUInt16LE(6) !== 0xffff) return value.readDoubleLE(0);
  const [kind, , result = 0] = value;
  if (kind === 0) return undefined;
  if (kind === 1) return result !== 0;
  if (kind === 2) return errorText(result);
  return null;
}

function requireText(texts: readonly string[], index: number): string {
  const text = texts[index];
  if (text === undefined) throw new ListFileError('broken', `no shared text ${index}`);
  return text;
}
