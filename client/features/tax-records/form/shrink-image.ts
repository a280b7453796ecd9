import { decodeImage } from '#client/lib/images/decode-image.ts';
import { shrinkDecoded } from '#client/lib/images/shrink-decoded.ts';

/** The types that the server stores; every other type that the browser can read becomes a JPEG. */
const SUPPORTED_TYPES = new Set(['image/jpeg', 'image/png', 'image/gif']);

/**
 * Makes a photo smaller for slow connections: at most 2,000 px on its longest side, as JPEG (R-PROOF-9). It returns the file
 * itself when that is small already, is a GIF (it may be animated), cannot be read, or would not become smaller. Never throws.
 */
export async function shrinkImage(file: File): Promise<File> {
  if (file.type === 'image/gif') return file;
  try {
    const image = await decodeImage(file);
    try {
      return await shrinkDecoded(file, image, {
        longestSidePx: 2000,
        qualities: [0.85],
        wantedBytes: 0,
        smallEnoughBytes: 1_000_000,
        supportedTypes: SUPPORTED_TYPES,
        fallbackName: 'bukti',
      });
    } finally {
      image.close();
    }
  } catch {
    // The server checks the bytes and answers with an error.
    return file;
  }
}

/** Whether the server may accept this type. */
export function isSupportedImageType(file: File): boolean {
  return SUPPORTED_TYPES.has(file.type);
}
