import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { shrinkPhoto } from './shrink-photo.ts';

/** The size of the decoded picture, the bytes of its JPEGs for each pixel at full quality, and the drawn sizes. */
let picture = { width: 4000, height: 3000 };
let bytesPerPixel = 0.2;
let bitmapsAreUpright = true;
const encoded: { width: number; height: number; quality: number }[] = [];

beforeEach(() => {
  picture = { width: 4000, height: 3000 };
  bytesPerPixel = 0.2;
  bitmapsAreUpright = true;
  encoded.length = 0;
  vi.resetModules();
  vi.stubGlobal('createImageBitmap', async ({ size }: Blob) => {
    // The first question is whether pictures come upright: a tiny one that is to be turned.
    if (size < 1000) return { width: bitmapsAreUpright ? 1 : 2, height: bitmapsAreUpright ? 2 : 1, close: () => {} };
    return { ...picture, close: () => {} };
  });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(
    Object.assign(Object.create(null), { fillRect: () => {}, drawImage: () => {} }),
  );
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function encode(
    this: HTMLCanvasElement,
    done,
    type = '',
    quality = 1,
  ) {
    const { width, height } = this;
    encoded.push({ width, height, quality });
    done(new Blob([new Uint8Array(Math.round(width * height * bytesPerPixel * quality))], { type }));
  });
});

const buildFile = (bytes: number, type = 'image/jpeg', name = 'IMG 1.jpeg'): File =>
  new File([new Uint8Array(bytes)], name, { type });

it('makes a photo of 12 megapixels a JPEG of 1,600 px with a small picture beside it', async () => {
  const { file, thumb, ...size } = await shrinkPhoto(buildFile(5_000_000));
  expect(file).toMatchObject({ name: 'IMG 1.jpg', type: 'image/jpeg' });
  expect(size).toEqual({ width: 1600, height: 1200 });
  expect(file.size).toBeLessThan(420_000);
  expect(thumb?.size).toBeLessThanOrEqual(40_960);
  expect(encoded).toEqual([
    { width: 1600, height: 1200, quality: 0.82 },
    { width: 320, height: 240, quality: 0.7 },
  ]);
});

it('lowers the quality, and the small picture further, until they fit', async () => {
  bytesPerPixel = 0.95;
  const { thumb } = await shrinkPhoto(buildFile(9_000_000));
  expect(encoded.map(({ width, quality }) => [width, quality])).toEqual([
    [1600, 0.82],
    [1600, 0.72],
    [1600, 0.6],
    [320, 0.7],
    [320, 0.5],
  ]);
  expect(thumb?.size).toBeLessThanOrEqual(40_960);
  bytesPerPixel = 30;
  expect((await shrinkPhoto(buildFile(9_000_000))).thumb).toBeNull();
});

it('keeps what is small, what may be animated, what it cannot read, and documents', async () => {
  const large = buildFile(3_000_000, 'image/gif', 'gerak.gif');
  expect(await shrinkPhoto(large)).toMatchObject({ file: large, ...picture });
  const tooManyPixels = await shrinkPhoto(buildFile(300_000, 'image/png', 'layar.png'));
  expect(tooManyPixels).toMatchObject({ file: { name: 'layar.png' }, ...picture });
  picture = { width: 800, height: 600 };
  const small = buildFile(30_000, 'image/png', 'layar.png');
  expect(await shrinkPhoto(small)).toEqual({ file: small, thumb: null, ...picture });
  const document = buildFile(900_000, 'application/pdf', 'sppt.pdf');
  expect(await shrinkPhoto(document)).toEqual({ file: document, thumb: null, width: null, height: null });
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('no picture')));
  const unknown = buildFile(900_000, 'image/heic', 'foto.heic');
  expect(await shrinkPhoto(unknown)).toEqual({ file: unknown, thumb: null, width: null, height: null });
});

it('makes a WebP a JPEG, also a small one, because it may become a proof', async () => {
  picture = { width: 800, height: 600 };
  const { file } = await shrinkPhoto(buildFile(90_000, 'image/webp', 'nota.webp'));
  expect(file).toMatchObject({ name: 'nota.jpg', type: 'image/jpeg' });
});

it('reads a photo as an element where the browser does not turn what createImageBitmap gives', async () => {
  bitmapsAreUpright = false;
  Object.assign(HTMLImageElement.prototype, { decode: async () => {} });
  onTestFinished(() => void Reflect.deleteProperty(HTMLImageElement.prototype, 'decode'));
  vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(3000);
  vi.spyOn(HTMLImageElement.prototype, 'naturalHeight', 'get').mockReturnValue(4000);
  const { shrinkPhoto: shrinkInOtherBrowser } = await import('./shrink-photo.ts');
  expect(await shrinkInOtherBrowser(buildFile(5_000_000))).toMatchObject({ width: 1200, height: 1600 });
});
