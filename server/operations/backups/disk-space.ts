import { statfsSync } from 'node:fs';

/** Space that a backup leaves free on its disk, because the server itself needs it. */
const RESERVED_BYTES = 512 * 1024 * 1024;
const RESERVED_SHARE = 0.05;

/** @returns how many bytes may still be written to the disk of a folder; null where the system does not report it */
export function readUsableBytes(folder: string): number | null {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return bavail * bsize - Math.min(RESERVED_BYTES, blocks * bsize * RESERVED_SHARE);
  } catch {
    return null;
  }
}
