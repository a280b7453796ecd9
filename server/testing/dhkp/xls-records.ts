import { writeCompoundFile } from './list-files.ts';

/** Records of BIFF8 made by hand: for what the library of the tests does not write. */
export type XlsRecordParts = [kind: number, data: Buffer];

export const uint16 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2);
  return bytes;
};

export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};

const BOF_WORKBOOK: XlsRecordParts = [0x0809, uint16(0x0600, 0x0005, 0, 0, 0, 0, 0, 0)];
export const BOF_SHEET: XlsRecordParts = [0x0809, uint16(0x0600, 0x0010, 0, 0, 0, 0, 0, 0)];
export const BOF_CHART: XlsRecordParts = [0x0809, uint16(0x0600, 0x0020, 0, 0, 0, 0, 0, 0)];
export const EOF: XlsRecordParts = [0x000a, Buffer.alloc(0)];

/** A text of one byte a character. */
export const label = (row: number, column: number, text: string): XlsRecordParts => [
  0x0204,
  Buffer.concat([uint16(row, column, 0, text.length), Buffer.from([0]), Buffer.from(text, 'latin1')]),
];

export const sharedLabel = (row: number, column: number, index: number): XlsRecordParts => [
  0x00fd,
  Buffer.concat([uint16(row, column, 0), uint32(index)]),
];

/** A row with its flags; 0x20: hidden. */
export const rowRecord = (row: number, flags: number): XlsRecordParts => [
  0x0208,
  uint16(row, 0, 9, 255, 0, 0, flags, 0),
];

/** A workbook with one sheet. */
export function writeXls(globals: XlsRecordParts[], sheet: XlsRecordParts[]): Buffer {
  const pack = (records: XlsRecordParts[]): Buffer =>
    Buffer.concat(records.flatMap(([kind, data]) => [uint16(kind, data.length), data]));
  const name = Buffer.from('Daftar');
  const boundSheet = (at: number): XlsRecordParts => [
    0x0085,
    Buffer.concat([uint32(at), Buffer.from([0, 0, name.length, 0]), name]),
  ];
  const beginningOf = (at: number): Buffer => pack([BOF_WORKBOOK, boundSheet(at), ...globals, EOF]);
  const stream = Buffer.concat([beginningOf(beginningOf(0).length), pack([BOF_SHEET, ...sheet, EOF])]);
  // Short streams lie in another place of the container; this one is long, as real ones are.
  return writeCompoundFile({ '/Workbook': Buffer.concat([stream, Buffer.alloc(Math.max(0, 5000 - stream.length))]) });
}
