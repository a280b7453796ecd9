import { closeSync, fstatSync, openSync, readdirSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { renameAndSyncFolder, restrictToOwner, syncFileSync } from '#server/files/atomic.ts';
import type { Sqlite } from '../sqlite/connect.ts';

/** The name of a complete copy. */
export const MIGRATION_COPY = /^sebelum-migrasi-[\w-]+\.sqlite$/;
const UNFINISHED = /^sebelum-migrasi-[\w-]+\.sqlite\.part(-journal)?$/;
const PIECE_BYTES = 1024 * 1024;

/**
 * Makes a consistent copy of the whole database; a partial copy never gets the final name. Earlier copies of the same
 * content are removed, so that a service whose starts are killed again and again does not fill the disk. The caller must
 * hold the lock of the data folder, because partial copies of earlier runs are removed too.
 * @returns the path of the copy
 */
export function createPreMigrationBackup(sqlite: Sqlite, backupsDir: string, at: Date = new Date()): string {
  const stamp = at.toISOString().replaceAll(/[:.]/g, '-');
  const file = join(backupsDir, `sebelum-migrasi-${stamp}.sqlite`);
  const partFile = `${file}.part`;
  for (const name of readdirSync(backupsDir)) if (UNFINISHED.test(name)) rmSync(join(backupsDir, name));
  try {
    sqlite.prepare('vacuum into ?').run(partFile);
    restrictToOwner(partFile);
    // The migration changes the database itself: this copy must not be in memory only.
    syncFileSync(partFile);
    renameAndSyncFolder(partFile, file);
  } catch (error) {
    // On a full disk the partial copy would use the space that is missing.
    rmSync(partFile, { force: true });
    throw error;
  }
  removeSameCopies(file, backupsDir);
  return file;
}

/** The copy itself has its name on the disk already. */
function removeSameCopies(copy: string, backupsDir: string): void {
  for (const name of readdirSync(backupsDir)) {
    const earlier = join(backupsDir, name);
    if (!MIGRATION_COPY.test(name) || earlier === copy) continue;
    try {
      if (haveSameBytes(earlier, copy)) rmSync(earlier);
    } catch {
      // An earlier copy that cannot be read or removed only takes space.
    }
  }
}

/**
 * `VACUUM INTO` writes equal databases as equal bytes. Size and time of a file are not enough: a change may be only in the
 * write-ahead log, and a damaged copy must not pass for a good one.
 */
function haveSameBytes(fileA: string, fileB: string): boolean {
  const a = openSync(fileA, 'r');
  const b = openSync(fileB, 'r');
  try {
    const { size } = fstatSync(a);
    if (size !== fstatSync(b).size) return false;
    const [pieceA, pieceB] = [Buffer.alloc(PIECE_BYTES), Buffer.alloc(PIECE_BYTES)];
    for (let position = 0; position < size; position += PIECE_BYTES) {
      const length = Math.min(PIECE_BYTES, size - position);
      if (readSync(a, pieceA, 0, length, position) !== length) return false;
      if (readSync(b, pieceB, 0, length, position) !== length) return false;
      if (pieceA.compare(pieceB, 0, length, 0, length) !== 0) return false;
    }
    return true;
  } finally {
    for (const handle of [a, b]) closeSync(handle);
  }
}
