import { type ByteReader, createByteReader } from './byte-reader.ts';
import { ListFileError } from './grid.ts';

const WIDE = 0x01;
const PHONETIC = 0x04;
const FORMATTED = 0x08;

/** A text inside one record: its length in characters, then one or two bytes for each. */
export function readXlsText(record: ByteReader, characters: number): string {
  return record.uint8() & WIDE ? record.utf16(characters) : record.latin1(characters);
}

/**
 * Reads the table of shared texts. It goes on over several records; a text that is cut by the end of one goes on in the
 * next after a new byte that says whether the rest is wide.
 */
export function readSharedXlsTexts(blocks: readonly Buffer[]): string[] {
  let block = 0;
  let at = 0;
  const left = (): number => (blocks[block]?.length ?? 0) - at;
  const nextBlock = (): void => {
    block += 1;
    at = 0;
    if (block >= blocks.length) throw new ListFileError('broken', 'shared texts are cut');
  };
  const take = (bytes: number): Buffer => {
    while (left() === 0) nextBlock();
    const found = blocks[block]?.subarray(at, at + bytes);
    if (found?.length !== bytes) throw new ListFileError('broken', 'a shared text is cut');
    at += bytes;
    return found;
  };
  const skip = (bytes: number): void => {
    for (let rest = bytes; rest > 0;) {
      while (left() === 0) nextBlock();
      const step = Math.min(rest, left());
      at += step;
      rest -= step;
    }
  };
  const readText = (): string => {
    const header = createByteReader(take(3));
    const characters = header.uint16();
    const flags = header.uint8();
    const formatBytes = flags & FORMATTED ? take(2).readUInt16LE(0) * 4 : 0;
    const phoneticBytes = flags & PHONETIC ? take(4).readUInt32LE(0) : 0;
    let isWide = (flags & WIDE) !== 0;
    let text = '';
    while (text.length < characters) {
      if (left() === 0) {
        nextBlock();
        isWide = (take(1).readUInt8(0) & WIDE) !== 0;
      }
      const width = isWide ? 2 : 1;
      const count = Math.min(characters - text.length, Math.floor(left() / width));
      if (count === 0) throw new ListFileError('broken', 'a shared text is cut');
      text += take(count * width).toString(isWide ? 'utf16le' : 'latin1');
    }
    skip(formatBytes + phoneticBytes);
    return text;
  };

  const header = createByteReader(take(8));
  header.skip(4);
  const count = header.uint32();
  const texts: string[] = [];
  while (texts.length < count) texts.push(readText());
  return texts;
}
