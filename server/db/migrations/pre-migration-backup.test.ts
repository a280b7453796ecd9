import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../sqlite/open.ts';
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
  expect(copy.sqlite.prepare('select name from things order by rowid').pluck().all()).toEqual(['satu', 'dua']);
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

it('keeps one copy of the same content, and every copy of other content, also of the same size', () => {
  const { folder, database } = buildDatabase();
  const { sqlite } = database;
  const copyAt = (second: number): string =>
    basename(createPreMigrationBackup(sqlite, folder, new Date(AT.getTime() + second * 1000)));
  copyAt(0);
  const second = copyAt(1);
  expect(readdirSync(folder)).toEqual([second]);
  const before = statSync(join(folder, second)).size;
  sqlite.exec("update things set name = 'abu' where name = 'dua'");
  const third = copyAt(2);
  expect(statSync(join(folder, third)).size).toBe(before);
  expect(readdirSync(folder).toSorted()).toEqual([second, third]);
  // The database is as it was for the first copies: only they are the same.
  sqlite.exec("update things set name = 'dua' where name = 'abu'");
  const fourth = copyAt(3);
  expect(readdirSync(folder).toSorted()).toEqual([third, fourth]);
});

it('keeps earlier copies that are damaged or cannot be read', () => {
  const { folder, database } = buildDatabase();
  const damaged = createPreMigrationBackup(database.sqlite, folder, AT);
  const bytes = readFileSync(damaged);
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
  writeFileSync(damaged, bytes);
  mkdirSync(join(folder, 'sebelum-migrasi-x.sqlite'));
  createPreMigrationBackup(database.sqlite, folder, new Date(AT.getTime() + 1000));
  expect(readdirSync(folder)).toHaveLength(3);
});

it('leaves no file when the copy fails', () => {
  const { folder, database } = buildDatabase();
  database.sqlite.exec("begin; insert into things values ('tiga')");
  // Inside a transaction SQLite refuses to copy.
  expect(() => createPreMigrationBackup(database.sqlite, folder, AT)).toThrow(/VACUUM/);
  expect(readdirSync(folder)).toEqual([]);
  expect(() => createPreMigrationBackup(database.sqlite, join(folder, 'missing'), AT)).toThrow();
});
