import { chmodSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Sqlite } from './open.ts';

/**
 * A consistent copy of the whole database, written aside and renamed, so that a half-written one never bears the name.
 * @returns the copy's path
 */
export function putDatabaseAside(sqlite: Sqlite, backupsDir: string, at: Date = new Date()): string {
  const stamp = at.toISOString().replaceAll(/[:.]/g, '-');
  const file = join(backupsDir, `sebelum-migrasi-${stamp}.sqlite`);
  const unfinished = `${file}.part`;
  rmSync(unfinished, { force: true });
  try {
    sqlite.prepare('vacuum into ?').run(unfinished);
    chmodSync(unfinished, 0o600);
    renameSync(unfinished, file);
  } catch (error) {
    // On a full disk what was written so far would take the very room that is missing.
    rmSync(unfinished, { force: true });
    throw error;
  }
  return file;
}
