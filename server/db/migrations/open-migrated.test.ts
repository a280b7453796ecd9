import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { testResources } from '#server/testing/open-test-database.ts';
import type { Resources } from '#server/files/resources.ts';
import { DataFolderError, dataPathsIn, type DataPaths } from '../data-folder/data-folder.ts';
import { openMigratedDatabase } from './open-migrated.ts';

const JOURNAL = 'migrations/meta/_journal.json';

function buildDataPaths(): DataPaths {
  const dataDir = mkdtempSync(join(tmpdir(), 'pbb-start-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const places = dataPathsIn(dataDir);
  mkdirSync(places.backupsDir);
  return places;
}

/** The migrations of the program and one more. */
function resourcesWithMigration(statement: string): Resources {
  const { entries } = JSON.parse(testResources.read(JOURNAL).toString()) as { entries: { when: number }[] };
  const journal = JSON.stringify({ entries: [...entries, { tag: '9999_new', when: (entries.at(-1)?.when ?? 0) + 1 }] });
  const files = new Map([
    [JOURNAL, journal],
    ['migrations/9999_new.sql', statement],
  ]);
  return { ...testResources, read: (key) => Buffer.from(files.get(key) ?? testResources.read(key)) };
}

function errorLineOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof DataFolderError) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}

it('creates a new database, and makes a backup of an existing one before a change', () => {
  const paths = buildDataPaths();
  openMigratedDatabase(paths, testResources).sqlite.close();
  expect(readdirSync(paths.backupsDir)).toEqual([]);
  openMigratedDatabase(paths, resourcesWithMigration('create table more (id integer)')).sqlite.close();
  expect(readdirSync(paths.backupsDir)).toEqual([expect.stringMatching(/^sebelum-migrasi-.*\.sqlite$/)]);
});

it('reports a failing migration in one line each time and leaves no backups', () => {
  const paths = buildDataPaths();
  openMigratedDatabase(paths, testResources).sqlite.close();
  const broken = resourcesWithMigration('create table more (id integer); insert into nowhere values (1)');
  for (let start = 0; start < 3; start += 1) {
    expect(errorLineOf(() => openMigratedDatabase(paths, broken))).toBe(
      'Database tidak dapat diperbarui ke versi ini; data lama tidak diubah. Pakai kembali program versi lama, dan kirimkan pesan ini: 9999_new: no such table: nowhere',
    );
  }
  expect(readdirSync(paths.backupsDir)).toEqual([]);
  // The old program can still use the database.
  const { sqlite } = openMigratedDatabase(paths, testResources);
  expect(sqlite.prepare("select count(*) from sqlite_schema where name = 'more'").pluck().get()).toBe(0);
  sqlite.close();
});

it('reports a full disk when a migration needs more space', () => {
  const paths = buildDataPaths();
  openMigratedDatabase(paths, testResources).sqlite.close();
  // SQLite reports a full disk when the database must not grow.
  const full = resourcesWithMigration(
    'pragma max_page_count = 1; create table more (data blob); insert into more values (zeroblob(10000000))',
  );
  expect(errorLineOf(() => openMigratedDatabase(paths, full))).toMatch(
    /^DATA_DIR: disk dari ".*" penuh; yang diterima: kosongkan ruang disk itu, lalu ulangi$/,
  );
  expect(readdirSync(paths.backupsDir)).toEqual([]);
});
