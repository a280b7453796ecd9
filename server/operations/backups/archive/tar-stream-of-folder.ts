import { createReadStream } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
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

/** @returns the files of an archive, the manifest last; without what a file manager left there */
async function listFiles(folder: string): Promise<File[]> {
  const proofs = await readdir(join(folder, 'proofs'));
  const names = [...(await readdir(folder)), ...proofs.map((name) => `proofs/${name}`)].filter(isEntryName);
  const files: File[] = [];
  for (const name of [...names.filter((each) => each !== MANIFEST_NAME), MANIFEST_NAME]) {
    const stats = await lstat(join(folder, name));
    if (stats.isFile()) files.push({ name, size: stats.size });
  }
  return files;
}

/** A tar has a header for each file, fills each up to whole blocks, and ends with two empty ones. */
const tarBytes = (files: readonly File[]): number =>
  files.reduce((total, { size }) => total + BLOCK_BYTES + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES, 2 * BLOCK_BYTES);

/**
 * Packs an archive that is a folder into one tar, which restores as well. The manifest is not read here, because it may have
 * hundreds of thousands of entries.
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
