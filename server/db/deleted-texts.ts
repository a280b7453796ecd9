import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseHandle, Sqlite } from './open.ts';

/**
 * Deleted texts must not stay readable in the files of the database. `secure_delete` overwrites them in the database
 * itself; what is left is the write-ahead log, and the free pages of a database of version 1.0.0.
 */

/** A reader, such as a backup, keeps the log for as long as its read. After this time the answer does not wait longer. */
const WAIT_MAX_MS = 5000;
const RETRY_EVERY_MS = 50;

/** Empties the write-ahead log. @returns false while a reader still needs it */
function emptyLog(sqlite: Sqlite): boolean {
  if (sqlite.inTransaction) return false;
  const timeoutMs = sqlite.pragma('busy_timeout', { simple: true });
  // SQLite would wait with the event loop held.
  sqlite.pragma('busy_timeout = 0');
  try {
    const [result] = sqlite.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
    return result?.busy === 0;
  } finally {
    sqlite.pragma(`busy_timeout = ${String(timeoutMs)}`);
  }
}

/**
 * @returns a function that resolves when the texts that were deleted before the call are gone from the disk, or after
 * five seconds while a reader needs them; callers at the same time share one attempt
 */
export function createLogEraser({ sqlite }: Pick<DatabaseHandle, 'sqlite'>): () => Promise<void> {
  let waiting: Promise<void> | null = null;

  async function erase(): Promise<void> {
    const deadline = performance.now() + WAIT_MAX_MS;
    while (sqlite.open && !emptyLog(sqlite) && performance.now() < deadline) await sleep(RETRY_EVERY_MS);
  }

  return async () => {
    // The changes of this caller may have been committed after the running attempt emptied the log.
    await waiting;
    waiting ??= erase().finally(() => {
      waiting = null;
    });
    await waiting;
  };
}

/** The value of SQLite's `user_version` in a database whose free pages hold no texts. It travels with every backup. */
const CLEAN_VERSION = 1;
/** Rewriting a gigabyte takes about half a minute on an old PC, in which the server answers no request. */
const REWRITE_MAX_BYTES = 1024 ** 3;
/** The rewritten database exists three times for a moment: as it was, in a temporary file, and in the log. */
const SPACE_FACTOR = 2;
const RESERVED_BYTES = 256 * 1024 ** 2;

export type FreePages =
  /** Written by a version that overwrites what it deletes. */
  | 'clean'
  /** Of version 1.0.0; the next start rewrites the database once. */
  | 'rewritten at the next start'
  /** Of version 1.0.0, and too large to rewrite it at a start, or the disk has no room for it. */
  | 'kept';

/** For a database from which nothing was deleted yet. */
export function markClean(sqlite: Sqlite): void {
  sqlite.pragma(`user_version = ${CLEAN_VERSION}`);
}

/** Whether deleted texts of an earlier version may be in free pages of the database. Only reads. */
export function inspectFreePages(sqlite: Sqlite, maxBytes = REWRITE_MAX_BYTES): FreePages {
  if (Number(sqlite.pragma('user_version', { simple: true })) >= CLEAN_VERSION) return 'clean';
  const size = statSync(sqlite.name, { throwIfNoEntry: false })?.size ?? 0;
  return size <= maxBytes && hasRoom(sqlite.name, size) ? 'rewritten at the next start' : 'kept';
}

function hasRoom(file: string, size: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    return bavail * bsize >= size * SPACE_FACTOR + RESERVED_BYTES;
  } catch {
    return true;
  }
}

/**
 * Rewrites a database of version 1.0.0 once, without the texts that were deleted from it. A crash leaves it as it was.
 * @returns null when nothing had to be done; otherwise whether it was done
 */
export function rewriteOnce({ sqlite }: Pick<DatabaseHandle, 'sqlite'>, maxBytes?: number): boolean | null {
  const pages = inspectFreePages(sqlite, maxBytes);
  if (pages === 'clean') return null;
  if (pages === 'kept') return false;
  try {
    // In memory, the temporary copy would need as much memory as the database has bytes.
    sqlite.pragma('temp_store = FILE');
    sqlite.exec('vacuum');
    markClean(sqlite);
    return emptyLog(sqlite);
  } catch {
    // No room for the temporary copy, or another program reads the database: the next start tries again.
    return false;
  } finally {
    sqlite.pragma('temp_store = MEMORY');
  }
}
