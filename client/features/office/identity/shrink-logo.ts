import { decodeImage } from '#client/lib/images/decode-image.ts';
import { shrinkDecoded } from '#client/lib/images/shrink-decoded.ts';

const SUPPORTED_TYPES = new Set(['image/jpeg', 'image/png', 'image/gif']);

/** Makes a large logo smaller: the login page of every phone loads it. A file that cannot be read is left to the server. */
export async function shrinkLogo(file: File): Promise<File> {
  try {
    const image = await decodeImage(file);
    try {
      return await shrinkDecoded(file, image, {
        longestSidePx: 800,
        qualities: [0.9],
        wantedBytes: 0,
        smallEnoughBytes: 200_000,
        supportedTypes: SUPPORTED_TYPES,
        fallbackName: 'logo',
      });
    } finally {
      image.close();
    }
  } catch {
    return file;
  }
}
