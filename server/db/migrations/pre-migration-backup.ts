import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { renameAndSyncFolder, restrictToOwner, syncFileSync } from '#server/files/atomic.ts';
import type { Sqlite } from '../open.ts';

const UNFINISHED = /^sebelum-migrasi-[\w-]+\.sqlite\.part(-journal)?$/;

/**
 * A consistent copy of the whole database, written aside, synced and renamed, so that a half-written one never bears the
 * name. Only for whoever holds the data folder: half-written ones are swept.
 * @returns the copy's path
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
    // On a full disk what was written so far would take the very room that is missing.
    rmSync(partFile, { force: true });
    throw error;
  }
  return file;
}
