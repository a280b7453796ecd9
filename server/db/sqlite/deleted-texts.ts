import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { emptyLog } from './checkpoints.ts';
import type { DatabaseHandle } from './open.ts';
import type { Sqlite } from './connect.ts';

/**
 * Deleted texts must not stay readable in the files of the database. `secure_delete` overwrites them in the database
 * itself; what is left is the write-ahead log (checkpoints.ts), and the free pages of a database of version 1.0.0.
 */

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
