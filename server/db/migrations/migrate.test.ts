import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Resources } from '#server/files/resources.ts';
import { testResources } from '#server/testing/test-app.ts';
import { migrate, NewerDatabaseError } from './migrate.ts';
import { openDatabase } from '../open.ts';
import { createPreMigrationBackup } from './pre-migration-backup.ts';

const BREAK = '--> statement-breakpoint';
const createVillages = `create table villages (id integer primary key, name text not null);\n${BREAK}\ncreate index villages_name on villages (name);`;
const createHouses =
  'create table houses (id integer primary key, village_id integer not null references villages (id) on delete cascade)';

/** Shipped migrations by tag; the first is of time 1000, the next of 2000 and so on. */
function buildResources(steps: Record<string, string>): Resources {
  const files = new Map(Object.entries(steps).map(([tag, text]) => [`migrations/${tag}.sql`, text]));
  const entries = Object.keys(steps).map((tag, idx) => ({ idx, tag, when: (idx + 1) * 1000 }));
  files.set('migrations/meta/_journal.json', JSON.stringify({ entries }));
  return {
    keys: (prefix) => [...files.keys()].filter((key) => key.startsWith(`${prefix}/`)),
    read: (key) => Buffer.from(files.get(key) ?? ''),
  };
}

function buildDatabase(file = ':memory:') {
  const { sqlite } = openDatabase(file);
  onTestFinished(() => void sqlite.close());
  const names = (type: string): unknown[] =>
    sqlite
      .prepare("select name from sqlite_master where type = ? and name not like 'sqlite_%' order by name")
      .pluck()
      .all(type);
  const foreignKeysEnabled = (): unknown => sqlite.pragma('foreign_keys', { simple: true });
  return { sqlite, names, isGuarded: foreignKeysEnabled };
}

describe('a fresh database', () => {
  it('gets every step, and nothing is put aside', () => {
    const { sqlite, names, isGuarded: foreignKeysEnabled } = buildDatabase();
    const createBackup = vi.fn();
    expect(migrate(sqlite, buildResources({ '0000_a': createVillages, '0001_b': createHouses }), createBackup)).toBe(2);
    expect(names('table')).toEqual(['__drizzle_migrations', 'houses', 'villages']);
    expect(names('index')).toEqual(['villages_name']);
    expect(createBackup).not.toHaveBeenCalled();
    expect(foreignKeysEnabled()).toBe(1);
  });

  it("keeps drizzle's own book", () => {
    const { sqlite } = buildDatabase();
    migrate(sqlite, buildResources({ '0000_a': createVillages }), () => {});
    expect(sqlite.prepare('select hash, created_at from __drizzle_migrations').all()).toEqual([
      { hash: createHash('sha256').update(createVillages).digest('hex'), created_at: 1000 },
    ]);
  });

  it('takes the migrations that ship with the program, once', () => {
    const { sqlite, names } = buildDatabase();
    expect(migrate(sqlite, testResources, () => {})).toBeGreaterThan(0);
    expect(names('table')).toEqual(expect.arrayContaining(['sessions', 'tax_records', 'users']));
    const createBackup = vi.fn();
    expect(migrate(sqlite, testResources, createBackup)).toBe(0);
    expect(createBackup).not.toHaveBeenCalled();
  });
});

describe('a database with data', () => {
  it('is put aside before the first change, with all it held', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pbb-migrate-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { sqlite } = buildDatabase(join(folder, 'pbb.sqlite'));
    migrate(sqlite, buildResources({ '0000_a': createVillages }), () => {});
    sqlite.exec("insert into villages values (1, 'Sukamaju')");
    let copy = '';
    const steps = { '0000_a': createVillages, '0001_b': `${createHouses};${BREAK}update villages set name = 'Lain'` };
    const applied = migrate(sqlite, buildResources(steps), () => {
      copy = createPreMigrationBackup(sqlite, folder);
    });
    expect(applied).toBe(1);
    expect(sqlite.prepare('select name from villages').pluck().all()).toEqual(['Lain']);
    const kept = buildDatabase(copy);
    expect(kept.names('table')).toEqual(['__drizzle_migrations', 'villages']);
    expect(kept.sqlite.prepare('select name from villages').pluck().all()).toEqual(['Sukamaju']);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('is not touched when it cannot be put aside', () => {
    const { sqlite, names } = buildDatabase();
    migrate(sqlite, buildResources({ '0000_a': createVillages }), () => {});
    const failingBackup = (): void => {
      throw new Error('no room');
    };
    expect(() =>
      migrate(sqlite, buildResources({ '0000_a': createVillages, '0001_b': createHouses }), failingBackup),
    ).toThrow('no room');
    expect(names('table')).toEqual(['__drizzle_migrations', 'villages']);
  });

  it('may have a table rebuilt that others point to', () => {
    const { sqlite, isGuarded: foreignKeysEnabled } = buildDatabase();
    const first = { '0000_a': `${createVillages}${BREAK}${createHouses}` };
    migrate(sqlite, buildResources(first), () => {});
    sqlite.exec("insert into villages values (1, 'Sukamaju'); insert into houses values (7, 1)");
    const rebuild = [
      'create table v2 (id integer primary key, name text)',
      'insert into v2 select id, name from villages',
      'drop table villages',
      'alter table v2 rename to villages',
    ].join(`;\n${BREAK}\n`);
    migrate(sqlite, buildResources({ ...first, '0001_b': rebuild }), () => {});
    // Had the references been watched, dropping the table would have taken the houses along.
    expect(sqlite.prepare('select id from houses').pluck().all()).toEqual([7]);
    expect(foreignKeysEnabled()).toBe(1);
    expect(() => sqlite.exec('insert into houses values (8, 99)')).toThrow(/FOREIGN KEY/);
  });
});

describe('what is refused', () => {
  it('is a database that a newer program wrote', () => {
    const { sqlite, names } = buildDatabase();
    migrate(sqlite, buildResources({ '0000_a': createVillages, '0001_b': createHouses }), () => {});
    const createBackup = vi.fn();
    const migrateWithOlderProgram = (): number =>
      migrate(sqlite, buildResources({ '0000_a': createVillages }), createBackup);
    expect(migrateWithOlderProgram).toThrow(NewerDatabaseError);
    expect(migrateWithOlderProgram).toThrow('database dibuat oleh versi PBB Kita yang lebih baru daripada program ini');
    expect(createBackup).not.toHaveBeenCalled();
    expect(names('table')).toEqual(['__drizzle_migrations', 'houses', 'villages']);
  });

  it.each([
    [
      'a statement that fails',
      `${createHouses};${BREAK}update villages set name = 'x';${BREAK}create table broken (`,
      /incomplete input/,
    ],
    ['a step that leaves dangling references', `${createHouses};${BREAK}insert into houses values (7, 99)`, /dangling/],
  ])('is %s, with everything as it was and usable', (_what, faulty, message) => {
    const { sqlite, names, isGuarded: foreignKeysEnabled } = buildDatabase();
    const good = { '0000_a': createVillages };
    migrate(sqlite, buildResources(good), () => {});
    sqlite.exec("insert into villages values (1, 'Sukamaju')");
    const steps = buildResources({ ...good, '0001_b': 'create table fine (id integer)', '0002_c': faulty });
    expect(() => migrate(sqlite, steps, () => {})).toThrow(message);
    expect(names('table')).toEqual(['__drizzle_migrations', 'villages']);
    expect(sqlite.prepare('select created_at from __drizzle_migrations').pluck().all()).toEqual([1000]);
    expect(sqlite.inTransaction).toBe(false);
    expect(foreignKeysEnabled()).toBe(1);
    sqlite.exec("insert into villages values (2, 'Mekarsari')");
    expect(sqlite.prepare('select name from villages order by id').pluck().all()).toEqual(['Sukamaju', 'Mekarsari']);
    expect(migrate(sqlite, buildResources(good), () => {})).toBe(0);
  });
});
