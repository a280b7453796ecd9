import { spawnSync } from 'node:child_process';
import { closeSync, copyFileSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { connect, type Sqlite } from '#server/db/sqlite/connect.ts';
import { inspectFreePages } from '#server/db/sqlite/deleted-texts.ts';
import { openReadOnly } from '#server/db/sqlite/open.ts';
import { readDiskSpace } from '#server/files/disk-space.ts';
import { BackupError, describeCorruptDatabase } from '../backup-errors.ts';
import { findCorruption } from './queries.ts';

/** A copy of the database that nobody writes to. It is not synced: it is read and removed. */

const LOG_HEADER_BYTES = 32;
/** A copy that failed with less free space has failed for that reason. */
const FULL_BELOW_BYTES = 16 * 1024 * 1024;

/**
 * Copies the database in one short read. During a longer read the write-ahead log would grow, and the server would block for
 * the checkpoint. Every page keeps its place, so that the next archive finds the pages that have changed.
 * @param into a file that does not exist
 */
export function takeSnapshot(databaseFile: string, into: string): void {
  closeSync(openSync(into, 'wx', 0o600));
  const { sqlite } = openReadOnly(databaseFile);
  try {
    if (inspectFreePages(sqlite) === 'clean') copyFiles(sqlite, into);
    // The free pages of a database of version 1.0.0 hold deleted texts, which must not get into an archive.
    else sqlite.prepare('vacuum into ?').run(into);
  } finally {
    sqlite.close();
  }
  const copy = connect(into, { fileMustExist: true });
  try {
    copy.pragma('synchronous = OFF');
    // An archive has its changes as a write-ahead log, so its database must be of this mode.
    copy.pragma('journal_mode = WAL');
    copy.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    copy.close();
  }
}

/**
 * While a read is open, a checkpoint writes only pages into the database file that this read finds in the log, and the log
 * begins anew only when the database file has everything. So the file and the log, copied in this order, are one state.
 */
function copyFiles(sqlite: Sqlite, into: string): void {
  sqlite.exec('begin');
  sqlite.prepare('select 1 from sqlite_schema limit 1').get();
  copyDatabaseFile(sqlite.name, into);
  const log = `${sqlite.name}-wal`;
  if (statSync(log, { throwIfNoEntry: false })?.size) {
    // A log that began anew while it was copied would be a mixture.
    do copyFileSync(log, `${into}-wal`);
    while (!readLogHeader(`${into}-wal`).equals(readLogHeader(log)));
  }
  sqlite.exec('commit');
}

/**
 * On POSIX systems another process must copy it: when any descriptor of a file is closed, the system drops all locks that
 * this process has on that file, those of SQLite included. The write-ahead log is never locked.
 */
function copyDatabaseFile(from: string, into: string): void {
  if (process.platform === 'win32') return copyFileSync(from, into);
  const { status, error, stderr } = spawnSync('cp', [from, into], { stdio: ['ignore', 'ignore', 'pipe'] });
  if (status === 0) return;
  const isFull = (readDiskSpace(dirname(into))?.freeBytes ?? FULL_BELOW_BYTES) < FULL_BELOW_BYTES;
  const reason = error ? String(error) : stderr.toString().trim();
  throw Object.assign(new Error(`the database was not copied: ${reason}`), { code: isFull ? 'ENOSPC' : 'EIO' });
}

function readLogHeader(log: string): Buffer {
  const file = openSync(log, 'r');
  try {
    const header = Buffer.alloc(LOG_HEADER_BYTES);
    readSync(file, header, 0, LOG_HEADER_BYTES, 0);
    return header;
  } finally {
    closeSync(file);
  }
}

/** Runs a function on a snapshot. It leaves no log beside it. */
export function withSnapshot<T>(file: string, read: (sqlite: Sqlite) => T): T {
  const sqlite = connect(file, { fileMustExist: true });
  try {
    sqlite.pragma('query_only = ON');
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

export function removeSnapshot(file: string): void {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${ending}`, { force: true });
}
