import type Database from 'better-sqlite3';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { connect } from './connect.ts';
import * as schema from './schema.ts';

export type Sqlite = Database.Database;
/** Drizzle over one connection; a transaction's handle has the same type. */
export type Orm = BetterSQLite3Database<typeof schema>;
/** The connection itself: also gives the statements that go around Drizzle. */
export type DatabaseConnection = Orm & { $client: Sqlite };
export type DatabaseHandle = { sqlite: Sqlite; orm: DatabaseConnection; file: string };

/**
 * Opens the one read-write connection.
 * @param file path of the database, or ':memory:' in tests
 */
export function openDatabase(file: string): DatabaseHandle {
  const sqlite = connect(file);
  // WAL: readers in the worker never wait for the writer, nor it for them.
  sqlite.pragma('journal_mode = WAL');
  // WAL alone means NORMAL, which can lose the last commits in a power cut; we promise that an answer is on disk.
  sqlite.pragma('synchronous = FULL');
  sqlite.pragma('foreign_keys = ON');
  // Somebody's backup tool may hold the file for a moment; after that the caller gets a 503.
  sqlite.pragma('busy_timeout = 2000');
  sqlite.pragma('cache_size = -65536');
  sqlite.pragma('temp_store = MEMORY');
  return { sqlite, orm: drizzle(sqlite, { schema }), file };
}

/** A second connection that can only read; for the worker that runs the heavy queries. */
export function openReadOnly(file: string): DatabaseHandle {
  const sqlite = connect(file, { readonly: true });
  sqlite.pragma('busy_timeout = 2000');
  sqlite.pragma('cache_size = -65536');
  sqlite.pragma('temp_store = MEMORY');
  return { sqlite, orm: drizzle(sqlite, { schema }), file };
}
