import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { errorCode, syncFileSync, syncFolderSync } from '#server/files/atomic.ts';

/**
 * Nothing is deleted at a start: what no longer belongs to the data is moved into a dated folder, and comes back when a
 * database needs it again. The folder is removed after 30 days (`server/operations/installation/expired-copies.ts`).
 */

export const PUT_ASIDE_FOLDER = 'disisihkan';

/** @returns the path, with a number where the name is taken: nothing is overwritten */
export function findFreePath(path: string): string {
  for (let count = 0; ; count += 1) {
    const candidate = count === 0 ? path : `${path}.${count}`;
    if (!existsSync(candidate)) return candidate;
  }
}

/**
 * A folder inside may be on another disk, where a rename fails.
 * @returns false when another process that starts now has moved the file
 */
function moveFileSync(from: string, to: string): boolean {
  try {
    renameSync(from, to);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' && !existsSync(from)) return false;
    if (errorCode(error) !== 'EXDEV') throw error;
    copyFileSync(from, to);
    syncFileSync(to);
    rmSync(from, { force: true });
  }
  return true;
}

/**
 * Moves files into the folder of this day.
 * @returns that folder; null when there was nothing to move
 */
export function putAside(dataDir: string, files: readonly string[], nowMs: number): string | null {
  if (files.length === 0) return null;
  const folder = join(dataDir, PUT_ASIDE_FOLDER, new Date(nowMs).toISOString().slice(0, 10));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const file of files) moveFileSync(file, findFreePath(join(folder, basename(file))));
  syncFolderSync(folder);
  return folder;
}

/** The folders of files put aside, newest first. */
export function listPutAsideFolders(dataDir: string): string[] {
  const parent = join(dataDir, PUT_ASIDE_FOLDER);
  if (!existsSync(parent)) return [];
  return readdirSync(parent)
    .toSorted()
    .toReversed()
    .map((name) => join(parent, name));
}

/** Moves back the named files that were put aside. @returns the names that were found */
export function takeBack(dataDir: string, names: ReadonlySet<string>, folder: string): string[] {
  const found: string[] = [];
  if (names.size === 0) return found;
  for (const source of listPutAsideFolders(dataDir)) {
    for (const name of readdirSync(source)) {
      if (!names.has(name) || existsSync(join(folder, name))) continue;
      if (moveFileSync(join(source, name), join(folder, name))) found.push(name);
    }
  }
  if (found.length > 0) syncFolderSync(folder);
  return found;
}
