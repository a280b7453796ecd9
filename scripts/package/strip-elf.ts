/** Offsets and sizes of the 64-bit little-endian ELF format. */
const E_PHOFF = 32;
const E_SHOFF = 40;
const E_PHNUM = 56;
const E_SHNUM = 60;
const E_SHSTRNDX = 62;
const PROGRAM_HEADER_BYTES = 56;
const SECTION_HEADER_BYTES = 64;
const SHF_ALLOC = 2n;

type Section = { header: Buffer; allocated: boolean };

const isElf64 = (file: Buffer): boolean => file.readUInt32BE(0) === 0x7f454c46 && file[4] === 2 && file[5] === 1;

/**
 * Removes the data that only a debugger needs, as `strip` does, for any Linux target on any system. The names of
 * functions are 18 MB of Node's 126.
 * @throws when the file is no Linux program or its layout is unknown here
 */
export function stripElf(file: Buffer): Buffer {
  if (!isElf64(file)) throw new Error('bukan program Linux 64-bit');
  const loadedEnd = loadedEndOffset(file);
  const sections = readSections(file);
  const namesIndex = file.readUInt16LE(E_SHSTRNDX);
  const names = sections[namesIndex];
  const keptCount = sections.findLastIndex(({ allocated }) => allocated) + 1;
  // Kept sections refer to each other by index, so only the sections after the last kept one can be removed.
  if (!names || namesIndex < keptCount) throw new Error('susunan program Linux ini belum dikenal');

  const nameBytes = sectionContent(file, names.header);
  const namesOffset = alignTo8(loadedEnd);
  const headersOffset = alignTo8(namesOffset + nameBytes.length);
  const kept = [...sections.slice(0, keptCount), names].map(({ header }) => Buffer.from(header));
  kept.at(-1)?.writeBigUInt64LE(BigInt(namesOffset), 24);

  const stripped = Buffer.alloc(headersOffset + kept.length * SECTION_HEADER_BYTES);
  file.copy(stripped, 0, 0, loadedEnd);
  nameBytes.copy(stripped, namesOffset);
  kept.forEach((header, index) => header.copy(stripped, headersOffset + index * SECTION_HEADER_BYTES));
  stripped.writeBigUInt64LE(BigInt(headersOffset), E_SHOFF);
  stripped.writeUInt16LE(kept.length, E_SHNUM);
  stripped.writeUInt16LE(kept.length - 1, E_SHSTRNDX);
  return stripped;
}

const alignTo8 = (offset: number): number => Math.ceil(offset / 8) * 8;

/** Returns the end of the last segment that is loaded into memory. */
function loadedEndOffset(file: Buffer): number {
  const at = Number(file.readBigUInt64LE(E_PHOFF));
  const ends = Array.from({ length: file.readUInt16LE(E_PHNUM) }, (_, index) => {
    const header = at + index * PROGRAM_HEADER_BYTES;
    return Number(file.readBigUInt64LE(header + 8) + file.readBigUInt64LE(header + 32));
  });
  return Math.max(...ends);
}

function readSections(file: Buffer): Section[] {
  const at = Number(file.readBigUInt64LE(E_SHOFF));
  return Array.from({ length: file.readUInt16LE(E_SHNUM) }, (_, index) => {
    const header = file.subarray(at + index * SECTION_HEADER_BYTES, at + (index + 1) * SECTION_HEADER_BYTES);
    return { header, allocated: (header.readBigUInt64LE(8) & SHF_ALLOC) !== 0n };
  });
}

function sectionContent(file: Buffer, header: Buffer): Buffer {
  const from = Number(header.readBigUInt64LE(24));
  return file.subarray(from, from + Number(header.readBigUInt64LE(32)));
}
