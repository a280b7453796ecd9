import { statfsSync } from 'node:fs';

/** Space that a backup leaves free on its disk, because the server itself needs it. */
const RESERVED_BYTES = 512 * 1024 * 1024;
const RESERVED_SHARE = 0.05;

export type DiskSpace = { freeBytes: number; totalBytes: number };

/** @returns the space of the disk that holds a folder; null where the system does not report it */
export function readDiskSpace(folder: string): DiskSpace | null {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return null;
  }
}

/** @returns the bytes that a backup may still write to the disk of a folder; null where the system does not report it */
export function readUsableBytes(folder: string): number | null {
  const disk = readDiskSpace(folder);
  return disk && disk.freeBytes - Math.min(RESERVED_BYTES, disk.totalBytes * RESERVED_SHARE);
}
