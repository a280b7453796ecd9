import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { inject } from 'vitest';
import { openDatabase, type DatabaseHandle } from '#server/db/sqlite/open.ts';
import * as schema from '#server/db/schema.ts';
import { diskResources } from '#server/files/resources.ts';
import { openPostgresForTest } from './postgres/open-postgres.ts';
import { testServer } from './postgres/test-server.ts';

/** The migrations and an empty client: tests of the API need no built one. */
export const testResources = diskResources({ migrations: 'drizzle', client: 'server/testing/client' });

/** A database whose rows a test reads and changes at once, beside the app. */
export type TestDatabase = DatabaseHandle & { direct: BetterSQLite3Database<typeof schema> };

export function withDirectAccess(database: DatabaseHandle): TestDatabase {
  return { ...database, direct: drizzle(database.sqlite, { schema }) };
}

/** A fresh migrated database of SQLite in memory, also where the other tests run on PostgreSQL. */
export function openSqliteForTest(): TestDatabase {
  return withDirectAccess(openDatabase(':memory:', new Database(readFileSync(inject('migratedDatabase')))));
}

/** A migrated database: a fresh one in memory, or that of a file, which is created when there is none. */
export function openTestDatabase(file = ':memory:'): TestDatabase {
  if (file === ':memory:' && testServer !== '') return withDirectAccess(openPostgresForTest());
  if (file === ':memory:') return openSqliteForTest();
  if (!existsSync(file)) copyFileSync(inject('migratedDatabase'), file);
  return withDirectAccess(openDatabase(file));
}
