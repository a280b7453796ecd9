import { drawScaled, encodeJpeg, releaseCanvas } from '#client/lib/images/shrink-decoded.ts';
import { uploadedFileUrl } from '#client/lib/api/uploaded-file-url.ts';
import type { LogoImage } from './report-document.ts';

/** Enough for the few centimetres that a logo has on paper. */
const LONGEST_SIDE_PX = 600;
/** A file without its logo is better than one that does not come. */
const WAIT_MAX_MS = 4000;

async function readLogo(url: string): Promise<LogoImage | null> {
  const image = new Image();
  image.src = uploadedFileUrl(url);
  await image.decode();
  const { naturalWidth, naturalHeight } = image;
  const canvas = drawScaled({ source: image, width: naturalWidth, height: naturalHeight }, LONGEST_SIDE_PX);
  const { width, height } = canvas;
  try {
    const blob = await encodeJpeg(canvas, [0.92], Number.POSITIVE_INFINITY);
    return blob && { jpeg: new Uint8Array(await blob.arrayBuffer()), width, height };
  } finally {
    releaseCanvas(canvas);
  }
}

/** The logo in the one form that the maker of PDF takes; null when it cannot be loaded. */
export async function loadLogo(url: string): Promise<LogoImage | null> {
  const tooLate = new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), WAIT_MAX_MS);
  });
  return Promise.race([readLogo(url).catch(() => null), tooLate]);
}
