import { chmodSync, closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Sqlite } from './open.ts';

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
    chmodSync(partFile, 0o600);
    fsyncFile(partFile);
    renameSync(partFile, file);
  } catch (error) {
    // On a full disk what was written so far would take the very room that is missing.
    rmSync(partFile, { force: true });
    throw error;
  }
  return file;
}

/** What follows changes the database itself: the copy must not be in memory only. */
function fsyncFile(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
