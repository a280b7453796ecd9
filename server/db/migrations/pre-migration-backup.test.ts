import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../open.ts';
import { createPreMigrationBackup } from './pre-migration-backup.ts';

const AT = new Date('2026-06-10T05:00:00.123Z');
const NAME = 'sebelum-migrasi-2026-06-10T05-00-00-123Z.sqlite';

function buildDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-aside-'));
  const database = openDatabase(':memory:');
  database.sqlite.exec("create table things (name text); insert into things values ('satu'), ('dua')");
  onTestFinished(() => {
    database.sqlite.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, database };
}

it('copies the whole database into a file that only its owner can read', () => {
  const { folder, database } = buildDatabase();
  const file = createPreMigrationBackup(database.sqlite, folder, AT);
  expect(file).toBe(join(folder, NAME));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const copy = openDatabase(file);
  expect(copy.sqlite.prepare('select name from things').pluck().all()).toEqual(['satu', 'dua']);
  copy.sqlite.close();
});

it('removes partial copies of earlier runs', () => {
  const { folder, database } = buildDatabase();
  for (const name of [`${NAME}.part`, 'sebelum-migrasi-2026-06-09T05-00-00-123Z.sqlite.part']) {
    writeFileSync(join(folder, name), 'half');
  }
  createPreMigrationBackup(database.sqlite, folder, AT);
  expect(readdirSync(folder)).toEqual([NAME]);
});

it('leaves no file when the copy fails', () => {
  const { folder, database } = buildDatabase();
  database.sqlite.exec("begin; insert into things values ('tiga')");
  // Inside a transaction SQLite refuses to copy.
  expect(() => createPreMigrationBackup(database.sqlite, folder, AT)).toThrow(/VACUUM/);
  expect(readdirSync(folder)).toEqual([]);
  expect(() => createPreMigrationBackup(database.sqlite, join(folder, 'missing'), AT)).toThrow();
});
