import { existsSync } from 'node:fs';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { connect } from './connect.ts';
import type { DatabaseHandle } from './open.ts';
import * as schema from './schema.ts';

/**
 * Opens a database to look at it, beside a running server or without one, and leaves the folder as it was.
 *
 * A connection that can only read would leave its own `-wal` and `-shm` beside a database that nobody has open; one that
 * might write tidies up after itself. What a crash left behind is only read: the next start recovers it.
 */
export function openForInspection(file: string): DatabaseHandle {
  const sqlite = connect(file, { readonly: existsSync(`${file}-wal`), fileMustExist: true });
  sqlite.pragma('query_only = ON');
  sqlite.pragma('busy_timeout = 10000');
  return { sqlite, orm: drizzle(sqlite, { schema }), file };
}
