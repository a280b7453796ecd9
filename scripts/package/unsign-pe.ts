/** Where things stand in a 64-bit Windows program. */
const PE_HEADER_AT = 0x3c;
const OPTIONAL_HEADER = 24;
const PE32_PLUS = 0x20b;
const CHECKSUM = 64;
const CERTIFICATES = 112 + 4 * 8;

/**
 * Takes Node's own signature off a Windows program: what we put in makes it wrong, and Windows and virus scanners trust
 * a program with a wrong signature less than one without.
 * @throws when the file is no 64-bit Windows program
 */
export function unsignPe(file: Buffer): Buffer {
  const header = file.readUInt32LE(PE_HEADER_AT);
  const optional = header + OPTIONAL_HEADER;
  if (file.toString('latin1', header, header + 4) !== 'PE\0\0' || file.readUInt16LE(optional) !== PE32_PLUS) {
    throw new Error('bukan program Windows 64-bit');
  }
  const at = file.readUInt32LE(optional + CERTIFICATES);
  if (at === 0) return file;
  // Signatures always stand at the end.
  const unsigned = Buffer.from(file.subarray(0, at));
  unsigned.writeBigUInt64LE(0n, optional + CERTIFICATES);
  // Checked for drivers only; it would be wrong now.
  unsigned.writeUInt32LE(0, optional + CHECKSUM);
  return unsigned;
}
