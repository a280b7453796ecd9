import { closeSync, fdatasyncSync, fsyncSync, openSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes names in a folder survive a power cut; Windows has no such call and needs none. */
export function syncFolder(folder: string): void {
  let handle: number | undefined;
  try {
    handle = openSync(folder, 'r');
    fsyncSync(handle);
  } catch {
    // A file system without it: the rename itself is all there is.
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** Gives a finished file its name. */
export function renameAndSync(from: string, to: string): void {
  renameSync(from, to);
  syncFolder(dirname(to));
}

/** Written aside, flushed and renamed: whoever reads it finds the old text or the new one. */
export function writeFileAtomically(file: string, text: string): void {
  const temporary = `${file}.new`;
  try {
    const handle = openSync(temporary, 'w', 0o600);
    try {
      writeFileSync(handle, text);
      fdatasyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameAndSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** What of the disk's room must be left when a backup is done: the server itself needs it. */
const RESERVED_BYTES = 512 * 1024 * 1024;
const RESERVED_SHARE = 0.05;

/** Bytes that may still be written to the disk of a folder; null where the system does not tell. */
export function readUsableBytes(folder: string): number | null {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return bavail * bsize - Math.min(RESERVED_BYTES, blocks * bsize * RESERVED_SHARE);
  } catch {
    return null;
  }
}

export const findErrorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
