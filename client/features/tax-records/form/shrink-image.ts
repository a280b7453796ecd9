const LONGEST_SIDE_PX = 2000;
const JPEG_QUALITY = 0.85;
/** A photo below this size is not made smaller. */
const SMALL_ENOUGH_BYTES = 1_000_000;
/** The types that the server stores; every other type that the browser can read becomes a JPEG. */
const SUPPORTED_TYPES = new Set(['image/jpeg', 'image/png', 'image/gif']);

type DecodedImage = { source: CanvasImageSource; width: number; height: number; close: () => void };

async function decode(file: File): Promise<DecodedImage> {
  if ('createImageBitmap' in window) {
    const bitmap = await createImageBitmap(file);
    return { source: bitmap, width: bitmap.width, height: bitmap.height, close: () => bitmap.close() };
  }
  const url = URL.createObjectURL(file);
  const image = new Image();
  image.src = url;
  await image.decode().catch((error: unknown) => {
    URL.revokeObjectURL(url);
    throw error;
  });
  return {
    source: image,
    width: image.naturalWidth,
    height: image.naturalHeight,
    close: () => URL.revokeObjectURL(url),
  };
}

function drawScaled(image: DecodedImage, scale: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('No canvas');
  // A JPEG has no transparency; without this, clear parts of a PNG would turn black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image.source, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function jpegName(name: string): string {
  return `${name.replace(/\.[^.]*$/, '') || 'bukti'}.jpg`;
}

/**
 * Makes a photo smaller for slow connections: at most 2,000 px on its longest side, as JPEG (R-PROOF-9). It returns the file
 * itself when that is small already, is a GIF (it may be animated), cannot be read, or would not become smaller. Never throws.
 */
export async function shrinkImage(file: File): Promise<File> {
  if (file.type === 'image/gif') return file;
  const isSupported = SUPPORTED_TYPES.has(file.type);
  try {
    const image = await decode(file);
    try {
      const scale = Math.min(1, LONGEST_SIDE_PX / Math.max(image.width, image.height));
      if (isSupported && scale === 1 && file.size <= SMALL_ENOUGH_BYTES) return file;
      const canvas = drawScaled(image, scale);
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', JPEG_QUALITY));
      if (blob?.type !== 'image/jpeg' || (isSupported && blob.size >= file.size)) return file;
      return new File([blob], jpegName(file.name), { type: 'image/jpeg', lastModified: file.lastModified });
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
