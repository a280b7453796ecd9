import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Files that survive a crash: written under a temporary name, synced, renamed. A reader finds the old content or the new
 * content, never a part of it. The functions ending in Sync are for start-up, commands and worker threads.
 */

const OWNER_ONLY = 0o600;

type AtomicWriteOptions = {
  /** `<file>.new` when left out. It must be in the same folder. */
  temporaryFile?: string;
  /** Rights of the file; only its owner may read and write it when left out. */
  mode?: number;
};

/**
 * Replaces a file or creates it.
 * @throws what the disk reports; an existing file is unchanged then, and no temporary file remains
 */
export async function writeFileAtomic(
  file: string,
  content: string | Uint8Array,
  { temporaryFile = `${file}.new`, mode = OWNER_ONLY }: AtomicWriteOptions = {},
): Promise<void> {
  try {
    // A temporary file that a crash left may have other rights.
    await rm(temporaryFile, { force: true });
    const handle = await open(temporaryFile, 'wx', mode);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporaryFile, file);
  } catch (error) {
    await rm(temporaryFile, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(file));
}

/** Like `writeFileAtomic`, synchronously. */
export function writeFileAtomicSync(
  file: string,
  content: string | Uint8Array,
  { temporaryFile = `${file}.new`, mode = OWNER_ONLY }: AtomicWriteOptions = {},
): void {
  try {
    if (existsSync(temporaryFile)) rmSync(temporaryFile);
    const handle = openSync(temporaryFile, 'wx', mode);
    try {
      writeFileSync(handle, content);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporaryFile, file);
  } catch (error) {
    try {
      rmSync(temporaryFile, { force: true });
    } catch {
      // The first error says what is wrong.
    }
    throw error;
  }
  syncFolderSync(dirname(file));
}

/** Syncs a file that something else wrote, such as SQLite. */
export function syncFileSync(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Renames a file or folder so that its new name survives a power cut. The content must be synced already. */
export function renameAndSyncFolder(from: string, to: string): void {
  renameSync(from, to);
  syncFolderSync(dirname(to));
}

/**
 * Makes new, changed and removed names in a folder survive a power cut. Errors are ignored: Windows has no such call and
 * needs none, and on a file system without it nothing more can be done.
 */
export function syncFolderSync(folder: string): void {
  let handle: number | undefined;
  try {
    handle = openSync(folder, 'r');
    fsyncSync(handle);
  } catch {
    // See above.
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  try {
    await handle?.sync();
  } catch {
    // As in syncFolderSync.
  } finally {
    await handle?.close().catch(() => undefined);
  }
}

/** Errors of chmod for another user's file, a missing file, and a file system that is read-only or has no rights. */
const CHMOD_IGNORED_ERRORS = new Set(['EPERM', 'ENOENT', 'ENOSYS', 'EROFS']);

/** Makes a file readable for its owner only, where that is possible. A file that was copied may be readable for all. */
export function restrictToOwner(file: string, mode = OWNER_ONLY): void {
  try {
    chmodSync(file, mode);
  } catch (error) {
    // Whether the file can be used is seen when it is used.
    if (!CHMOD_IGNORED_ERRORS.has(errorCode(error) ?? '')) throw error;
  }
}

const ownCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/**
 * The code of an error of Node or SQLite, such as `ENOSPC`, or of what caused it, because Drizzle wraps errors of the database;
 * undefined without one.
 */
export const errorCode = (error: unknown): string | undefined =>
  ownCode(error) ?? (error instanceof Error ? ownCode(error.cause) : undefined);

/** The code of an error, or the whole error as text: for a line on the screen that must say something. */
export const errorCodeOrText = (error: unknown): string => errorCode(error) ?? String(error);
