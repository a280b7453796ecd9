import { crc32 } from 'node:zlib';
import { buildOrientation, readOrientation } from './exif-orientation.ts';
import {
  BLOCKS_MAX,
  type CleanedPicture,
  createImageParts,
  findSizeProblem,
  type ImageProblem,
  turnSize,
} from './image-parts.ts';

const SIGNATURE_BYTES = 8;
const HEADER_BYTES = 13;
/** Length, name and checksum of a chunk. */
const FRAME_BYTES = 12;

/** The chunks that draw the picture, with its colors, transparency, resolution and animation. */
const KEPT_CHUNKS = new Set(
  ['PLTE', 'IDAT', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'mDCV', 'cLLI', 'sBIT', 'bKGD', 'pHYs'].concat([
    'acTL',
    'fcTL',
    'fdAT',
  ]),
);

/**
 * Keeps what draws the picture, and the orientation. Texts, times, Exif data, unknown chunks and what follows the end go.
 * A picture that was cut off is ended where its data ends.
 * @returns 'unreadable' without a whole header, or without the beginning of a picture
 */
export function cleanPng(bytes: Buffer): CleanedPicture | ImageProblem {
  const header = readChunk(bytes, SIGNATURE_BYTES);
  if (header?.name !== 'IHDR' || !header.isWhole || header.content.length !== HEADER_BYTES) return 'unreadable';
  const checksum = bytes.readUInt32BE(header.end - 4);
  if (checksum !== crc32(bytes.subarray(SIGNATURE_BYTES + 4, header.end - 4))) return 'unreadable';
  const [width, height] = [header.content.readUInt32BE(0), header.content.readUInt32BE(4)];
  const problem = findSizeProblem(width, height);
  if (problem) return problem;

  const parts = createImageParts(bytes);
  let orientation: number | null = null;
  let hasPicture = false;
  let at = header.end;
  for (let blockCount = 0; ; blockCount += 1) {
    if (blockCount > BLOCKS_MAX) return 'unreadable';
    const chunk = readChunk(bytes, at);
    if (!chunk || chunk.name === 'IEND') break;
    if (chunk.name === 'IDAT') hasPicture = true;
    if (!chunk.isWhole) {
      if (chunk.name === 'IDAT') parts.insert(buildChunk(chunk.name, chunk.content));
      break;
    }
    if (KEPT_CHUNKS.has(chunk.name)) parts.keep(at, chunk.end);
    else if (chunk.name === 'eXIf') orientation ??= readOrientation(chunk.content);
    at = chunk.end;
  }
  if (!hasPicture) return 'unreadable';
  const turned = orientation === null ? [] : [buildChunk('eXIf', buildOrientation(orientation))];
  const end = buildChunk('IEND', Buffer.alloc(0));
  const cleaned = Buffer.concat([bytes.subarray(0, header.end), ...turned, parts.join(), end]);
  return { bytes: cleaned, ...turnSize(width, height, orientation) };
}

/** @returns the chunk that begins there, `isWhole` false when the bytes end before it; null when not even its name is there */
function readChunk(bytes: Buffer, at: number) {
  if (at + 8 > bytes.length) return null;
  const wholeEnd = at + FRAME_BYTES + bytes.readUInt32BE(at);
  const isWhole = wholeEnd <= bytes.length;
  const end = isWhole ? wholeEnd : bytes.length;
  const content = bytes.subarray(at + 8, isWhole ? end - 4 : end);
  return { name: bytes.toString('latin1', at + 4, at + 8), content, end, isWhole };
}

function buildChunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const chunk = Buffer.alloc(FRAME_BYTES + content.length);
  chunk.writeUInt32BE(content.length, 0);
  named.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(named), chunk.length - 4);
  return chunk;
}
