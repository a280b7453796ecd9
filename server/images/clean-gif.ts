import {
  BLOCKS_MAX,
  type CleanedPicture,
  createImageParts,
  findSizeProblem,
  FRAME_PIXELS_MAX,
  type ImageProblem,
} from './image-parts.ts';

const SCREEN_END = 13;
const FRAME = 0x2c;
const EXTENSION = 0x21;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;
const LOOP = Buffer.from('\u000bNETSCAPE2.0\u0003\u0001', 'latin1');

/**
 * Keeps screen, frames, their timing and how often they repeat. Comments, texts, data of other programs and what follows
 * the end go. A picture that was cut off is ended where its data ends.
 * @returns 'unreadable' without a screen, or without the beginning of a frame
 */
export function cleanGif(bytes: Buffer): CleanedPicture | ImageProblem {
  if (bytes.length < SCREEN_END) return 'unreadable';
  const screen = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  const parts = createImageParts(bytes);
  let at = SCREEN_END + colorTableBytes(bytes.readUInt8(10));
  if (at > bytes.length) return 'unreadable';
  parts.keep(0, at);

  let shown: { width: number; height: number } | null = null;
  let frameCount = 0;
  let framePixels = 0;
  for (let blockCount = 0; ; blockCount += 1) {
    if (blockCount > BLOCKS_MAX) return 'unreadable';
    const block = bytes[at];
    if (block === FRAME && at + 11 <= bytes.length) {
      const width = bytes.readUInt16LE(at + 5);
      const height = bytes.readUInt16LE(at + 7);
      // Browsers make the screen as large as a frame that reaches beyond it.
      const reached = {
        width: Math.max(screen.width, bytes.readUInt16LE(at + 1) + width),
        height: Math.max(screen.height, bytes.readUInt16LE(at + 3) + height),
      };
      const problem = findSizeProblem(width, height) ?? findSizeProblem(reached.width, reached.height);
      if (problem) return problem;
      shown ??= reached;
      framePixels += width * height;
      if (framePixels > FRAME_PIXELS_MAX) return 'tooManyPixels';
      // The descriptor, a color table of its own, and one byte before the data.
      const data = at + 10 + colorTableBytes(bytes.readUInt8(at + 9)) + 1;
      if (data > bytes.length) break;
      const { end, isWhole } = skipBlocks(bytes, data);
      frameCount += 1;
      parts.keep(at, end);
      at = end;
      if (!isWhole) {
        parts.insert(Buffer.from([0]));
        break;
      }
    } else if (block === EXTENSION) {
      const { end, isWhole } = skipBlocks(bytes, at + 2);
      if (!isWhole) break;
      const kind = bytes[at + 1];
      const isLoop = kind === APPLICATION && bytes.subarray(at + 2, at + 2 + LOOP.length).equals(LOOP);
      if (kind === GRAPHIC_CONTROL) parts.keep(at, end);
      else if (isLoop) {
        parts.keep(at, at + 2 + LOOP.length + 2);
        parts.insert(Buffer.from([0]));
      }
      at = end;
    } else if (block === 0) {
      // Some programs write more ends of data than there are blocks.
      at += 1;
    } else break;
  }
  if (frameCount === 0 || shown === null) return 'unreadable';
  parts.insert(Buffer.from([TRAILER]));
  return { bytes: parts.join(), ...shown };
}

/** @param flags the byte that says whether there is a color table and how long it is */
function colorTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
}

/**
 * The end of blocks of data, each with its length in front, up to and with an empty one. When the bytes end before that,
 * `isWhole` is false and `end` is that of the last complete block.
 */
function skipBlocks(bytes: Buffer, from: number): { end: number; isWhole: boolean } {
  let at = from;
  for (;;) {
    const length = bytes[at];
    if (length === undefined || at + 1 + length > bytes.length) return { end: at, isWhole: false };
    at += 1 + length;
    if (length === 0) return { end: at, isWhole: true };
  }
}
