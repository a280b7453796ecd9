import { buildOrientation, readOrientation } from './exif-orientation.ts';
import {
  BLOCKS_MAX,
  type CleanedPicture,
  createImageParts,
  findSizeProblem,
  type ImageProblem,
  turnSize,
} from './image-parts.ts';

/** The second byte of a marker; the first is always 0xff. */
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
/** Start of frame: baseline, extended, progressive, and the last two with arithmetic coding. Browsers show no others. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2, 0xc9, 0xca]);
/** The other frames, and the end of a picture that is split into several. */
const UNSUPPORTED = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc8, 0xcb, 0xcd, 0xce, 0xcf, 0xde, 0xdf]);
/** Tables, restart interval and number of lines: what a decoder needs beside frames and scans. */
const TABLES = new Set([0xc4, 0xcc, 0xdb, 0xdc, 0xdd]);

const EXIF = Buffer.from('Exif\0\0', 'latin1');
const JFIF = Buffer.from('JFIF\0', 'latin1');
const ICC_PROFILE = Buffer.from('ICC_PROFILE\0', 'latin1');
const ADOBE = Buffer.from('Adobe', 'latin1');
const JFIF_BYTES = 14;
const ADOBE_BYTES = 12;
/** A progressive photo has about ten. A decoder works through the whole picture once for each. */
const SCANS_MAX = 200;

/**
 * Keeps what draws the photo: tables, frame, scans, JFIF without thumbnail, color profile, Adobe's color transform, and
 * the orientation. Everything else goes: place and device (Exif, XMP), comments, thumbnails, and what follows the end.
 * A photo that was cut off is ended where its data ends, because browsers show the part that is there.
 * @returns 'unreadable' without a complete header
 */
export function cleanJpeg(bytes: Buffer): CleanedPicture | ImageProblem {
  const parts = createImageParts(bytes);
  let orientation: number | null = null;
  let frame: { width: number; height: number } | null = null;
  let scanCount = 0;
  let hasJfif = false;
  let hasAdobe = false;
  let at = 2;

  for (let blockCount = 0; ; blockCount += 1) {
    if (blockCount > BLOCKS_MAX) return 'unreadable';
    const marker = findMarker(bytes, at);
    if (marker === null || marker.code === EOI) break;
    const segment = readSegment(bytes, marker.end);
    if (segment === null || marker.code === SOI) break;
    const { code } = marker;
    const { content, end } = segment;
    const start = marker.end - 2;
    at = end;
    if (UNSUPPORTED.has(code)) return 'unreadable';
    if (FRAMES.has(code)) {
      const found: { width: number; height: number } | ImageProblem = frame ? 'unreadable' : readFrame(content);
      if (typeof found === 'string') return found;
      frame = found;
      parts.keep(start, end);
    } else if (code === SOS) {
      scanCount += 1;
      if (!frame || scanCount > SCANS_MAX) return 'unreadable';
      at = findScanEnd(bytes, end);
      parts.keep(start, at);
    } else if (TABLES.has(code) || (code === APP2 && startsWith(content, ICC_PROFILE))) {
      parts.keep(start, end);
    } else if (code === APP0 && !hasJfif && startsWith(content, JFIF) && content.length >= JFIF_BYTES) {
      hasJfif = true;
      // Its last two bytes are the size of a thumbnail that may follow.
      parts.insert(buildSegment(code, Buffer.concat([content.subarray(0, JFIF_BYTES - 2), Buffer.alloc(2)])));
    } else if (code === APP14 && !hasAdobe && startsWith(content, ADOBE) && content.length >= ADOBE_BYTES) {
      hasAdobe = true;
      parts.insert(buildSegment(code, content.subarray(0, ADOBE_BYTES)));
    } else if (code === APP1 && startsWith(content, EXIF)) {
      orientation ??= readOrientation(content.subarray(EXIF.length));
    }
  }
  if (frame === null || scanCount === 0) return 'unreadable';
  const turned = orientation === null ? [] : [buildSegment(APP1, Buffer.concat([EXIF, buildOrientation(orientation)]))];
  const cleaned = Buffer.concat([Buffer.from([0xff, SOI]), ...turned, parts.join(), Buffer.from([0xff, EOI])]);
  return { bytes: cleaned, ...turnSize(frame.width, frame.height, orientation) };
}

/** The next marker at or after `from`. @param end the first byte after it */
function findMarker(bytes: Buffer, from: number): { code: number; end: number } | null {
  // A plain loop: with many 0xff in hostile bytes, a search for each of them would be slow.
  for (let at = from; at + 1 < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue;
    const code = bytes[at + 1] ?? 0;
    // 0xff fills, 0x00 is data, and these stand alone: they mean nothing between segments.
    const isAlone = code === 0x01 || (code >= 0xd0 && code <= 0xd7);
    if (code !== 0xff && code !== 0x00 && !isAlone) return { code, end: at + 2 };
  }
  return null;
}

function readSegment(bytes: Buffer, at: number): { content: Buffer; end: number } | null {
  if (at + 2 > bytes.length) return null;
  const length = bytes.readUInt16BE(at);
  const end = at + length;
  return length < 2 || end > bytes.length ? null : { content: bytes.subarray(at + 2, end), end };
}

function readFrame(content: Buffer): { width: number; height: number } | ImageProblem {
  if (content.length < 6) return 'unreadable';
  const componentCount = content.readUInt8(5);
  if (componentCount < 1 || componentCount > 4 || content.length !== 6 + 3 * componentCount) return 'unreadable';
  const [width, height] = [content.readUInt16BE(3), content.readUInt16BE(1)];
  return findSizeProblem(width, height) ?? { width, height };
}

/** The end of a scan's data: the next marker that is no restart, or the end of the bytes. */
function findScanEnd(bytes: Buffer, from: number): number {
  for (let at = from; at + 1 < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue;
    const code = bytes[at + 1] ?? 0;
    if (code !== 0x00 && code !== 0xff && (code < 0xd0 || code > 0xd7)) return at;
  }
  return bytes.length;
}

function startsWith(content: Buffer, start: Buffer): boolean {
  return content.subarray(0, start.length).equals(start);
}

function buildSegment(code: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, code, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}
