import { closeSync, openSync } from 'node:fs';
import { connect } from '#server/db/connect.ts';
import { openReadOnly, type Sqlite } from '#server/db/open.ts';
import { BackupError, damagedDatabase } from './faults.ts';
import { findDamage } from './queries.ts';

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
export function withSnapshot<T>(file: string, ask: (sqlite: Sqlite) => T): T {
  const sqlite = connect(file, { readonly: true, fileMustExist: true });
  try {
    return ask(sqlite);
  } finally {
    sqlite.close();
  }
}

/** @throws BackupError when the copy is damaged: then so is what it was copied from */
export function requireSound(file: string): void {
  const damage = withSnapshot(file, findDamage);
  if (damage !== null) throw new BackupError(damagedDatabase(damage));
}
