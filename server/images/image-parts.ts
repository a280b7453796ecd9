/** An image holds at most this many pixels: decoded, 50 million take 200 MB of a phone's memory. */
const PIXELS_MAX = 50_000_000;

/** No program writes this many blocks into 5 MB; reading more of them would hold the event loop. */
export const BLOCKS_MAX = 20_000;

/** The reason of a refusal: the bytes make no sense, or the image would be too large once decoded. */
export type ImageProblem = 'unreadable' | 'tooManyPixels';

/** The stored bytes of an image, and its size in pixels as it is shown. */
export type CleanedPicture = { bytes: Buffer; width: number; height: number };

/** Decoding every frame of an animation takes time in proportion to their pixels; this is about ten seconds. */
export const FRAME_PIXELS_MAX = 500_000_000;

/** The size of a picture after its orientation was applied: from 5 on it lies on its side. */
export function turnSize(width: number, height: number, orientation: number | null): { width: number; height: number } {
  return orientation !== null && orientation >= 5 ? { width: height, height: width } : { width, height };
}

/** @returns the problem of an image with this size; null when there is none */
export function findSizeProblem(width: number, height: number): ImageProblem | null {
  if (width < 1 || height < 1) return 'unreadable';
  return width * height > PIXELS_MAX ? 'tooManyPixels' : null;
}

/** Collects the parts of an image that are stored. Neighbouring parts become one, so hostile bytes cost little memory. */
export function createImageParts(bytes: Buffer) {
  const parts: Buffer[] = [];
  let from = 0;
  let to = 0;

  function flush(): void {
    if (to > from) parts.push(bytes.subarray(from, to));
    from = to = 0;
  }

  return {
    /** Adds the bytes from `start` to before `end`. */
    keep(start: number, end: number): void {
      if (start !== to) {
        flush();
        from = start;
      }
      to = end;
    },
    /** Adds bytes that are not part of the given image. */
    insert(part: Buffer): void {
      flush();
      parts.push(part);
    },
    join(): Buffer {
      flush();
      return Buffer.concat(parts);
    },
  };
}
