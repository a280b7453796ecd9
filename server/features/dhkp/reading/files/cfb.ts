import { ListFileError } from './grid.ts';

/** The container of .xls and of locked .xlsx files: streams by name (MS-CFB, "OLE2"). */
export type CompoundFile = { names: string[]; readStream: (name: string) => Buffer };

const SIGNATURE = 'd0cf11e0a1b11ae1';
const HEADER_BYTES = 512;
const HEADER_TABLE_AT = 76;
const HEADER_TABLE_ENTRIES = 109;
const ENTRY_BYTES = 128;
/** Larger numbers of sectors mean: end of chain, free, or a part of the table itself. */
const SECTOR_MAX = 0xfffffffa;
const SHORT_SECTOR_BYTES = 64;
const SHORT_STREAM_MAX = 4096;
const ROOT = 5;
const STREAM = 2;

type Entry = { name: string; kind: number; start: number; bytes: number };

const broken = (): ListFileError => new ListFileError('broken', 'damaged compound file');

export const isCompoundFile = (bytes: Buffer): boolean => bytes.toString('hex', 0, 8) === SIGNATURE;

/** @throws ListFileError */
export function openCompoundFile(file: Buffer): CompoundFile {
  if (file.length < HEADER_BYTES) throw broken();
  const shift = file.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) throw broken();
  const sectorBytes = 2 ** shift;
  const sectorsMax = Math.ceil(file.length / sectorBytes);

  const sectorAt = (sector: number): Buffer => {
    const start = (sector + 1) * sectorBytes;
    if (sector > SECTOR_MAX || start >= file.length) throw broken();
    return file.subarray(start, start + sectorBytes);
  };
  const table = readTable(file, sectorAt, sectorsMax);
  const readChain = (start: number, chain: Uint32Array, bytesMax: number, read: (sector: number) => Buffer): Buffer => {
    const pieces: Buffer[] = [];
    const seen = new Uint8Array(chain.length);
    let length = 0;
    for (let sector = start; sector <= SECTOR_MAX && length < bytesMax;) {
      const next = chain[sector];
      // A chain that comes back to a sector goes in a circle.
      if (next === undefined || seen[sector] === 1) throw broken();
      seen[sector] = 1;
      const piece = read(sector);
      pieces.push(piece);
      length += piece.length;
      sector = next;
    }
    return Buffer.concat(pieces);
  };
  const readSectors = (start: number, bytes: number): Buffer => {
    const whole = readChain(start, table, bytes, sectorAt);
    if (whole.length < bytes) throw broken();
    return whole.subarray(0, bytes);
  };

  const entries = readEntries(readChain(file.readUInt32LE(48), table, file.length, sectorAt));
  const root = entries.find(({ kind }) => kind === ROOT);
  if (!root) throw broken();
  const shortTable = toNumbers(readChain(file.readUInt32LE(60), table, file.length, sectorAt));
  let shortSectors: Buffer | undefined;

  const readShort = (start: number, bytes: number): Buffer => {
    shortSectors ??= readSectors(root.start, root.bytes);
    const whole = shortSectors;
    const stream = readChain(start, shortTable, bytes, (sector) => {
      const at = sector * SHORT_SECTOR_BYTES;
      if (at >= whole.length) throw broken();
      return whole.subarray(at, at + SHORT_SECTOR_BYTES);
    });
    if (stream.length < bytes) throw broken();
    return stream.subarray(0, bytes);
  };

  const streams = entries.filter(({ kind }) => kind === STREAM);
  return {
    names: streams.map(({ name }) => name),
    readStream(name) {
      const entry = streams.find((stream) => stream.name === name);
      if (!entry || entry.bytes > file.length) throw broken();
      return entry.bytes < SHORT_STREAM_MAX
        ? readShort(entry.start, entry.bytes)
        : readSectors(entry.start, entry.bytes);
    },
  };
}

/** The table says for each sector which one follows it. Its own sectors are named in the header, then in a chain. */
function readTable(file: Buffer, sectorAt: (sector: number) => Buffer, sectorsMax: number): Uint32Array {
  const sectors: number[] = [...toNumbers(file.subarray(HEADER_TABLE_AT, HEADER_TABLE_AT + HEADER_TABLE_ENTRIES * 4))];
  let next = file.readUInt32LE(68);
  for (let count = 0; next <= SECTOR_MAX; count += 1) {
    if (count > sectorsMax) throw broken();
    const numbers = toNumbers(sectorAt(next));
    sectors.push(...numbers.subarray(0, -1));
    next = numbers.at(-1) ?? SECTOR_MAX + 1;
  }
  const used = sectors.filter((sector) => sector <= SECTOR_MAX);
  if (used.length > sectorsMax) throw broken();
  return toNumbers(Buffer.concat(used.map(sectorAt)));
}

function readEntries(directory: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at + ENTRY_BYTES <= directory.length; at += ENTRY_BYTES) {
    const nameBytes = Math.min(directory.readUInt16LE(at + 64), 64);
    entries.push({
      name: directory.toString('utf16le', at, at + Math.max(0, nameBytes - 2)),
      kind: directory.readUInt8(at + 66),
      start: directory.readUInt32LE(at + 116),
      bytes: directory.readUInt32LE(at + 120),
    });
  }
  return entries;
}

function toNumbers(bytes: Buffer): Uint32Array {
  const numbers = new Uint32Array(Math.floor(bytes.length / 4));
  for (let index = 0; index < numbers.length; index += 1) numbers[index] = bytes.readUInt32LE(index * 4);
  return numbers;
}
