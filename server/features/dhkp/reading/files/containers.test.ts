import { describe, expect, it } from 'vitest';
import { writeCompoundFile } from '#server/testing/dhkp/list-files.ts';
import { writeZip } from '#server/testing/dhkp/zip-files.ts';
import { openCompoundFile } from './cfb.ts';
import { readZipEntries, unpackPart, unpackWhole } from './zip.ts';

const broken = expect.objectContaining({ reason: 'broken' });

describe('a zip', () => {
  const text = 'isi '.repeat(1000);

  it('gives its parts, packed or not, whatever the case of their names', async () => {
    const bytes = writeZip({ 'A/b.xml': text, c: 'x' }, { stored: ['c'] });
    const entries = readZipEntries(bytes);
    const unpack = async (name: string): Promise<string> => {
      const entry = entries.get(name);
      return entry ? (await unpackWhole(bytes, entry)).toString() : 'no part';
    };
    expect([await unpack('a/b.xml'), await unpack('c')]).toEqual([text, 'x']);
  });

  it('breaks off where a part is damaged, cut, locked or packed in another way', async () => {
    const entryOf = (bytes: Buffer) => {
      const entry = readZipEntries(bytes).get('a');
      if (!entry) throw new Error('no part');
      return entry;
    };
    const bytes = writeZip({ a: text });
    const readAll = (change: Partial<ReturnType<typeof entryOf>>) =>
      unpackWhole(bytes, { ...entryOf(bytes), ...change });
    await expect(readAll({ crc: 1 })).rejects.toEqual(broken);
    await expect(readAll({ bytes: text.length + 1 })).rejects.toEqual(broken);
    await expect(readAll({ packedBytes: 2 ** 31 })).rejects.toEqual(broken);
    await expect(readAll({ offset: bytes.length })).rejects.toEqual(broken);
    await expect(readAll({ method: 14 })).rejects.toEqual(broken);
    await expect(readAll({ isEncrypted: true })).rejects.toMatchObject({ reason: 'locked' });
  });

  it('stops unpacking as soon as a part is larger than it says', async () => {
    const bytes = writeZip({ a: Buffer.alloc(2 ** 24) });
    const entry = readZipEntries(bytes).get('a');
    let unpacked = 0;
    const unpack = async (): Promise<void> => {
      if (entry) for await (const piece of unpackPart(bytes, { ...entry, bytes: 100_000 })) unpacked += piece.length;
    };
    await expect(unpack()).rejects.toEqual(broken);
    expect(unpacked).toBeLessThan(200_000);
  });
});

describe('a compound file', () => {
  const long = Buffer.from('panjang '.repeat(2000));
  const short = Buffer.from('pendek');
  const file = writeCompoundFile({ '/Long': long, '/Short': short });

  it('gives its long and short streams', () => {
    const { names, readStream } = openCompoundFile(file);
    expect(names).toEqual(expect.arrayContaining(['Long', 'Short']));
    expect([readStream('Long').equals(long), readStream('Short').equals(short)]).toEqual([true, true]);
    expect(() => readStream('Missing')).toThrow(broken);
  });

  it('breaks off where its chains go in a circle or lead outside', () => {
    for (const next of [0, 1, 2, 3, 0x00ff_0000]) {
      const damaged = Buffer.from(file);
      // The table of sectors: every sector is followed by the same one.
      const table = (damaged.readUInt32LE(76) + 1) * 512;
      for (let at = table; at < table + 512; at += 4) damaged.writeUInt32LE(next, at);
      expect(() => {
        const { names, readStream } = openCompoundFile(damaged);
        return names.map((name) => readStream(name));
      }).toThrow(broken);
    }
  });

  it('breaks off where it is shorter than its header or names a strange size of sectors', () => {
    expect(() => openCompoundFile(file.subarray(0, 300))).toThrow(broken);
    const strange = Buffer.from(file);
    strange.writeUInt16LE(31, 30);
    expect(() => openCompoundFile(strange)).toThrow(broken);
  });
});
