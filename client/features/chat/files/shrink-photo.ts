import { THUMB_MAX_BYTES } from '#shared/limits.ts';
import { type DecodedImage, decodeImage } from '#client/lib/images/decode-image.ts';
import {
  drawScaled,
  encodeJpeg,
  reduceDecoded,
  releaseCanvas,
  shrinkDecoded,
} from '#client/lib/images/shrink-decoded.ts';
import type { PreparedFile } from './outbox-file.ts';

/** Types that may stay as they are. A WebP becomes a JPEG, which can become a payment proof later. */
const SUPPORTED_TYPES = new Set(['image/jpeg', 'image/png']);
const PHOTO = {
  longestSidePx: 1600,
  qualities: [0.82, 0.72, 0.6],
  wantedBytes: 420_000,
  smallEnoughBytes: 420_000,
  supportedTypes: SUPPORTED_TYPES,
  fallbackName: 'foto',
};
const THUMB_SIDES_PX = [320, 240, 160];
const THUMB_QUALITIES = [0.7, 0.5, 0.35];

async function makeThumb(image: DecodedImage, file: File): Promise<Blob | null> {
  if (file.size <= THUMB_MAX_BYTES) return null;
  for (const longestSidePx of THUMB_SIDES_PX) {
    const canvas = drawScaled(image, longestSidePx);
    try {
      // One after the other: nearly always the first is small enough.
      // oxlint-disable-next-line no-await-in-loop
      const blob = await encodeJpeg(canvas, THUMB_QUALITIES, THUMB_MAX_BYTES);
      if (blob && blob.size <= THUMB_MAX_BYTES) return blob;
    } finally {
      releaseCanvas(canvas);
    }
  }
  return null;
}

/**
 * Makes a picked file ready for a message: a photo gets 1,600 px on its longest side and about 400 KB, upright, and a small
 * picture beside it (docs/requirements.md R-FILE-30). A GIF stays, because it may be animated; so does a small picture, a
 * document, and what this browser cannot read: the server judges it. Never throws.
 */
export async function shrinkPhoto(file: File): Promise<PreparedFile> {
  const untouched: PreparedFile = { file, thumb: null, width: null, height: null };
  if (!file.type.startsWith('image/')) return untouched;
  try {
    const original = await decodeImage(file);
    const { width, height } = original;
    // The small picture is drawn from the reduced one: twelve megapixels are read once.
    const image = reduceDecoded(original, PHOTO.longestSidePx);
    try {
      const options = image === original ? PHOTO : { ...PHOTO, smallEnoughBytes: 0 };
      const small = file.type === 'image/gif' ? file : await shrinkDecoded(file, image, options);
      return {
        file: small,
        thumb: await makeThumb(image, small).catch(() => null),
        ...(small === file ? { width, height } : { width: image.width, height: image.height }),
      };
    } finally {
      image.close();
    }
  } catch {
    return untouched;
  }
}
