import { endianness } from 'node:os';

/**
 * Reads SQLite's write-ahead log (https://www.sqlite.org/fileformat2.html, section 4). A frame counts when it has the salts
 * of the header and continues the checksum: SQLite's recovery decides the same way. So a frame that is being written, that
 * was rolled back, or that an earlier log has left is never taken.
 */

export const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The two forms of the magic number: the checksum is of little-endian or big-endian words. */
const MAGIC = { little: 0x377f0682, big: 0x377f0683 };

type Checksum = { sum1: number; sum2: number };

export type LogHeader = { pageBytes: number; salt1: number; salt2: number; isBigEndian: boolean; checksum: Checksum };

const IS_BIG_ENDIAN_MACHINE = endianness() === 'BE';

/** The words of these bytes. To read them with a `DataView` takes about five times as long. */
function wordsOf(bytes: Buffer, isBigEndian: boolean): Int32Array {
  const isOwnOrder = isBigEndian === IS_BIG_ENDIAN_MACHINE;
  if (isOwnOrder && bytes.byteOffset % 4 === 0) {
    return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  }
  const { buffer } = new Uint8Array(bytes);
  if (!isOwnOrder) Buffer.from(buffer).swap32();
  return new Int32Array(buffer);
}

/** @param from and `to`: the first word and the one after the last */
function addToChecksum({ sum1, sum2 }: Checksum, words: Int32Array, from: number, to: number): Checksum {
  let [first, second] = [sum1, sum2];
  for (let at = from; at < to; at += 2) {
    first = (first + (words[at] ?? 0) + second) | 0;
    second = (second + (words[at + 1] ?? 0) + first) | 0;
  }
  return { sum1: first, sum2: second };
}

/** @returns null when these bytes are no whole header, as in a log that SQLite is just beginning */
export function parseLogHeader(bytes: Buffer): LogHeader | null {
  if (bytes.length < LOG_HEADER_BYTES) return null;
  const magic = bytes.readUInt32BE(0);
  if (magic !== MAGIC.little && magic !== MAGIC.big) return null;
  const isBigEndian = magic === MAGIC.big;
  const checksum = addToChecksum({ sum1: 0, sum2: 0 }, wordsOf(bytes.subarray(0, 24), isBigEndian), 0, 6);
  if (checksum.sum1 !== bytes.readInt32BE(24) || checksum.sum2 !== bytes.readInt32BE(28)) return null;
  return {
    pageBytes: bytes.readUInt32BE(8),
    salt1: bytes.readUInt32BE(16),
    salt2: bytes.readUInt32BE(20),
    isBigEndian,
    checksum,
  };
}

/** Finds the commits in a log whose bytes arrive piece by piece. */
export type LogReader = {
  /** The next byte to read. */
  readonly end: number;
  /** The end of the last commit so far: the log is whole up to here. */
  readonly committedEnd: number;
  /** The pages that the database has after the last commit; 0 before the first. */
  readonly databasePages: number;
  /**
   * @param bytes from `end` on; an unfinished frame at their end is left out
   * @returns false once a frame is not valid: what follows may be written over, so it is to be read again later
   */
  add: (bytes: Buffer) => boolean;
  /** Goes back to the last commit, to read again what follows it. */
  rewind: () => void;
};

export function createLogReader(header: LogHeader): LogReader {
  const frameBytes = FRAME_HEADER_BYTES + header.pageBytes;
  let [end, committedEnd, databasePages] = [LOG_HEADER_BYTES, LOG_HEADER_BYTES, 0];
  let checksum = header.checksum;
  let committedChecksum = header.checksum;

  /** @param words of all these bytes */
  function addFrame(bytes: Buffer, words: Int32Array, at: number): boolean {
    if (bytes.readUInt32BE(at + 8) !== header.salt1 || bytes.readUInt32BE(at + 12) !== header.salt2) return false;
    const word = at / 4;
    const afterHeader = addToChecksum(checksum, words, word, word + 2);
    const sums = addToChecksum(afterHeader, words, word + FRAME_HEADER_BYTES / 4, word + frameBytes / 4);
    if (sums.sum1 !== bytes.readInt32BE(at + 16) || sums.sum2 !== bytes.readInt32BE(at + 20)) return false;
    checksum = sums;
    end += frameBytes;
    const pagesAfterCommit = bytes.readUInt32BE(at + 4);
    if (pagesAfterCommit > 0) {
      databasePages = pagesAfterCommit;
      committedEnd = end;
      committedChecksum = sums;
    }
    return true;
  }

  return {
    get end() {
      return end;
    },
    get committedEnd() {
      return committedEnd;
    },
    get databasePages() {
      return databasePages;
    },
    add(bytes) {
      const words = wordsOf(bytes.subarray(0, bytes.length - (bytes.length % frameBytes)), header.isBigEndian);
      for (let at = 0; at + frameBytes <= bytes.length; at += frameBytes) {
        if (!addFrame(bytes, words, at)) return false;
      }
      return true;
    },
    rewind() {
      end = committedEnd;
      checksum = committedChecksum;
    },
  };
}

/** Calls `visit` with the number (from 1) and content of each page of whole frames. */
export function visitPages(pageBytes: number, frames: Buffer, visit: (page: number, content: Buffer) => void): void {
  const frameBytes = FRAME_HEADER_BYTES + pageBytes;
  for (let at = 0; at + frameBytes <= frames.length; at += frameBytes) {
    visit(frames.readUInt32BE(at), frames.subarray(at + FRAME_HEADER_BYTES, at + frameBytes));
  }
}
