import { closeSync, openSync } from 'node:fs';
import { connect } from '#server/db/connect.ts';
import { openReadOnly, type Sqlite } from '#server/db/open.ts';
import { BackupError, describeCorruptDatabase } from './backup-errors.ts';
import { findCorruption } from './queries.ts';

/**
 * A consistent copy of the database, in one short read: a longer one would let the write-ahead log grow and make its owner
 * stop to fold it back. Not synced: it is read once and removed, mostly before the system ever writes it out.
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

/** Runs something on a database file that nobody writes to. */
export function withSnapshot<T>(file: string, read: (sqlite: Sqlite) => T): T {
  const sqlite = connect(file, { readonly: true, fileMustExist: true });
  try {
    return read(sqlite);
  } finally {
    sqlite.close();
  }
}

/** @throws BackupError when the copy is damaged: then so is what it was copied from */
export function requireIntact(file: string): void {
  const corruption = withSnapshot(file, findCorruption);
  if (corruption !== null) throw new BackupError(describeCorruptDatabase(corruption));
}
