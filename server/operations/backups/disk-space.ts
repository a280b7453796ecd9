import { readDiskSpace } from '#server/files/disk-space.ts';

/** Space that a backup leaves free on its disk, because the server itself needs it. */
const RESERVED_BYTES = 512 * 1024 * 1024;
const RESERVED_SHARE = 0.05;

/** @returns how many bytes may still be written to the disk of a folder; null where the system does not report it */
export function readUsableBytes(folder: string): number | null {
  const disk = readDiskSpace(folder);
  return disk && disk.freeBytes - Math.min(RESERVED_BYTES, disk.totalBytes * RESERVED_SHARE);
}
