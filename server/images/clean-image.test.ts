import { describe, expect, it } from 'vitest';
import {
  buildExif,
  buildGif,
  buildJpeg,
  buildPng,
  gifExtension,
  gifFrame,
  jpegSegment,
  pngChunk,
} from '#server/testing/images.ts';
import { buildImage } from '#server/testing/multipart.ts';
import { cleanImage } from './clean-image.ts';

const text = (content: string): Buffer => Buffer.from(content, 'latin1');
const exifSegment = (exif: Buffer): Buffer => jpegSegment(0xe1, Buffer.concat([text('Exif\0\0'), exif]));
const clean = (bytes: Buffer): Buffer => {
  const cleaned = cleanImage(bytes);
  if (typeof cleaned === 'string') throw new Error(cleaned);
  return cleaned.bytes;
};
/** The reason why an image is refused. */
const refusal = (bytes: Buffer): string => {
  const cleaned = cleanImage(bytes);
  return typeof cleaned === 'string' ? cleaned : 'accepted';
};
const NOT_AN_IMAGE = 'unreadable';
const TOO_MANY_PIXELS = 'tooManyPixels';

describe('an image without private data', () => {
  it.each(['png', 'jpg', 'gif'] as const)('stays the same byte for byte (%s)', (kind) => {
    const image = buildImage(kind, 4000);
    expect(cleanImage(image)).toEqual({ extension: kind, bytes: image, width: 2, height: 2 });
  });
});

describe('a photo', () => {
  const jfif = jpegSegment(0xe0, Buffer.concat([text('JFIF\0'), Buffer.from([1, 2, 0, 0, 1, 0, 1, 0, 0])]));
  const icc = jpegSegment(0xe2, text('ICC_PROFILE\0\u0001\u0001warna'));
  const adobe = jpegSegment(0xee, Buffer.concat([text('Adobe'), Buffer.from([0, 100, 0, 0, 0, 0, 1])]));
  const tables = jpegSegment(0xdb, Buffer.alloc(65, 7));

  it('loses place, device, comments and thumbnails, and keeps colors and picture', () => {
    const secrets = [
      exifSegment(buildExif(1)),
      jpegSegment(0xe1, text('http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>rumah Pak Budi</x:xmpmeta>')),
      jpegSegment(0xe0, text('JFXX\0\u0010gambar kecil')),
      jpegSegment(0xe2, text('MPF\0gambar kedua')),
      jpegSegment(0xed, text('Photoshop 3.0\0penulis')),
      jpegSegment(0xef, text('apa pun')),
      jpegSegment(0xfe, text('Jl. Melati 1')),
    ];
    const dirty = buildJpeg({ before: [jfif, ...secrets, icc, adobe, tables], picture: Buffer.alloc(50, 3) });
    expect(clean(dirty)).toEqual(buildJpeg({ before: [jfif, icc, adobe, tables], picture: Buffer.alloc(50, 3) }));
  });

  it('loses what follows its end, such as an archive or a short film', () => {
    expect(clean(buildJpeg({ after: text('PK\u0003\u0004arsip') }))).toEqual(buildJpeg());
  });

  it.each(['II', 'MM'] as const)('stays upright (%s)', (byteOrder) => {
    const cleaned = clean(buildJpeg({ before: [exifSegment(buildExif(6, byteOrder))] }));
    const orientationOnly = Buffer.from('4d4d002a00000008000101120003000000010006000000000000', 'hex');
    expect(cleaned).toEqual(buildJpeg({ before: [exifSegment(orientationOnly)] }));
  });

  it.each([0, 1, 9, 600])('needs no Exif data for the orientation %i', (orientation) => {
    expect(clean(buildJpeg({ before: [exifSegment(buildExif(orientation))] }))).toEqual(buildJpeg());
  });

  it('keeps restarts, stuffed bytes and the scans of a progressive picture', () => {
    const scan = Buffer.from([1, 0xff, 0x00, 2, 0xff, 0xd0, 3, 0xff, 0xd7, 4]);
    const nextScan = Buffer.concat([
      jpegSegment(0xc4, Buffer.alloc(20, 1)),
      jpegSegment(0xda, Buffer.alloc(6, 1)),
      scan,
    ]);
    const photo = buildJpeg({ frame: 0xc2, picture: Buffer.concat([scan, nextScan]) });
    expect(clean(photo)).toEqual(photo);
    const withComment = Buffer.concat([scan, jpegSegment(0xfe, text('rahasia')), nextScan]);
    expect(clean(buildJpeg({ frame: 0xc2, picture: withComment }))).toEqual(photo);
  });

  it('that was cut off is stored up to there, with an end', () => {
    const photo = buildJpeg({ picture: Buffer.alloc(100, 3) });
    const expected = Buffer.concat([photo.subarray(0, 80), Buffer.from([0xff, 0xd9])]);
    expect(clean(photo.subarray(0, 80))).toEqual(expected);
  });

  it.each([
    ['three bytes', Buffer.from([0xff, 0xd8, 0xff])],
    ['no scan', buildJpeg().subarray(0, 20)],
    ['a frame cut short', buildJpeg().subarray(0, 8)],
    ['a picture without height', buildJpeg({ height: 0 })],
    ['a second frame', buildJpeg({ before: [buildJpeg().subarray(2, 15)] })],
    ['a frame that browsers do not show', buildJpeg({ frame: 0xc3 })],
    [
      'a thousand scans',
      buildJpeg({ picture: Buffer.concat(Array.from({ length: 1000 }, () => jpegSegment(0xda, Buffer.alloc(6)))) }),
    ],
    [
      'a million segments',
      buildJpeg({ before: Array.from({ length: 1_000_000 }, () => jpegSegment(0xdb, Buffer.alloc(0))) }),
    ],
  ])('fails with %s', (_, bytes) => {
    expect(refusal(bytes)).toBe(NOT_AN_IMAGE);
  });
});

describe('a PNG', () => {
  it('loses texts, time, Exif data, unknown chunks and what follows the end', () => {
    const kept = [
      pngChunk('gAMA', Buffer.alloc(4, 1)),
      pngChunk('PLTE', Buffer.alloc(6)),
      pngChunk('tRNS', Buffer.alloc(2)),
    ];
    const secrets = [
      pngChunk('tEXt', text('Author\0Budi')),
      pngChunk('zTXt', text('Comment\0\0x')),
      pngChunk('iTXt', text('XML:com.adobe.xmp\0\0\0\0\0<xmp/>')),
      pngChunk('tIME', Buffer.alloc(7)),
      pngChunk('eXIf', buildExif(1)),
      pngChunk('caBX', text('asal')),
    ];
    const dirty = buildPng({ before: [...kept, ...secrets], after: text('PK\u0003\u0004arsip') });
    expect(clean(dirty)).toEqual(buildPng({ before: kept }));
  });

  it('stays upright', () => {
    const cleaned = clean(buildPng({ before: [pngChunk('eXIf', buildExif(8))] }));
    const orientationOnly = Buffer.from('4d4d002a00000008000101120003000000010008000000000000', 'hex');
    expect(cleaned).toEqual(buildPng({ before: [pngChunk('eXIf', orientationOnly)] }));
  });

  it('that was cut off in its picture is stored up to there', () => {
    const cutOff = buildPng({ picture: Buffer.alloc(100, 3) }).subarray(0, 41 + 50);
    expect(clean(cutOff)).toEqual(buildPng({ picture: Buffer.alloc(50, 3) }));
  });

  it.each([
    ['a signature and nothing else', buildPng().subarray(0, 8)],
    ['a header cut short', buildPng().subarray(0, 30)],
    ['a wrong checksum', buildPng().fill(1, 29, 33)],
    ['no picture', buildPng().subarray(0, 33)],
    ['no width', buildPng({ width: 0 })],
    [
      'half a million chunks',
      buildPng({ before: Array.from({ length: 500_000 }, () => pngChunk('tEXt', Buffer.alloc(0))) }),
    ],
  ])('fails with %s', (_, bytes) => {
    expect(refusal(bytes)).toBe(NOT_AN_IMAGE);
  });
});

describe('a GIF', () => {
  const control = gifExtension(0xf9, Buffer.from([4, 10, 0, 0]));
  const loop = Buffer.from('21ff0b4e45545343415045322e300301000000', 'hex');

  it('keeps frames, timing and repetition, and loses comments, texts, other data and what follows the end', () => {
    const secrets = [
      gifExtension(0xfe, text('Jl. Melati 1')),
      gifExtension(0x01, text('tulisan')),
      gifExtension(0xff, text('XMP DataXMP<xmp/>')),
    ];
    const dirty = buildGif({
      before: [loop, ...secrets, control, gifFrame(2, 2), control],
      after: text('PK\u0003\u0004'),
    });
    expect(clean(dirty)).toEqual(buildGif({ before: [loop, control, gifFrame(2, 2), control] }));
  });

  it('that was cut off is stored up to there, with an end', () => {
    const cutOff = buildGif({ picture: Buffer.alloc(600, 3) }).subarray(0, 400);
    expect(clean(cutOff)).toEqual(buildGif({ picture: Buffer.alloc(255, 3) }));
  });

  it.each([
    ['a signature and nothing else', text('GIF89a')],
    ['a screen and no frame', buildGif().subarray(0, 13)],
    ['a frame without width', buildGif({ before: [gifFrame(0, 5)] })],
    [
      'a million comments',
      buildGif({ before: Array.from({ length: 1_000_000 }, () => gifExtension(0xfe, Buffer.alloc(0))) }),
    ],
  ])('fails with %s', (_, bytes) => {
    expect(refusal(bytes)).toBe(NOT_AN_IMAGE);
  });
});

describe('an image of more than 50 million pixels', () => {
  it.each([
    ['PNG', buildPng({ width: 30_000, height: 30_000 })],
    ['PNG just over the limit', buildPng({ width: 50_000_001, height: 1 })],
    ['JPG', buildJpeg({ width: 10_000, height: 5001 })],
    ['progressive JPG', buildJpeg({ width: 65_535, height: 65_535, frame: 0xc2 })],
    ['GIF with a large frame on a small screen', buildGif({ before: [gifFrame(10_000, 5001)] })],
    ['GIF with a large screen', buildGif({ width: 65_535, height: 65_535 })],
    ['GIF with many large frames', buildGif({ before: Array.from({ length: 11 }, () => gifFrame(10_000, 5000)) })],
  ])('fails (%s)', (_, bytes) => {
    expect(refusal(bytes)).toBe(TOO_MANY_PIXELS);
  });

  it('fails only above that', () => {
    for (const bytes of [buildPng({ width: 10_000, height: 5000 }), buildJpeg({ width: 10_000, height: 5000 })]) {
      expect(clean(bytes)).toEqual(bytes);
    }
  });
});

describe('hostile bytes', () => {
  /** The same numbers in every run (a linear congruential generator). */
  function createRandom(seed: number): (below: number) => number {
    let state = seed;
    return (below) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
  }

  it.each([
    [
      'png',
      buildPng({ before: [pngChunk('eXIf', buildExif(6)), pngChunk('tEXt', text('a'))], picture: Buffer.alloc(40, 9) }),
    ],
    [
      'jpg',
      buildJpeg({ before: [exifSegment(buildExif(6)), jpegSegment(0xfe, text('a'))], picture: Buffer.alloc(40, 9) }),
    ],
    ['gif', buildGif({ before: [gifExtension(0xfe, text('a'))], picture: Buffer.alloc(40, 9) })],
  ] as const)('are stored as an image that stays the same when cleaned again, or refused (%s)', (_, image) => {
    const random = createRandom(20_260_610);
    let acceptedCount = 0;
    for (let round = 0; round < 5000; round += 1) {
      const mutated = Buffer.from(image.subarray(0, round % 3 === 0 ? random(image.length) : image.length));
      for (let change = random(6); change >= 0; change -= 1) mutated[random(mutated.length)] = random(256);
      const result = refusal(mutated);
      expect(['accepted', NOT_AN_IMAGE, TOO_MANY_PIXELS]).toContain(result);
      if (result !== 'accepted') continue;
      acceptedCount += 1;
      const cleaned = clean(mutated);
      expect(clean(cleaned).equals(cleaned)).toBe(true);
    }
    expect(acceptedCount).toBeGreaterThan(100);
  });
});
