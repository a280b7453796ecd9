import { statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';

/** Space that a backup leaves free on its disk, because the server itself needs it. */
const RESERVED_BYTES = 512 * 1024 * 1024;
const RESERVED_SHARE = 0.05;

export type DiskSpace = { freeBytes: number; totalBytes: number };

type Counted = Record<'bavail' | 'blocks' | 'bsize', number>;
const spaceOf = ({ bavail, blocks, bsize }: Counted): DiskSpace => ({
  freeBytes: bavail * bsize,
  totalBytes: blocks * bsize,
});

/** @returns the space of the disk that holds a folder; null where the system does not report it */
export function readDiskSpace(folder: string): DiskSpace | null {
  try {
    return spaceOf(statfsSync(folder));
  } catch {
    return null;
  }
}

/**
 * Reads the space of a share, which may hang, beside the event loop and once at a time.
 * @returns a function that gives what the last look found
 */
export function watchDiskSpace(folder: string): () => DiskSpace | null {
  let last = readDiskSpace(folder);
  let looking: Promise<void> | null = null;
  async function look(): Promise<void> {
    last = await statfs(folder).then(spaceOf, () => null);
    looking = null;
  }
  return () => {
    looking ??= look();
    return last;
  };
}

/** @returns the bytes that a backup may still write to the disk of a folder; null where the system does not report it */
export function readUsableBytes(folder: string): number | null {
  const disk = readDiskSpace(folder);
  return disk && disk.freeBytes - Math.min(RESERVED_BYTES, disk.totalBytes * RESERVED_SHARE);
}
