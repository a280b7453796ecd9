import type { DecodedImage } from './decode-image.ts';

export type ShrinkOptions = {
  longestSidePx: number;
  /** JPEG qualities in the order in which they are tried, until the file has at most `wantedBytes`. */
  qualities: readonly number[];
  wantedBytes: number;
  /** A picture of a supported type that is neither larger in pixels nor in bytes stays as it is. */
  smallEnoughBytes: number;
  /** The types that may stay; every other one becomes a JPEG. */
  supportedTypes: ReadonlySet<string>;
  /** For a file without a name. */
  fallbackName: string;
};

/** Draws a picture so that its longest side has at most so many pixels. */
export function drawScaled(image: Omit<DecodedImage, 'close'>, longestSidePx: number): HTMLCanvasElement {
  const scale = Math.min(1, longestSidePx / Math.max(image.width, image.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('No canvas');
  // A JPEG has no transparency; without this, clear parts of a PNG would turn black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  // Small print stays readable.
  context.imageSmoothingQuality = 'high';
  context.drawImage(image.source, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Gives back the memory of a canvas at once; some phones have room for few. */
export function releaseCanvas(canvas: HTMLCanvasElement): void {
  canvas.width = 0;
  canvas.height = 0;
}

/** The same picture with no more pixels than that; the memory of the large one is given back at once. */
export function reduceDecoded(image: DecodedImage, longestSidePx: number): DecodedImage {
  if (Math.max(image.width, image.height) <= longestSidePx) return image;
  const canvas = drawScaled(image, longestSidePx);
  image.close();
  return { source: canvas, width: canvas.width, height: canvas.height, close: () => releaseCanvas(canvas) };
}

/** The first of some qualities that makes a JPEG of at most `wantedBytes`, else the last; null when the browser cannot. */
export async function encodeJpeg(
  canvas: HTMLCanvasElement,
  qualities: readonly number[],
  wantedBytes: number,
): Promise<Blob | null> {
  let smallest: Blob | null = null;
  for (const quality of qualities) {
    // One after the other: most pictures need only the first.
    // oxlint-disable-next-line no-await-in-loop
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
    if (blob?.type !== 'image/jpeg') return null;
    smallest = blob;
    if (blob.size <= wantedBytes) return blob;
  }
  return smallest;
}

const jpegNameOf = (name: string, fallbackName: string): string =>
  `${name.replace(/\.[^.]*$/, '') || fallbackName}.jpg`;

/**
 * Makes a picture smaller for slow connections, as JPEG. It returns the file itself when that is small already, or would not
 * become smaller.
 */
export async function shrinkDecoded(file: File, image: DecodedImage, options: ShrinkOptions): Promise<File> {
  const { longestSidePx, qualities, wantedBytes, smallEnoughBytes, supportedTypes, fallbackName } = options;
  const isSupported = supportedTypes.has(file.type);
  const fits = Math.max(image.width, image.height) <= longestSidePx;
  if (isSupported && fits && file.size <= smallEnoughBytes) return file;
  const canvas = drawScaled(image, longestSidePx);
  try {
    const blob = await encodeJpeg(canvas, qualities, wantedBytes);
    if (!blob || (isSupported && blob.size >= file.size)) return file;
    return new File([blob], jpegNameOf(file.name, fallbackName), {
      type: 'image/jpeg',
      lastModified: file.lastModified,
    });
  } finally {
    releaseCanvas(canvas);
  }
}
