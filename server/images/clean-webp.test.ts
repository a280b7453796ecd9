import { describe, expect, it } from 'vitest';
import {
  buildExif,
  buildGif,
  buildJpeg,
  buildPng,
  buildWebp,
  gifFrame,
  jpegSegment,
  pngChunk,
  webpChunk,
  webpFile,
  webpFrame,
  webpHead,
  webpLossless,
  webpPicture,
} from '#server/testing/images.ts';
import { cleanImage } from './clean-image.ts';

const text = (content: string): Buffer => Buffer.from(content, 'latin1');
const accepted = (bytes: Buffer, width = 2, height = 2) => ({ extension: 'webp', bytes, width, height });
const icc = webpChunk('ICCP', text('warna'));
const exif = webpChunk('EXIF', buildExif(6));
const xmp = webpChunk('XMP ', text('<x:xmpmeta>rumah Pak Budi</x:xmpmeta>'));
const other = webpChunk('RAHA', text('apa pun'));
const animation = webpChunk('ANIM', Buffer.alloc(6));
const alpha = webpChunk('ALPH', Buffer.from([0, 1, 2, 3, 4]));

describe('a WebP', () => {
  it.each([
    ['lossy', webpFile(webpPicture())],
    ['lossless', webpFile(webpLossless())],
    ['with a profile and transparency', webpFile(webpHead(0x30), icc, alpha, webpPicture())],
    ['lossless and extended', webpFile(webpHead(0x10), webpLossless())],
    [
      'animated',
      webpFile(webpHead(0x12), animation, webpFrame(2, 2, webpLossless()), webpFrame(1, 1, webpPicture(one()))),
    ],
  ])('without private data is stored byte for byte (%s)', (_kind, image) => {
    expect(cleanImage(image)).toEqual(accepted(image));
  });

  it('loses Exif, XMP, unknown chunks and what follows its end, and its flags say so', () => {
    const dirty = webpFile(webpHead(0x2c), other, icc, webpPicture(), exif, xmp, other);
    const clean = webpFile(webpHead(0x20), icc, webpPicture());
    expect(cleanImage(Buffer.concat([dirty, text('PK\u0003\u0004arsip')]))).toEqual(accepted(clean));
    expect(cleanImage(webpFile(webpPicture(), exif))).toEqual(accepted(buildWebp()));
    // A flag without its chunk, and a second picture.
    expect(cleanImage(webpFile(webpHead(0x20), webpPicture(), webpPicture()))).toEqual(
      accepted(webpFile(webpHead(0), webpPicture())),
    );
    const film = webpFile(webpHead(0x0a), exif, animation, webpFrame(2, 2, other, webpPicture(), exif), xmp);
    expect(cleanImage(film)).toEqual(accepted(webpFile(webpHead(0x02), animation, webpFrame(2, 2, webpPicture()))));
  });

  it('gets the size of its picture, which its Exif orientation does not turn: no browser turns it', () => {
    expect(cleanImage(buildWebp({ width: 300, height: 200 }))).toMatchObject({ width: 300, height: 200 });
    const turned = webpFile(webpHead(8, 300, 200), webpLossless(300, 200), exif);
    expect(cleanImage(turned)).toMatchObject({ width: 300, height: 200 });
  });

  it.each([
    ['a file that ends early', buildWebp().subarray(0, -1)],
    ['a name without anything', webpFile()],
    ['a chunk that is longer than the file', webpFile(Buffer.from('565038200000ff7f', 'hex'))],
    ['a sound', webpFile(webpChunk('data', text('bunyi')))],
    ['a picture without its start code', webpFile(webpChunk('VP8 ', Buffer.alloc(20)))],
    ['a picture of no size', buildWebp({ width: 0 })],
    ['a first part that is longer than the picture', webpFile(longFirstPart())],
    ['a lossless picture of an unknown version', webpFile(webpChunk('VP8L', Buffer.from('2f000000e000', 'hex')))],
    ['a picture of another size than its head says', webpFile(webpHead(0, 3, 2), webpPicture())],
    ['a head without a picture', webpFile(webpHead(0), icc)],
    ['an animation without frames', webpFile(webpHead(2), animation, webpPicture())],
    ['a frame that reaches beyond the canvas', webpFile(webpHead(2), animation, webpFrame(3, 2, webpLossless(3, 2)))],
    ['a frame of another size than its picture', webpFile(webpHead(2), animation, webpFrame(2, 2, webpLossless(1, 1)))],
    [
      'a frame whose chunk is longer than itself',
      webpFile(webpHead(2), animation, webpFrame(2, 2, text('VP8 \xff\0\0\0'))),
    ],
    ['a bomb of chunks', webpFile(webpHead(0), ...Array.from({ length: 30_000 }, () => other), webpPicture())],
  ])('fails as %s', (_what, image) => {
    expect(cleanImage(image)).toBe('unreadable');
  });

  it.each([
    ['picture', buildWebp({ width: 16_000, height: 16_000 })],
    ['lossless picture', webpFile(webpLossless(16_000, 4000))],
    ['canvas', webpFile(webpHead(2, 16_777_216, 16_777_216), animation, webpFrame(1, 1, webpLossless(1, 1)))],
    [
      'film',
      webpFile(
        webpHead(2, 7000, 7000),
        animation,
        ...Array.from({ length: 11 }, () => webpFrame(7000, 7000, webpLossless(7000, 7000))),
      ),
    ],
  ])('fails with too many pixels in its %s', (_what, image) => {
    expect(cleanImage(image)).toBe('tooManyPixels');
  });
});

it('says how large each other type is when it is shown', () => {
  const size = { width: 30, height: 20 };
  const turned = { width: 20, height: 30 };
  const exifSegment = jpegSegment(0xe1, Buffer.concat([text('Exif\0\0'), buildExif(8)]));
  expect(cleanImage(buildPng(size))).toMatchObject(size);
  expect(cleanImage(buildPng({ ...size, before: [pngChunk('eXIf', buildExif(5))] }))).toMatchObject(turned);
  expect(cleanImage(buildJpeg(size))).toMatchObject(size);
  expect(cleanImage(buildJpeg({ ...size, before: [exifSegment] }))).toMatchObject(turned);
  expect(cleanImage(buildJpeg({ ...size, before: [jpegSegment(0xe1, text('Exif\0\0'))] }))).toMatchObject(size);
  expect(cleanImage(buildGif(size))).toMatchObject(size);
  // Browsers make the screen as large as the first frame.
  expect(cleanImage(buildGif({ ...size, before: [gifFrame(40, 10)] }))).toMatchObject({ width: 40, height: 20 });
});

function one() {
  return { width: 1, height: 1 };
}

function longFirstPart(): Buffer {
  const picture = webpPicture();
  picture.writeUInt16LE(0x1000, 9);
  return picture;
}
