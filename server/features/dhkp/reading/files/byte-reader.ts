import { ListFileError } from './grid.ts';

/** Reads little-endian values one after the other. Beyond the end it throws, as in a file that was cut. */
export type ByteReader = {
  skip: (bytes: number) => void;
  uint8: () => number;
  uint16: () => number;
  uint32: () => number;
  float64: () => number;
  latin1: (characters: number) => string;
  utf16: (characters: number) => string;
};

export function createByteReader(bytes: Buffer, start = 0): ByteReader {
  let at = start;
  const take = (length: number): number => {
    if (length < 0 || at + length > bytes.length) throw new ListFileError('broken', 'a record is cut');
    at += length;
    return at - length;
  };
  return {
    skip: (length) => void take(length),
    uint8: () => bytes.readUInt8(take(1)),
    uint16: () => bytes.readUInt16LE(take(2)),
    uint32: () => bytes.readUInt32LE(take(4)),
    float64: () => bytes.readDoubleLE(take(8)),
    latin1: (characters) => {
      const from = take(characters);
      return bytes.toString('latin1', from, from + characters);
    },
    utf16: (characters) => {
      const from = take(characters * 2);
      return bytes.toString('utf16le', from, from + characters * 2);
    },
  };
}

/** RK: a number in four bytes, as .xls and .xlsb store most of them. */
export function decodeRk(rk: number): number {
  const double = Buffer.alloc(8);
  double.writeUInt32LE((rk & 0xfffffffc) >>> 0, 4);
  const value = rk & 2 ? rk >> 2 : double.readDoubleLE(0);
  return rk & 1 ? value / 100 : value;
}

const ERROR_TEXTS: Record<number, string> = {
  0x00: '#NULL!',
  0x07: '#DIV/0!',
  0x0f: '#VALUE!',
  0x17: '#REF!',
  0x1d: '#NAME?',
  0x24: '#NUM!',
  0x2a: '#N/A',
  0x2b: '#GETTING_DATA',
};

/** The text that Excel shows for the code of an error. */
export function errorText(code: number): string {
  return ERROR_TEXTS[code] ?? '#VALUE!';
}
