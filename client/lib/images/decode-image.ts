/** A picture as it is to be seen: upright, whatever the file says about how the camera was held. */
export type DecodedImage = { source: CanvasImageSource; width: number; height: number; close: () => void };

/** A JPEG of 2 × 1 pixels that says that it is to be turned by a quarter. */
const TURNED_JPEG =
  '/9j/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAD/2wCEAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB' +
  'AQEBAQEBAQEBAQEBAQEBAf/AABEIAAEAAgMBEQACEQEDEQH/xABKAAEAAAAAAAAAAAAAAAAAAAALEAEAAAAAAAAAAAAAAAAAAAAAAQEAAAAAAAAAAAAAAAAAAAAAEQEA' +
  'AAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwA/8H//2Q==';

async function turnsBitmaps(): Promise<boolean> {
  try {
    const bytes = Uint8Array.from(atob(TURNED_JPEG), (character) => character.codePointAt(0) ?? 0);
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
    const isTurned = bitmap.width === 1 && bitmap.height === 2;
    bitmap.close();
    return isTurned;
  } catch {
    // Without `createImageBitmap`, or one that cannot read this.
    return false;
  }
}

let bitmapsAreUpright: Promise<boolean> | undefined;

async function decodeAsBitmap(file: Blob): Promise<DecodedImage | null> {
  // Some browsers ignore the orientation here but not in <img>, and none says so.
  bitmapsAreUpright ??= turnsBitmaps();
  if (!(await bitmapsAreUpright)) return null;
  try {
    const bitmap = await createImageBitmap(file);
    return { source: bitmap, width: bitmap.width, height: bitmap.height, close: () => bitmap.close() };
  } catch {
    // <img> reads some formats that this does not.
    return null;
  }
}

async function decodeAsElement(file: Blob): Promise<DecodedImage> {
  const url = URL.createObjectURL(file);
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } catch (error) {
    URL.revokeObjectURL(url);
    throw error;
  }
  return {
    source: image,
    width: image.naturalWidth,
    height: image.naturalHeight,
    close: () => URL.revokeObjectURL(url),
  };
}

/** Reads a picture. Rejects when the browser cannot; the caller closes what it got, because it holds every pixel. */
export async function decodeImage(file: Blob): Promise<DecodedImage> {
  return (await decodeAsBitmap(file)) ?? decodeAsElement(file);
}
