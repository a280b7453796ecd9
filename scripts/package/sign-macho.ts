import { createHash } from 'node:crypto';

/** Offsets and numbers of the 64-bit Mach-O format. The file is little-endian, its signature big-endian. */
const MH_MAGIC_64 = 0xfeedfacf;
const NCMDS_OFFSET = 16;
const SIZEOFCMDS_OFFSET = 20;
const LOAD_COMMANDS_OFFSET = 32;
const LC_SEGMENT_64 = 0x19;
const LC_CODE_SIGNATURE = 0x1d;
const SECTIONS_OFFSET = 72;
const SECTION_BYTES = 80;
/** Size of a memory page on Apple silicon. */
const MEMORY_PAGE_BYTES = 0x4000;

const CSMAGIC_EMBEDDED_SIGNATURE = 0xfade0cc0;
const CSMAGIC_CODEDIRECTORY = 0xfade0c02;
const CODE_DIRECTORY_BYTES = 88;
const CODE_DIRECTORY_VERSION = 0x20400;
/** Signed ad hoc by a linker: the signature names no signer and only proves that the file is unchanged. */
const CS_ADHOC_LINKER_SIGNED = 0x20002;
const HASH_BYTES = 32;
const CS_HASHTYPE_SHA256 = 2;
const HASHED_PAGE_BITS = 12;
const CS_EXECSEG_MAIN_BINARY = 1n;

type LoadCommand = { at: number; kind: number; size: number };

/**
 * Signs a macOS program ad hoc, as Apple's and Go's linkers do. Apple silicon refuses to run unsigned programs, and the
 * injection of the program removes Node's own signature.
 * @param name the identifier in the signature
 * @throws when the file is no 64-bit macOS program, is signed already or has no room for one more load command
 */
export function signMachO(unsigned: Buffer, name: string): Buffer {
  if (unsigned.readUInt32LE(0) !== MH_MAGIC_64) throw new Error('bukan program macOS 64-bit');
  const commands = readCommands(unsigned);
  if (commands.some(({ kind }) => kind === LC_CODE_SIGNATURE))
    throw new Error('program macOS ini sudah ditandatangani');
  const text = requireSegment(unsigned, commands, '__TEXT');
  const linkEdit = requireSegment(unsigned, commands, '__LINKEDIT');

  const codeBytes = Math.ceil(unsigned.length / 16) * 16;
  const identifier = Buffer.from(`${name}\0`);
  const pages = Math.ceil(codeBytes / 2 ** HASHED_PAGE_BITS);
  const directoryBytes = CODE_DIRECTORY_BYTES + identifier.length + pages * HASH_BYTES;
  const signatureBytes = 20 + directoryBytes;

  const code = Buffer.concat([unsigned, Buffer.alloc(codeBytes - unsigned.length)]);
  addSignatureCommand(code, commands, text, { dataAt: codeBytes, dataBytes: signatureBytes });
  const linkEditBytes = codeBytes + signatureBytes - linkEdit.fileAt;
  code.writeBigUInt64LE(BigInt(linkEditBytes), linkEdit.at + 48);
  code.writeBigUInt64LE(BigInt(Math.ceil(linkEditBytes / MEMORY_PAGE_BYTES) * MEMORY_PAGE_BYTES), linkEdit.at + 32);

  const directory = Buffer.alloc(CODE_DIRECTORY_BYTES);
  const hashesAt = CODE_DIRECTORY_BYTES + identifier.length;
  [
    CSMAGIC_CODEDIRECTORY,
    directoryBytes,
    CODE_DIRECTORY_VERSION,
    CS_ADHOC_LINKER_SIGNED,
    hashesAt,
    CODE_DIRECTORY_BYTES,
    0,
    pages,
    codeBytes,
  ].forEach((value, index) => directory.writeUInt32BE(value, index * 4));
  directory.set([HASH_BYTES, CS_HASHTYPE_SHA256, 0, HASHED_PAGE_BITS], 36);
  directory.writeBigUInt64BE(BigInt(text.fileAt), 64);
  directory.writeBigUInt64BE(BigInt(text.fileBytes), 72);
  directory.writeBigUInt64BE(CS_EXECSEG_MAIN_BINARY, 80);

  const head = Buffer.alloc(20);
  [CSMAGIC_EMBEDDED_SIGNATURE, signatureBytes, 1, 0, head.length].forEach((value, index) =>
    head.writeUInt32BE(value, index * 4),
  );
  return Buffer.concat([code, head, directory, identifier, ...hashPages(code)]);
}

function hashPages(code: Buffer): Buffer[] {
  const pageBytes = 2 ** HASHED_PAGE_BITS;
  return Array.from({ length: Math.ceil(code.length / pageBytes) }, (_, page) =>
    createHash('sha256')
      .update(code.subarray(page * pageBytes, (page + 1) * pageBytes))
      .digest(),
  );
}

function readCommands(file: Buffer): LoadCommand[] {
  let at = LOAD_COMMANDS_OFFSET;
  return Array.from({ length: file.readUInt32LE(NCMDS_OFFSET) }, () => {
    const command = { at, kind: file.readUInt32LE(at), size: file.readUInt32LE(at + 4) };
    at += command.size;
    return command;
  });
}

type Segment = { at: number; fileAt: number; fileBytes: number };

function requireSegment(file: Buffer, commands: LoadCommand[], name: string): Segment {
  const isNamed = ({ at, kind }: LoadCommand): boolean =>
    kind === LC_SEGMENT_64 && file.toString('latin1', at + 8, at + 24).replaceAll('\0', '') === name;
  const found = commands.find(isNamed);
  if (!found) throw new Error(`program macOS ini tidak mempunyai ${name}`);
  const number = (offset: number): number => Number(file.readBigUInt64LE(found.at + offset));
  return { at: found.at, fileAt: number(40), fileBytes: number(48) };
}

/** Appends the signature's load command in the free space that linkers leave before the first section. */
function addSignatureCommand(
  file: Buffer,
  commands: LoadCommand[],
  text: Segment,
  data: { dataAt: number; dataBytes: number },
): void {
  const end = LOAD_COMMANDS_OFFSET + file.readUInt32LE(SIZEOFCMDS_OFFSET);
  const sectionCount = file.readUInt32LE(text.at + 64);
  const sectionsAt = Array.from({ length: sectionCount }, (_, index) =>
    file.readUInt32LE(text.at + SECTIONS_OFFSET + index * SECTION_BYTES + 48),
  ).filter((at) => at > 0);
  const command = [LC_CODE_SIGNATURE, 16, data.dataAt, data.dataBytes];
  if (Math.min(...sectionsAt) < end + 16) throw new Error('program macOS ini tidak punya tempat untuk tanda tangan');
  command.forEach((value, index) => file.writeUInt32LE(value, end + index * 4));
  file.writeUInt32LE(commands.length + 1, NCMDS_OFFSET);
  file.writeUInt32LE(end + 16 - LOAD_COMMANDS_OFFSET, SIZEOFCMDS_OFFSET);
}
