import { randomFillSync } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BYTES_PER_PIXEL = 3;

function chunk(type: string, content: Buffer): Buffer {
  const typeAndContent = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(typeAndContent));
  return Buffer.concat([length, typeAndContent, checksum]);
}

/** A real PNG; `noise` cannot be packed, so it takes `width × height × 3` bytes as a photo of that many megabytes would. */
export function buildPng(width: number, height: number, fill: 'noise' | 'plain' = 'plain'): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits each of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  const row = 1 + width * BYTES_PER_PIXEL;
  const pixels = Buffer.alloc(row * height, 0x9c);
  if (fill === 'noise') randomFillSync(pixels);
  for (let rowIndex = 0; rowIndex < height; rowIndex += 1) pixels[rowIndex * row] = 0;
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels, { level: fill === 'noise' ? 1 : 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** As a file picker hands it over. */
export function buildFilePayload(buffer: Buffer, name = 'struk.png', mimeType = 'image/png') {
  return { name, mimeType, buffer };
}
