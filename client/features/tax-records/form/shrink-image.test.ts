import { beforeEach, expect, it, vi } from 'vitest';
import { shrinkImage } from './shrink-image.ts';

const drawn: { width: number; height: number }[] = [];
let picture = { width: 4000, height: 3000 };
let jpegBytes = 500_000;

beforeEach(() => {
  drawn.length = 0;
  picture = { width: 4000, height: 3000 };
  jpegBytes = 500_000;
  // The first question is whether pictures come upright: a tiny one that is to be turned.
  vi.stubGlobal('createImageBitmap', async ({ size }: Blob) => ({
    ...(size < 1000 ? { width: 1, height: 2 } : picture),
    close: () => {},
  }));
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(function context(this: HTMLCanvasElement) {
    drawn.push({ width: this.width, height: this.height });
    return Object.assign(Object.create(null), { fillRect: () => {}, drawImage: () => {} });
  });
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done, type) => {
    done(new Blob([new Uint8Array(jpegBytes)], { type: type ?? '' }));
  });
});

function photo(bytes: number, type = 'image/jpeg', name = 'IMG 1.jpeg'): File {
  return new File([new Uint8Array(bytes)], name, { type });
}

it('makes a large photo a JPEG of 2,000 px', async () => {
  const small = await shrinkImage(photo(4_000_000, 'image/png', 'nota.png'));
  expect(drawn).toEqual([{ width: 2000, height: 1500 }]);
  expect(small).toMatchObject({ name: 'nota.jpg', type: 'image/jpeg', size: 500_000 });
});

it('returns small files, GIFs and files that would grow unchanged', async () => {
  const moving = photo(4_000_000, 'image/gif');
  expect(await shrinkImage(moving)).toBe(moving);
  picture = { width: 1200, height: 900 };
  const small = photo(300_000);
  expect(await shrinkImage(small)).toBe(small);
  jpegBytes = 1_300_000;
  const dense = photo(1_200_000);
  expect(await shrinkImage(dense)).toBe(dense);
});

it('turns a type that the server does not store into JPEG, also when the file is small', async () => {
  picture = { width: 800, height: 600 };
  const file = await shrinkImage(photo(90_000, 'image/webp', 'nota.webp'));
  expect(file).toMatchObject({ name: 'nota.jpg', type: 'image/jpeg' });
});

it('returns the file itself when it cannot be read or drawn', async () => {
  const file = photo(4_000_000);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(null));
  expect(await shrinkImage(file)).toBe(file);
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('no picture')));
  expect(await shrinkImage(file)).toBe(file);
});
