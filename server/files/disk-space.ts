import { statfsSync } from 'node:fs';

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
