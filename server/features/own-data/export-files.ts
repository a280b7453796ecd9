import { mkdirSync } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { errorCode } from '#server/files/atomic.ts';

/** A copy that is being written has this ending, so that it never looks complete. */
const PARTIAL_SUFFIX = '.part';
/** No other file is ever removed. */
const NAME_PATTERN = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.zip)(?:\.part)?$/;

/**
 * The folder of copies beside the folder of uploads. Neither archives nor the running copy have it: a file that is gone in a day
 * must not stay in a backup.
 */
export function createExportFiles(proofsDir: string) {
  const folder = join(dirname(proofsDir), 'exports');
  const pathOf = (file: string): string => join(folder, file);
  const partOf = (file: string): string => join(folder, `${file}${PARTIAL_SUFFIX}`);

  return {
    /** @returns the path to write to */
    begin(file: string): string {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return partOf(file);
    },

    finish: (file: string): Promise<void> => rename(partOf(file), pathOf(file)),

    /** An error is ignored: a file that is being read on Windows is removed later, because no row names it. */
    async remove(file: string): Promise<void> {
      for (const path of [pathOf(file), partOf(file)]) await rm(path, { force: true }).catch(() => undefined);
    },

    /** @returns null when it is gone */
    sizeOf: async (file: string): Promise<number | null> => (await stat(pathOf(file)).catch(() => null))?.size ?? null,

    /** @returns null when it is gone */
    async open(file: string): Promise<Readable | null> {
      try {
        return (await open(pathOf(file), 'r')).createReadStream();
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return null;
        throw error;
      }
    },

    /** All copies, also those that are being written. */
    async list(): Promise<string[]> {
      const names = await readdir(folder).catch(() => []);
      return [...new Set(names.flatMap((name) => NAME_PATTERN.exec(name)?.[1] ?? []))];
    },
  };
}
