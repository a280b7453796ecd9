const ORIENTATION_TAG = 0x01_12;
const SHORT_TYPE = 3;
/** The orientation of an image that needs no turning. */
const UPRIGHT = 1;
const ENTRY_BYTES = 12;

/**
 * The orientation in a block of Exif data (a TIFF file): how a viewer turns the photo.
 * @returns 2 to 8; null when it is missing, not valid, or says nothing but upright
 */
export function readOrientation(tiff: Buffer): number | null {
  const byteOrder = tiff.toString('latin1', 0, 2);
  if (tiff.length < 8 || (byteOrder !== 'II' && byteOrder !== 'MM')) return null;
  const isLittleEndian = byteOrder === 'II';
  const readShort = (at: number): number => (isLittleEndian ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittleEndian ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return null;
  const entryCount = readShort(directory);
  for (let entry = 0; entry < entryCount; entry += 1) {
    const at = directory + 2 + entry * ENTRY_BYTES;
    if (at + ENTRY_BYTES > tiff.length) return null;
    if (readShort(at) !== ORIENTATION_TAG) continue;
    const orientation = readShort(at + 8);
    const isValid = readShort(at + 2) === SHORT_TYPE && orientation > UPRIGHT && orientation <= 8;
    return isValid ? orientation : null;
  }
  return null;
}

/** A block of Exif data that holds the orientation and nothing else. */
export function buildOrientation(orientation: number): Buffer {
  // Big-endian TIFF, one directory at offset 8 with one entry, no next directory.
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex');
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}
