import { crc32, inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const END_BYTES = 22;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const DEFLATED = 8;

/** Reads an archive by its directory, as programs that unpack do. @throws for anything that is not as it should be */
export function unzip(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.length - END_BYTES;
  if (bytes.readUInt32LE(end) !== END) throw new Error('no end of a zip');
  const files = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < bytes.readUInt16LE(end + 10); index += 1) {
    if (bytes.readUInt32LE(at) !== CENTRAL) throw new Error(`no entry ${index}`);
    const [crc, packed, size] = [16, 20, 24].map((field) => bytes.readUInt32LE(at + field)) as [number, number, number];
    const lengths = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field)) as [number, number, number];
    const name = bytes.toString('utf8', at + 46, at + 46 + lengths[0]);
    const local = bytes.readUInt32LE(at + 42);
    if (bytes.readUInt32LE(local) !== LOCAL) throw new Error(`no content of ${name}`);
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const stored = bytes.subarray(from, from + packed);
    const content = bytes.readUInt16LE(at + 10) === DEFLATED ? inflateRawSync(stored) : stored;
    if (content.length !== size || crc32(content) !== crc) throw new Error(`${name} is damaged`);
    if (files.has(name)) throw new Error(`${name} is there twice`);
    files.set(name, Buffer.from(content));
    at += 46 + lengths[0] + lengths[1] + lengths[2];
  }
  return files;
}
