import { existsSync } from 'node:fs';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { connect } from './connect.ts';
import type { DatabaseHandle } from './open.ts';
import * as schema from './schema.ts';

/**
 * Opens a database for inspection, with or without a running server, and leaves the folder unchanged.
 *
 * A read-only connection to a database that is not open elsewhere would leave its own `-wal` and `-shm` files. A connection
 * that may write removes them. A write-ahead log left by a crash is only read, and the next start recovers it.
 */
export function openForInspection(file: string): DatabaseHandle {
  const sqlite = connect(file, { readonly: existsSync(`${file}-wal`), fileMustExist: true });
  sqlite.pragma('query_only = ON');
  sqlite.pragma('busy_timeout = 10000');
  return { sqlite, orm: drizzle(sqlite, { schema }), file };
}
