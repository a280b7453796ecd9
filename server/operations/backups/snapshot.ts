import { closeSync, openSync } from 'node:fs';
import { connect } from '#server/db/connect.ts';
import { openReadOnly, type Sqlite } from '#server/db/open.ts';
import { BackupError, describeCorruptDatabase } from './backup-errors.ts';
import { findCorruption } from './queries.ts';

/**
 * Makes a consistent copy of the database in one short read. During a longer read the write-ahead log would grow, and the
 * server would block for the checkpoint. The copy is not synced: it is read once and removed.
 * @param into a file that does not exist
 */
export function takeSnapshot(databaseFile: string, into: string): void {
  closeSync(openSync(into, 'wx', 0o600));
  const { sqlite } = openReadOnly(databaseFile);
  try {
    sqlite.pragma('synchronous = OFF');
    sqlite.prepare('vacuum into ?').run(into);
  } finally {
    sqlite.close();
  }
}

/** Runs a function on a database file that no process writes to. */
export function withSnapshot<T>(file: string, read: (sqlite: Sqlite) => T): T {
  const sqlite = connect(file, { readonly: true, fileMustExist: true });
  try {
    return read(sqlite);
  } finally {
    sqlite.close();
  }
}

/** @throws BackupError when the copy is damaged, as the original is damaged then */
export function requireIntact(file: string): void {
  const corruption = withSnapshot(file, findCorruption);
  if (corruption !== null) throw new BackupError(describeCorruptDatabase(corruption));
}
