import { createReadStream } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import tar from 'tar-stream';
import { isEntryName } from './manifest.ts';
import { MANIFEST_NAME } from '../archive-names.ts';

const BLOCK_BYTES = 512;
/** Larger than the default of streams, because an archive can have gigabytes. */
const CHUNK_BYTES = 256 * 1024;

type File = { name: string; size: number };

const LISTED_NAME = /"name":"([^"]*)"/g;
/** Longer than the name of an entry with its key. */
const OVERLAP = 128;

/** Reads the manifest piece by piece, because it may have hundreds of thousands of entries. @returns their names */
async function readListedNames(folder: string): Promise<Set<string>> {
  const names = new Set<string>();
  const chunks = createReadStream(join(folder, MANIFEST_NAME), { encoding: 'utf8', highWaterMark: CHUNK_BYTES });
  let rest = '';
  for await (const chunk of chunks as AsyncIterable<string>) {
    const text = rest + chunk;
    for (const [, name = ''] of text.matchAll(LISTED_NAME)) names.add(name);
    rest = text.slice(-OVERLAP);
  }
  return names;
}

/** @returns the files of an archive, the manifest last; without what a file manager left there, such as `Thumbs.db` */
async function listFiles(folder: string): Promise<File[]> {
  const listed = await readListedNames(folder);
  const names = [...listed].filter(isEntryName);
  const files: File[] = [];
  for (const name of [...names.filter((each) => each !== MANIFEST_NAME), MANIFEST_NAME]) {
    const stats = await lstat(join(folder, name)).catch(() => null);
    if (stats?.isFile()) files.push({ name, size: stats.size });
  }
  return files;
}

/** A tar has a header for each file, fills each up to whole blocks, and ends with two empty ones. */
const tarBytes = (files: readonly File[]): number =>
  files.reduce((total, { size }) => total + BLOCK_BYTES + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES, 2 * BLOCK_BYTES);

/**
 * Packs an archive that is a folder into one tar, which restores as well.
 * @throws errors of the disk
 */
export async function openAsTar(folder: string): Promise<{ sizeBytes: number; content: Readable }> {
  const files = await listFiles(folder);
  const pack = tar.pack();
  const fill = async (): Promise<void> => {
    for (const { name, size } of files) {
      const source = createReadStream(join(folder, name), { highWaterMark: CHUNK_BYTES });
      await pipeline(source, pack.entry({ name, size, mode: 0o600 }));
    }
    pack.finalize();
  };
  fill().catch((error: unknown) => pack.destroy(error instanceof Error ? error : new Error(String(error))));
  return { sizeBytes: tarBytes(files), content: Readable.from(pack as AsyncIterable<Buffer>, { objectMode: false }) };
}
