import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { ListFileError } from './grid.ts';

export type ZipEntry = {
  name: string;
  method: number;
  isEncrypted: boolean;
  crc: number;
  packedBytes: number;
  bytes: number;
  offset: number;
};

/** The parts of a package by their names in lower case: names of parts do not distinguish case. */
export type ZipEntries = Map<string, ZipEntry>;

const END = 0x06054b50;
const END_BYTES = 22;
const COMMENT_BYTES_MAX = 65_535;
const CENTRAL = 0x02014b50;
const CENTRAL_BYTES = 46;
const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
const ZIP64_LOCATOR = 0x07064b50;
const ZIP64_END = 0x06064b50;
const UINT32_MAX = 0xffffffff;
const STORED = 0;
const DEFLATED = 8;

/** A sheet of 100,000 rows with 20 columns takes about 120 MiB; what grows beyond this is an attack or far too large. */
const PART_BYTES_MAX = 192 * 2 ** 20;
/** Binary parts are smaller, and are read as a whole. */
const WHOLE_BYTES_MAX = 64 * 2 ** 20;
const PARTS_MAX = 10_000;

const broken = (detail: string): ListFileError => new ListFileError('broken', detail);

export const isZip = (bytes: Buffer): boolean => bytes.length >= 4 && bytes.readUInt32LE(0) === LOCAL;

/** @throws ListFileError when the directory at the end is missing or damaged, as in a file that was cut */
export function readZipEntries(bytes: Buffer): ZipEntries {
  const directory = findDirectory(bytes);
  const entries: ZipEntries = new Map();
  let at = directory.offset;
  if (directory.count > PARTS_MAX) throw new ListFileError('too_large', 'too many parts');
  for (let index = 0; index < directory.count; index += 1) {
    if (at + CENTRAL_BYTES > bytes.length || bytes.readUInt32LE(at) !== CENTRAL) throw broken('damaged zip directory');
    const nameBytes = bytes.readUInt16LE(at + 28);
    const extraBytes = bytes.readUInt16LE(at + 30);
    const nameAt = at + CENTRAL_BYTES;
    const entry: ZipEntry = {
      name: bytes
        .toString('utf8', nameAt, nameAt + nameBytes)
        .replaceAll('\\', '/')
        .replace(/^\/+/, ''),
      method: bytes.readUInt16LE(at + 10),
      isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      crc: bytes.readUInt32LE(at + 16),
      packedBytes: bytes.readUInt32LE(at + 20),
      bytes: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42),
    };
    readZip64Sizes(bytes.subarray(nameAt + nameBytes, nameAt + nameBytes + extraBytes), entry);
    entries.set(entry.name.toLowerCase(), entry);
    at = nameAt + nameBytes + extraBytes + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

function findDirectory(bytes: Buffer): { offset: number; count: number } {
  const lowest = Math.max(0, bytes.length - END_BYTES - COMMENT_BYTES_MAX);
  for (let at = bytes.length - END_BYTES; at >= lowest; at -= 1) {
    if (bytes.readUInt32LE(at) !== END) continue;
    const found = { offset: bytes.readUInt32LE(at + 16), count: bytes.readUInt16LE(at + 10) };
    if (found.offset !== UINT32_MAX && found.count !== 0xffff) return found;
    const locator = at - 20;
    if (locator < 0 || bytes.readUInt32LE(locator) !== ZIP64_LOCATOR) return found;
    const end = Number(bytes.readBigUInt64LE(locator + 8));
    if (end + 56 > bytes.length || bytes.readUInt32LE(end) !== ZIP64_END) throw broken('damaged zip directory');
    return { offset: Number(bytes.readBigUInt64LE(end + 48)), count: Number(bytes.readBigUInt64LE(end + 32)) };
  }
  throw broken('zip without its directory');
}

/** Programs that write in one go note sizes of 64 bits even of small files. */
function readZip64Sizes(extra: Buffer, entry: ZipEntry): void {
  for (let at = 0; at + 4 <= extra.length;) {
    const bytes = extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === 1) {
      let next = at + 4;
      for (const key of ['bytes', 'packedBytes', 'offset'] as const) {
        if (entry[key] !== UINT32_MAX || next + 8 > extra.length) continue;
        entry[key] = Number(extra.readBigUInt64LE(next));
        next += 8;
      }
    }
    at += 4 + bytes;
  }
}

/**
 * Unpacks one part in pieces, so that no part is ever whole in memory.
 * @throws ListFileError when it is locked or damaged, or larger than it says or than any list is
 */
export async function* unpackPart(bytes: Buffer, entry: ZipEntry): AsyncGenerator<Buffer> {
  if (entry.isEncrypted) throw new ListFileError('locked', 'encrypted part');
  if (entry.bytes > PART_BYTES_MAX) throw new ListFileError('too_large', `${entry.name} has ${entry.bytes} bytes`);
  const packed = packedPart(bytes, entry);
  let length = 0;
  let crc = 0;
  for await (const piece of entry.method === STORED ? [packed] : inflate(packed, entry)) {
    length += piece.length;
    // An attack names a small size in the directory.
    if (length > entry.bytes) throw broken('a part is larger than it says');
    crc = crc32(piece, crc);
    yield piece;
  }
  if (length !== entry.bytes || crc !== entry.crc) throw broken('a part is damaged');
}

function packedPart(bytes: Buffer, { name, offset, packedBytes }: ZipEntry): Buffer {
  if (offset + LOCAL_BYTES > bytes.length || bytes.readUInt32LE(offset) !== LOCAL) throw broken(`no part ${name}`);
  const start = offset + LOCAL_BYTES + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
  if (start + packedBytes > bytes.length) throw broken(`${name} is cut`);
  return bytes.subarray(start, start + packedBytes);
}

function inflate(packed: Buffer, { method }: ZipEntry): AsyncIterable<Buffer> {
  if (method !== DEFLATED) throw broken(`unknown compression ${method}`);
  const stream = createInflateRaw();
  stream.end(packed);
  return stream;
}

export async function unpackWhole(bytes: Buffer, entry: ZipEntry): Promise<Buffer> {
  if (entry.bytes > WHOLE_BYTES_MAX) throw new ListFileError('too_large', `${entry.name} has ${entry.bytes} bytes`);
  const pieces: Buffer[] = [];
  for await (const piece of unpackPart(bytes, entry)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Reads a small part at once. @returns null when it is damaged, or longer than `bytesMax` */
export function readSmallPart(bytes: Buffer, entry: ZipEntry, bytesMax: number): Buffer | null {
  if (entry.bytes > bytesMax || entry.packedBytes > 2 * bytesMax) return null;
  try {
    const packed = packedPart(bytes, entry);
    return entry.method === STORED ? packed : inflateRawSync(packed, { maxOutputLength: bytesMax });
  } catch {
    return null;
  }
}
