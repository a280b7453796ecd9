import { errorTexts } from '#shared/texts.ts';
import { AppError } from '#server/http/errors.ts';
import { cleanGif } from './clean-gif.ts';
import { cleanJpeg } from './clean-jpeg.ts';
import { cleanPng } from './clean-png.ts';
import { detectImageType, type ImageExtension } from './image-type.ts';

const cleaners = { jpg: cleanJpeg, png: cleanPng, gif: cleanGif } as const;

/**
 * Checks an uploaded image and removes what it tells about place, device and person (R-PROOF-11, R-PROOF-12). The
 * picture itself is not compressed again.
 * @throws 415 when the bytes are no JPG, PNG or GIF, or have too many pixels
 */
export function cleanImage(bytes: Buffer): { extension: ImageExtension; bytes: Buffer } {
  const extension = detectImageType(bytes);
  if (!extension) throw new AppError(415, errorTexts.proofNotImage);
  const cleaned = cleaners[extension](bytes);
  if (cleaned === 'unreadable') throw new AppError(415, errorTexts.proofNotImage);
  if (cleaned === 'tooManyPixels') throw new AppError(415, errorTexts.proofTooManyPixels);
  return { extension, bytes: cleaned };
}
