/** Offsets and numbers of the 64-bit PE format. */
const E_LFANEW_OFFSET = 0x3c;
const OPTIONAL_HEADER_OFFSET = 24;
const PE32_PLUS_MAGIC = 0x20b;
const CHECKSUM_OFFSET = 64;
const CERTIFICATE_TABLE_OFFSET = 112 + 4 * 8;

/**
 * Removes Node's own signature from a Windows program. The injected code makes that signature invalid. Windows and virus
 * scanners trust an invalid signature less than none.
 * @throws when the file is no 64-bit Windows program
 */
export function unsignPe(file: Buffer): Buffer {
  const header = file.readUInt32LE(E_LFANEW_OFFSET);
  const optional = header + OPTIONAL_HEADER_OFFSET;
  if (file.toString('latin1', header, header + 4) !== 'PE\0\0' || file.readUInt16LE(optional) !== PE32_PLUS_MAGIC) {
    throw new Error('bukan program Windows 64-bit');
  }
  const at = file.readUInt32LE(optional + CERTIFICATE_TABLE_OFFSET);
  if (at === 0) return file;
  // Signatures are always at the end of the file.
  const unsigned = Buffer.from(file.subarray(0, at));
  unsigned.writeBigUInt64LE(0n, optional + CERTIFICATE_TABLE_OFFSET);
  // The checksum is wrong after the change. Windows checks it only for drivers.
  unsigned.writeUInt32LE(0, optional + CHECKSUM_OFFSET);
  return unsigned;
}
