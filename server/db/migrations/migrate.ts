import type { Resources } from '#server/files/resources.ts';
import type { Sqlite } from '../sqlite/connect.ts';
import {
  compareVersions,
  MigrationError,
  readJournal,
  readMigration,
  type SchemaComparison,
  selectPending,
} from './journal.ts';

/**
 * Brings the database to the version of this program. All pending migrations run in one transaction.
 * Uses the table and hashes of drizzle's own migrator, but reads the files from the resources of the program.
 * @param createBackup called before the first change of a database that is not new
 * @throws NewerDatabaseError when the database has a migration that this program does not know
 * @throws MigrationError when a migration fails; the database is unchanged
 * @returns how many migrations were applied
 */
export function migrate(sqlite: Sqlite, resources: Resources, createBackup: () => void): number {
  const lastAppliedAt = findLastAppliedAt(sqlite);
  const bundled = readJournal(resources).map((entry) => readMigration(resources, entry, `migrations/${entry.tag}.sql`));
  const pending = selectPending(bundled, lastAppliedAt);
  if (pending.length === 0) return 0;
  if (lastAppliedAt > 0) createBackup();

  // Rebuilding a table that others refer to needs this off, and it cannot be changed inside a transaction.
  sqlite.pragma('foreign_keys = OFF');
  let step = '';
  try {
    sqlite
      .transaction(() => {
        sqlite.exec(
          'create table if not exists __drizzle_migrations (id integer primary key autoincrement, hash text not null, created_at numeric)',
        );
        const insertApplied = sqlite.prepare('insert into __drizzle_migrations (hash, created_at) values (?, ?)');
        for (const { tag, statements, hash, when } of pending) {
          step = tag;
          for (const statement of statements) sqlite.exec(statement);
          insertApplied.run(hash, when);
        }
        const danglingReferences = sqlite.pragma('foreign_key_check') as unknown[];
        if (danglingReferences.length > 0)
          throw new Error(`migration leaves ${danglingReferences.length} dangling references`);
      })
      .immediate();
  } catch (error) {
    throw new MigrationError(`${step}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  } finally {
    sqlite.pragma('foreign_keys = ON');
  }
  return pending.length;
}

/** Only reads. The server migrates the database at its start. */
export const compareSchemaVersion = (sqlite: Sqlite, resources: Resources): SchemaComparison =>
  compareVersions(resources, findLastAppliedAt(sqlite));

/** @returns the time of the newest applied migration; 0 without one */
function findLastAppliedAt(sqlite: Sqlite): number {
  const known = sqlite.prepare("select 1 from sqlite_master where name = '__drizzle_migrations'").get();
  if (!known) return 0;
  const row = sqlite.prepare('select max(created_at) as at from __drizzle_migrations').get() as { at: number | null };
  return row.at ?? 0;
}
