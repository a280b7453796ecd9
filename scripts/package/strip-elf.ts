/** Where things stand in a 64-bit little-endian ELF file. */
const PROGRAM_HEADERS_AT = 32;
const SECTION_HEADERS_AT = 40;
const PROGRAM_HEADER_COUNT = 56;
const SECTION_COUNT = 60;
const NAMES_INDEX = 62;
const PROGRAM_HEADER_BYTES = 56;
const SECTION_BYTES = 64;
const ALLOCATED = 2n;

type Section = { header: Buffer; allocated: boolean };

const isElf64 = (file: Buffer): boolean => file.readUInt32BE(0) === 0x7f454c46 && file[4] === 2 && file[5] === 1;

/**
 * Takes out what a debugger would need and nobody else: what `strip` does, for any Linux target on any system.
 * 18 MB of Node's 126 are the names of its functions.
 * @throws when the file is no Linux program or is laid out in a way that nobody has looked at
 */
export function stripElf(file: Buffer): Buffer {
  if (!isElf64(file)) throw new Error('bukan program Linux 64-bit');
  const loadedEnd = endOfLoaded(file);
  const sections = readSections(file);
  const namesIndex = file.readUInt16LE(NAMES_INDEX);
  const names = sections[namesIndex];
  const keptCount = sections.findLastIndex(({ allocated }) => allocated) + 1;
  // The kept ones refer to each other by number, so only what comes after all of them can go.
  if (!names || namesIndex < keptCount) throw new Error('susunan program Linux ini belum dikenal');

  const nameBytes = contentOf(file, names.header);
  const namesAt = align(loadedEnd);
  const headersAt = align(namesAt + nameBytes.length);
  const kept = [...sections.slice(0, keptCount), names].map(({ header }) => Buffer.from(header));
  kept.at(-1)?.writeBigUInt64LE(BigInt(namesAt), 24);

  const stripped = Buffer.alloc(headersAt + kept.length * SECTION_BYTES);
  file.copy(stripped, 0, 0, loadedEnd);
  nameBytes.copy(stripped, namesAt);
  kept.forEach((header, index) => header.copy(stripped, headersAt + index * SECTION_BYTES));
  stripped.writeBigUInt64LE(BigInt(headersAt), SECTION_HEADERS_AT);
  stripped.writeUInt16LE(kept.length, SECTION_COUNT);
  stripped.writeUInt16LE(kept.length - 1, NAMES_INDEX);
  return stripped;
}

const align = (offset: number): number => Math.ceil(offset / 8) * 8;

/** Where the last byte stands that is ever loaded into memory. */
function endOfLoaded(file: Buffer): number {
  const at = Number(file.readBigUInt64LE(PROGRAM_HEADERS_AT));
  const ends = Array.from({ length: file.readUInt16LE(PROGRAM_HEADER_COUNT) }, (_, index) => {
    const header = at + index * PROGRAM_HEADER_BYTES;
    return Number(file.readBigUInt64LE(header + 8) + file.readBigUInt64LE(header + 32));
  });
  return Math.max(...ends);
}

function readSections(file: Buffer): Section[] {
  const at = Number(file.readBigUInt64LE(SECTION_HEADERS_AT));
  return Array.from({ length: file.readUInt16LE(SECTION_COUNT) }, (_, index) => {
    const header = file.subarray(at + index * SECTION_BYTES, at + (index + 1) * SECTION_BYTES);
    return { header, allocated: (header.readBigUInt64LE(8) & ALLOCATED) !== 0n };
  });
}

function contentOf(file: Buffer, header: Buffer): Buffer {
  const from = Number(header.readBigUInt64LE(24));
  return file.subarray(from, from + Number(header.readBigUInt64LE(32)));
}
