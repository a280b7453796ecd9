import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Resources } from '#server/files/resources.ts';
import { withTimeout } from '#server/testing/with-timeout.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from '../sqlite/open.ts';
import { createPreMigrationBackup, MIGRATION_COPY } from './pre-migration-backup.ts';

const MINUTE = 60_000;
const STATEMENT_BREAKPOINT = '--> statement-breakpoint';
const firstMigration = 'create table villages (id integer primary key, name text not null)';
/** The second statement calls a function that a test may define so that it ends the process. */
const secondMigration = `alter table villages add column head text;\n${STATEMENT_BREAKPOINT}\nselect stop_here();\n${STATEMENT_BREAKPOINT}\ncreate table streets (id integer primary key)`;
const urlOf = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);

function buildMigrationFiles(steps: string[]): Record<string, string> {
  const entries = steps.map((_, index) => ({ tag: `000${index}_step`, when: (index + 1) * 1000 }));
  return {
    'migrations/meta/_journal.json': JSON.stringify({ entries }),
    ...Object.fromEntries(steps.map((text, index) => [`migrations/000${index}_step.sql`, text])),
  };
}
function buildResources(files: Record<string, string>): Resources {
  return { keys: () => Object.keys(files), read: (key) => Buffer.from(files[key] ?? '') };
}

/** A database of the first version, with rows. */
function buildDatabaseFile() {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-crash-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'pbb.sqlite');
  const { sqlite } = openDatabase(file);
  migrate(sqlite, buildResources(buildMigrationFiles([firstMigration])), () => {});
  sqlite.exec("insert into villages (name) values ('Sukamaju'), ('Mekarsari')");
  sqlite.close();
  return { folder, file };
}

/**
 * Migrates in another process, which is killed at the given point.
 * @param change SQL that runs first; the kill leaves it in the write-ahead log
 */
async function migrateAndKill(
  folder: string,
  killPoint: 'in the migration' | 'after the copy',
  change = '',
): Promise<void> {
  const script = `
    const { openDatabase } = await import(${urlOf('../sqlite/open.ts')});
    const { migrate } = await import(${urlOf('migrate.ts')});
    const { createPreMigrationBackup } = await import(${urlOf('pre-migration-backup.ts')});
    const files = ${JSON.stringify(buildMigrationFiles([firstMigration, secondMigration]))};
    const { sqlite } = openDatabase(${JSON.stringify(join(folder, 'pbb.sqlite'))});
    sqlite.exec(${JSON.stringify(change)});
    const killProcess = () => process.kill(process.pid, 'SIGKILL');
    sqlite.function('stop_here', killProcess);
    migrate(sqlite, { keys: () => Object.keys(files), read: (key) => Buffer.from(files[key] ?? '') }, () => {
      createPreMigrationBackup(sqlite, ${JSON.stringify(folder)});
      ${killPoint === 'after the copy' ? 'killProcess();' : ''}
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [, signal] = (await withTimeout('the process to end', once(child, 'exit'), MINUTE)) as [number, string];
  expect(signal).toBe('SIGKILL');
}

const listCopies = (folder: string): string[] => readdirSync(folder).filter((name) => MIGRATION_COPY.test(name));

it.each(['in the migration', 'after the copy'] as const)(
  'leaves the old database unchanged when the process is killed %s, and the next start migrates it',
  async (killPoint) => {
    const { folder, file } = buildDatabaseFile();
    await migrateAndKill(folder, killPoint);

    const { sqlite } = openDatabase(file);
    onTestFinished(() => void sqlite.close());
    const names = () => sqlite.prepare('select name from villages order by id').pluck().all();
    const columns = () => sqlite.prepare("select name from pragma_table_info('villages')").pluck().all();
    expect(names()).toEqual(['Sukamaju', 'Mekarsari']);
    expect(columns()).toEqual(['id', 'name']);
    expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
    // A copy gets its name only when it is complete.
    expect(listCopies(folder)).toHaveLength(1);

    sqlite.function('stop_here', () => 1);
    expect(
      migrate(sqlite, buildResources(buildMigrationFiles([firstMigration, secondMigration])), () =>
        createPreMigrationBackup(sqlite, folder),
      ),
    ).toBe(1);
    expect(columns()).toEqual(['id', 'name', 'head']);
    expect(names()).toEqual(['Sukamaju', 'Mekarsari']);
  },
);

it(
  'leaves one copy when starts are killed again and again, and another one after the database has changed',
  { timeout: 6 * MINUTE },
  async () => {
    const { folder, file } = buildDatabaseFile();
    for (const killPoint of ['in the migration', 'after the copy', 'in the migration'] as const) {
      await migrateAndKill(folder, killPoint);
      expect(listCopies(folder)).toHaveLength(1);
    }
    const before = statSync(file, { bigint: true });
    // The change is only in the write-ahead log. The database file has not changed.
    await migrateAndKill(folder, 'in the migration', "insert into villages (name) values ('Sidorejo')");
    const after = statSync(file, { bigint: true });
    expect([after.size, after.mtimeNs]).toEqual([before.size, before.mtimeNs]);
    await migrateAndKill(folder, 'in the migration');
    const villages = listCopies(folder)
      .toSorted()
      .map((name) => {
        const { sqlite } = openDatabase(join(folder, name));
        onTestFinished(() => void sqlite.close());
        return sqlite.prepare('select name from villages order by id').pluck().all();
      });
    expect(villages).toEqual([
      ['Sukamaju', 'Mekarsari'],
      ['Sukamaju', 'Mekarsari', 'Sidorejo'],
    ]);
  },
);
