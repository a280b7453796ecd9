import { existsSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { migrate } from '#server/db/migrations/migrate.ts';
import { openDatabase, type DatabaseHandle } from '#server/db/open.ts';
import { diskResources } from '#server/files/resources.ts';

/** The migrations and an empty client: tests of the API need no built one. */
export const testResources = diskResources({ migrations: 'drizzle', client: 'server/testing/client' });

/** An empty database after all migrations, made once for a test file: they take longer than many a test. */
let migratedDatabase: Buffer | null = null;

function migrateEmptyDatabase(): Buffer {
  const { sqlite } = openDatabase(':memory:');
  migrate(sqlite, testResources, () => {});
  const bytes = sqlite.serialize();
  sqlite.close();
  return bytes;
}

/** A migrated database: a fresh one in memory, or that of a file, which is created when there is none. */
export function openTestDatabase(file = ':memory:'): DatabaseHandle {
  migratedDatabase ??= migrateEmptyDatabase();
  if (file === ':memory:') return openDatabase(file, new Database(migratedDatabase));
  if (!existsSync(file)) writeFileSync(file, migratedDatabase);
  return openDatabase(file);
}
