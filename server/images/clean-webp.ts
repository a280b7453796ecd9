import {
  BLOCKS_MAX,
  type CleanedPicture,
  createImageParts,
  findSizeProblem,
  FRAME_PIXELS_MAX,
  type ImageProblem,
} from './image-parts.ts';

const FILE_HEAD_BYTES = 12;
const CHUNK_HEAD_BYTES = 8;
const EXTENDED_HEAD_BYTES = 10;
const ANIMATION_BYTES = 6;
/** Place, size, duration and how it is drawn; the picture of the frame follows as chunks. */
const FRAME_HEAD_BYTES = 16;

/** Bits of the extended head. Those of Exif and XMP data are not kept. */
const HAS_PROFILE = 0x20;
const HAS_ALPHA = 0x10;
const IS_ANIMATED = 0x02;

type Size = { width: number; height: number };
type Chunk = { name: string; start: number; content: Buffer; contentStart: number; end: number };
/** A picture: its data, and before it the chunk of its transparency if it has one. */
type Picture = Size & { alpha: Chunk | null; data: Chunk };

/**
 * Keeps what draws the picture: its data, transparency, color profile and animation. Exif, XMP, unknown chunks and what
 * follows the end go. What was cut off, or says another size than its parts, is refused, as browsers show nothing of it.
 */
export function cleanWebp(bytes: Buffer): CleanedPicture | ImageProblem {
  const end = CHUNK_HEAD_BYTES + bytes.readUInt32LE(4);
  if (end > bytes.length) return 'unreadable';
  const chunks = readChunks(bytes, FILE_HEAD_BYTES, end);
  const [first] = chunks ?? [];
  if (!chunks || !first) return 'unreadable';
  if (first.name !== 'VP8X') return cleanSimple(bytes, chunks);
  if (first.content.length !== EXTENDED_HEAD_BYTES) return 'unreadable';
  const canvas = { width: readUInt24(first.content, 4) + 1, height: readUInt24(first.content, 7) + 1 };
  const problem = findSizeProblem(canvas.width, canvas.height);
  if (problem) return problem;
  const isAnimated = (first.content.readUInt8(0) & IS_ANIMATED) !== 0;
  const kept = isAnimated ? keepFrames(bytes, chunks, canvas) : keepStill(bytes, chunks, canvas);
  if (typeof kept === 'string') return kept;

  const profile = chunks.find(({ name }) => name === 'ICCP');
  const head = Buffer.from(first.content);
  const flags = (profile ? HAS_PROFILE : 0) | (isAnimated ? IS_ANIMATED : 0) | (head.readUInt8(0) & HAS_ALPHA);
  head.writeUInt32LE(flags, 0);
  const parts = [buildChunk('VP8X', head), ...(profile ? [buildChunk('ICCP', profile.content)] : []), kept];
  return { bytes: buildFile(parts), ...canvas };
}

/** A file of one chunk. */
function cleanSimple(bytes: Buffer, chunks: readonly Chunk[]): CleanedPicture | ImageProblem {
  const [data] = chunks;
  const size = data ? readPictureSize(data) : null;
  if (!data || !size) return 'unreadable';
  const problem = findSizeProblem(size.width, size.height);
  return problem ?? { bytes: buildFile([bytes.subarray(data.start, data.end)]), ...size };
}

function keepStill(bytes: Buffer, chunks: readonly Chunk[], canvas: Size): Buffer | ImageProblem {
  const picture = findPicture(chunks);
  if (!picture || picture.width !== canvas.width || picture.height !== canvas.height) return 'unreadable';
  return joinPicture(bytes, picture);
}

function keepFrames(bytes: Buffer, chunks: readonly Chunk[], canvas: Size): Buffer | ImageProblem {
  const animation = chunks.find(({ name }) => name === 'ANIM');
  const frames = chunks.filter(({ name }) => name === 'ANMF');
  if (animation?.content.length !== ANIMATION_BYTES || frames.length === 0) return 'unreadable';
  const kept = [buildChunk('ANIM', animation.content)];
  let framePixels = 0;
  for (const { content, contentStart } of frames) {
    if (content.length < FRAME_HEAD_BYTES) return 'unreadable';
    const [left, top] = [2 * readUInt24(content, 0), 2 * readUInt24(content, 3)];
    const [width, height] = [readUInt24(content, 6) + 1, readUInt24(content, 9) + 1];
    if (left + width > canvas.width || top + height > canvas.height) return 'unreadable';
    framePixels += width * height;
    if (framePixels > FRAME_PIXELS_MAX) return 'tooManyPixels';
    const inner = readChunks(bytes, contentStart + FRAME_HEAD_BYTES, contentStart + content.length);
    const picture = inner && findPicture(inner);
    if (!picture || picture.width !== width || picture.height !== height) return 'unreadable';
    kept.push(buildChunk('ANMF', Buffer.concat([content.subarray(0, FRAME_HEAD_BYTES), joinPicture(bytes, picture)])));
  }
  return Buffer.concat(kept);
}

/** The first picture among chunks; null when there is none, or one that cannot be read. */
function findPicture(chunks: readonly Chunk[]): Picture | null {
  const index = chunks.findIndex(({ name }) => name === 'VP8 ' || name === 'VP8L');
  const data = chunks[index];
  const size = data ? readPictureSize(data) : null;
  if (!data || !size) return null;
  // A lossless picture holds its own transparency.
  const alpha = data.name === 'VP8 ' ? chunks.slice(0, index).find(({ name }) => name === 'ALPH') : undefined;
  return { ...size, data, alpha: alpha ?? null };
}

function joinPicture(bytes: Buffer, { alpha, data }: Picture): Buffer {
  const parts = createImageParts(bytes);
  if (alpha) parts.keep(alpha.start, alpha.end);
  parts.keep(data.start, data.end);
  return parts.join();
}

/** The size that the data of a picture says; null when the data does not begin as it must. */
function readPictureSize({ name, content }: Chunk): Size | null {
  if (name === 'VP8L') {
    if (content.length < 5 || content.readUInt8(0) !== 0x2f) return null;
    const bits = content.readUInt32LE(1);
    // The last three bits are a version; there is only the first one.
    return bits >>> 29 === 0 ? { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 } : null;
  }
  if (name !== 'VP8 ' || content.length < 10) return null;
  const tag = readUInt24(content, 0);
  const isShownKeyFrame = (tag & 1) === 0 && ((tag >> 4) & 1) === 1;
  const firstPartBytes = tag >> 5;
  const hasStartCode = readUInt24(content, 3) === 0x2a_01_9d;
  if (!isShownKeyFrame || !hasStartCode || firstPartBytes > content.length - 10) return null;
  const size = { width: content.readUInt16LE(6) & 0x3fff, height: content.readUInt16LE(8) & 0x3fff };
  return size.width > 0 && size.height > 0 ? size : null;
}

/** The chunks between two places, which they must fill; null when they do not, or are too many. */
function readChunks(bytes: Buffer, from: number, end: number): Chunk[] | null {
  const chunks: Chunk[] = [];
  for (let at = from; at < end;) {
    const contentStart = at + CHUNK_HEAD_BYTES;
    if (contentStart > end || chunks.length > BLOCKS_MAX) return null;
    const length = bytes.readUInt32LE(at + 4);
    // An odd length is followed by an empty byte.
    const chunkEnd = contentStart + length + (length % 2);
    if (chunkEnd > end) return null;
    const content = bytes.subarray(contentStart, contentStart + length);
    chunks.push({ name: bytes.toString('latin1', at, at + 4), start: at, content, contentStart, end: chunkEnd });
    at = chunkEnd;
  }
  return chunks;
}

const readUInt24 = (bytes: Buffer, at: number): number => bytes.readUIntLE(at, 3);

function buildChunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(CHUNK_HEAD_BYTES);
  head.write(name, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

function buildFile(chunks: readonly Buffer[]): Buffer {
  const content = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks]);
  const head = Buffer.from('RIFF\0\0\0\0', 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content]);
}
