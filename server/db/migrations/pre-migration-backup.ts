import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { renameAndSyncFolder, restrictToOwner, syncFileSync } from '#server/files/atomic.ts';
import type { Sqlite } from '../open.ts';

const UNFINISHED = /^sebelum-migrasi-[\w-]+\.sqlite\.part(-journal)?$/;

/**
 * Makes a consistent copy of the whole database; a partial copy never gets the final name. The caller must hold the lock of
 * the data folder, because partial copies of earlier runs are removed.
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
  return file;
}
