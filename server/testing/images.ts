import { crc32 } from 'node:zlib';

/** Images built from their parts. The pictures cannot be decoded; what stands around them is as the formats want it. */

type ImageOptions = {
  width?: number;
  height?: number;
  /** Parts between the header and the picture. */
  before?: readonly Buffer[];
  picture?: Buffer;
  /** Bytes after the end of the image. */
  after?: Buffer;
};

const NOTHING = Buffer.alloc(0);
const ONE_BYTE = Buffer.from([0]);

export function buildPng(options: ImageOptions = {}): Buffer {
  const { width = 2, height = 2, before = [], picture = ONE_BYTE, after = NOTHING } = options;
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [pngChunk('IHDR', header), ...before, pngChunk('IDAT', picture), pngChunk('IEND', NOTHING)];
  return Buffer.concat([signature, ...chunks, after]);
}

export function pngChunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(content.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}

/** @param frame the marker of its frame: 0xc0 is baseline, 0xc2 progressive */
export function buildJpeg({ frame = 0xc0, ...options }: ImageOptions & { frame?: number } = {}): Buffer {
  const { width = 2, height = 2, before = [], picture = ONE_BYTE, after = NOTHING } = options;
  const size = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  size.writeUInt16BE(height, 1);
  size.writeUInt16BE(width, 3);
  const scan = jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0]));
  const marker = (code: number): Buffer => Buffer.from([0xff, code]);
  return Buffer.concat([marker(0xd8), ...before, jpegSegment(frame, size), scan, picture, marker(0xd9), after]);
}

export function jpegSegment(code: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, code, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** Exif data as a phone writes it: orientation, the name of the device, and a place. */
export function buildExif(orientation: number, byteOrder: 'II' | 'MM' = 'II'): Buffer {
  const short = (value: number): Buffer =>
    byteOrder === 'II' ? Buffer.from([value & 255, value >> 8]) : Buffer.from([value >> 8, value & 255]);
  const long = (value: number): Buffer =>
    Buffer.concat(byteOrder === 'II' ? [short(value), short(0)] : [short(0), short(value)]);
  const entry = (tag: number, type: number, value: Buffer): Buffer =>
    Buffer.concat([short(tag), short(type), long(1), value]);
  return Buffer.concat([
    Buffer.from(byteOrder),
    short(42),
    long(8),
    short(3),
    entry(0x01_10, 4, long(74)),
    entry(0x01_12, 3, Buffer.concat([short(orientation), short(0)])),
    entry(0x88_25, 4, long(90)),
    long(0),
    Buffer.from('Telepon Pak Budi GPS 6.2088 S 106.8456 E', 'latin1'),
  ]);
}

export function buildGif(options: ImageOptions = {}): Buffer {
  const { width = 2, height = 2, before = [], picture = ONE_BYTE, after = NOTHING } = options;
  const screen = Buffer.from([0, 0, 0, 0, 0, 0, 0]);
  screen.writeUInt16LE(width, 0);
  screen.writeUInt16LE(height, 2);
  const end = Buffer.from([0x3b]);
  return Buffer.concat([
    Buffer.from('GIF89a', 'latin1'),
    screen,
    ...before,
    gifFrame(width, height, picture),
    end,
    after,
  ]);
}

export function gifFrame(width: number, height: number, picture: Buffer = ONE_BYTE): Buffer {
  const descriptor = Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
  descriptor.writeUInt16LE(width, 5);
  descriptor.writeUInt16LE(height, 7);
  return Buffer.concat([descriptor, gifBlocks(picture)]);
}

export function gifExtension(code: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x21, code]), gifBlocks(content)]);
}

/** Blocks of at most 255 bytes, each with its length in front, then an empty one. */
function gifBlocks(content: Buffer): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at < content.length; at += 255) {
    const block = content.subarray(at, at + 255);
    blocks.push(Buffer.from([block.length]), block);
  }
  return Buffer.concat([...blocks, ONE_BYTE]);
}

/** A WebP file of these chunks. */
export function webpFile(...chunks: readonly Buffer[]): Buffer {
  const content = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks]);
  const head = Buffer.from('RIFF\0\0\0\0', 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content]);
}

export function webpChunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** The chunk with which an extended file begins. @param flags 0x20 profile, 0x10 alpha, 8 Exif, 4 XMP, 2 animated */
export function webpHead(flags: number, width = 2, height = 2): Buffer {
  const content = Buffer.alloc(10);
  content[0] = flags;
  content.writeUIntLE(width - 1, 4, 3);
  content.writeUIntLE(height - 1, 7, 3);
  return webpChunk('VP8X', content);
}

/** A lossy picture. */
export function webpPicture({ width = 2, height = 2, picture = ONE_BYTE }: ImageOptions = {}): Buffer {
  const head = Buffer.from([0x10, 0, 0, 0x9d, 1, 0x2a, 0, 0, 0, 0]);
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  return webpChunk('VP8 ', Buffer.concat([head, picture]));
}

/** A lossless picture. */
export function webpLossless(width = 2, height = 2): Buffer {
  const content = Buffer.from([0x2f, 0, 0, 0, 0, 0]);
  content.writeUInt32LE((width - 1) | ((height - 1) << 14), 1);
  return webpChunk('VP8L', content);
}

/** A frame of an animation. */
export function webpFrame(width: number, height: number, ...chunks: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(16);
  head.writeUIntLE(width - 1, 6, 3);
  head.writeUIntLE(height - 1, 9, 3);
  return webpChunk('ANMF', Buffer.concat([head, ...chunks]));
}

export function buildWebp(options: ImageOptions = {}): Buffer {
  return Buffer.concat([webpFile(webpPicture(options)), options.after ?? NOTHING]);
}
