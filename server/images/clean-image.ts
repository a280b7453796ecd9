import { cleanGif } from './clean-gif.ts';
import { cleanJpeg } from './clean-jpeg.ts';
import { cleanPng } from './clean-png.ts';
import { cleanWebp } from './clean-webp.ts';
import type { CleanedPicture, ImageProblem } from './image-parts.ts';
import { detectImageType, type ImageExtension } from './image-type.ts';

const cleaners = { jpg: cleanJpeg, png: cleanPng, gif: cleanGif, webp: cleanWebp } as const;

/** `width` and `height`: in pixels, as a browser shows it. */
export type CleanedImage = CleanedPicture & { extension: ImageExtension };

/**
 * Checks an uploaded image and removes what it tells about place, device and person (R-PROOF-11, R-PROOF-12). The
 * picture itself is not compressed again.
 * @returns 'unreadable' when the bytes are no JPG, PNG, GIF or WebP
 */
export function cleanImage(bytes: Buffer): CleanedImage | ImageProblem {
  const extension = detectImageType(bytes);
  if (!extension) return 'unreadable';
  const cleaned = cleaners[extension](bytes);
  return typeof cleaned === 'string' ? cleaned : { extension, ...cleaned };
}
