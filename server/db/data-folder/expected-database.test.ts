import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/durations.ts';
import { buildDataFolder, NOON, tempFolder, type TestDataFolder } from '#server/testing/program/test-data-folder.ts';
import { findDatabaseProblem } from './expected-database.ts';
import { readDatabaseMarks } from '../sqlite/database-metrics.ts';
import { forgetDatabaseMarks, storeInstallationState } from './installation-state.ts';

const ORPHAN = '11111111-1111-4111-8111-111111111111.jpg';

const addMessage = ({ database }: TestDataFolder): void =>
  void database.sqlite.exec(
    `insert into messages (user_id, sender_id, sender_name, from_admin, content, side_ordinal, created_at)
      select id, id, name, 0, 'halo', 1, ${NOON} from users`,
  );
const addAuditEntry = ({ database }: TestDataFolder): void =>
  void database.sqlite.exec(
    `insert into audit_entries (at, action, actor_id, actor_name, actor_is_admin, subject_id, subject_label, changes)
      values (${NOON}, 'record.created', 'a', 'Budi', 0, 'b', 'x', '[]')`,
  );
const storeMarks = ({ dataDir, database }: TestDataFolder): void =>
  storeInstallationState(dataDir, {
    marks: readDatabaseMarks(database.sqlite),
    operatingMs: 0,
    writtenAtMs: NOON,
    firstSeenMs: {},
  });
function writeProof({ proofsDir }: TestDataFolder, name: string, mtimeMs: number): void {
  writeFileSync(join(proofsDir, name), 'x');
  utimesSync(join(proofsDir, name), mtimeMs / 1000, mtimeMs / 1000);
}

describe('a folder without its database', () => {
  const remains = {
    'an image': (dataDir: string) => {
      mkdirSync(join(dataDir, 'proofs'));
      writeFileSync(join(dataDir, 'proofs', ORPHAN), 'x');
    },
    'a backup': (dataDir: string) => {
      mkdirSync(join(dataDir, 'backups'));
      writeFileSync(join(dataDir, 'backups', 'pbb-kita-20260610-120000.tar'), 'x');
    },
    'the secret': (dataDir: string) => writeFileSync(join(dataDir, 'secret'), 'x'),
    'the state file': (dataDir: string) => forgetDatabaseMarks(dataDir),
  };
  const databases = {
    'no file': () => undefined,
    'a file of zero bytes': (file: string) => writeFileSync(file, ''),
    'a database without tables': (file: string) => {
      const database = new Database(file);
      database.pragma('journal_mode = WAL');
      database.close();
    },
  };

  for (const [what, leave] of Object.entries(remains)) {
    it.each(Object.entries(databases))(
      `stays unchanged and makes the start fail with %s and ${what}`,
      (_name, make) => {
        const dataDir = tempFolder();
        make(join(dataDir, 'pbb.sqlite'));
        leave(dataDir);
        const before = readdirSync(dataDir, { recursive: true });
        expect(findDatabaseProblem(dataDir)).toEqual({
          kind: 'replaced',
          line: expect.stringMatching(
            /^DATA_DIR: database ".*pbb\.sqlite" (tidak ada|kosong), padahal di folder itu ada .*; yang diterima: .*"restore".*"accept"$/,
          ),
        });
        expect(readdirSync(dataDir, { recursive: true })).toEqual(before);
      },
    );
  }

  it.each(Object.entries(databases).slice(0, 2))(
    'makes the start fail with %s and a write-ahead log, which stays',
    (_, make) => {
      const dataDir = tempFolder();
      make(join(dataDir, 'pbb.sqlite'));
      writeFileSync(join(dataDir, 'pbb.sqlite-wal'), 'x');
      expect(findDatabaseProblem(dataDir)).toMatchObject({ line: expect.stringContaining('ada pbb.sqlite-wal;') });
      expect(existsSync(join(dataDir, 'pbb.sqlite-wal'))).toBe(true);
    },
  );

  it('counts as a new installation when its very first start was killed before it had tables', () => {
    const [running, killed] = [tempFolder(), tempFolder()];
    const database = new Database(join(running, 'pbb.sqlite'));
    database.pragma('journal_mode = WAL');
    database.pragma('user_version = 1');
    for (const name of ['pbb.sqlite', 'pbb.sqlite-wal']) copyFileSync(join(running, name), join(killed, name));
    database.close();
    expect(statSync(join(killed, 'pbb.sqlite-wal')).size).toBeGreaterThan(0);
    expect(findDatabaseProblem(killed)).toBe(null);
  });

  it('counts as a new installation while it holds only settings, logs, certificates and empty folders', () => {
    const dataDir = tempFolder();
    for (const name of ['proofs', 'backups', 'logs', 'tls']) mkdirSync(join(dataDir, name));
    for (const name of ['setelan.env', 'server.lock', 'logs/pbb-kita.log', 'tls/ca.key'])
      writeFileSync(join(dataDir, name), 'x');
    for (const make of Object.values(databases)) {
      make(join(dataDir, 'pbb.sqlite'));
      expect(findDatabaseProblem(dataDir)).toBeNull();
    }
  });
});

describe('a foreign file in place of the database', () => {
  it.each([
    ['of another kind', (file: string) => writeFileSync(file, 'not a database at all '.repeat(100))],
    [
      'of another program',
      (file: string) => {
        const database = new Database(file);
        database.exec('create table villages (id integer primary key)');
        database.close();
      },
    ],
  ])('is refused when it is %s, and stays as it is', (_what, make) => {
    const dataDir = tempFolder();
    make(join(dataDir, 'pbb.sqlite'));
    expect(findDatabaseProblem(dataDir)).toMatchObject({
      kind: 'replaced',
      line: expect.stringMatching(/tidak dapat dipakai \(SQLITE_NOTADB\); yang diterima: .*"restore".*"accept"$/),
    });
    expect(readdirSync(dataDir)).toEqual(['pbb.sqlite']);
  });
});

describe('a database that is older than its folder', () => {
  it.each([
    ['messages', addMessage, '1 pesan terakhir'],
    ['audit entries', addAuditEntry, '1 perubahan terakhir'],
  ])('fails the start by missing %s, until it is accepted', (_what, add, reason) => {
    const folder = buildDataFolder();
    add(folder);
    folder.database.sqlite.pragma('wal_checkpoint(TRUNCATE)');
    const copy = `${folder.databaseFile}.copy`;
    copyFileSync(folder.databaseFile, copy);
    add(folder);
    storeMarks(folder);
    expect(findDatabaseProblem(folder.dataDir)).toBeNull();
    folder.close();
    for (const ending of ['-wal', '-shm']) rmSync(`${folder.databaseFile}${ending}`, { force: true });
    copyFileSync(copy, folder.databaseFile);
    expect(findDatabaseProblem(folder.dataDir)).toEqual({ kind: 'older', line: expect.stringContaining(reason) });
    forgetDatabaseMarks(folder.dataDir);
    expect(findDatabaseProblem(folder.dataDir)).toBeNull();
  });

  it('differs from a database that lost rows by a deletion', () => {
    const folder = buildDataFolder();
    addMessage(folder);
    storeMarks(folder);
    folder.database.sqlite.exec('delete from messages');
    expect(findDatabaseProblem(folder.dataDir)).toBeNull();
  });

  it('counts as current when it is ahead of the state file, as after a crash', () => {
    const folder = buildDataFolder();
    storeMarks(folder);
    addMessage(folder);
    addAuditEntry(folder);
    expect(findDatabaseProblem(folder.dataDir)).toBeNull();
  });

  describe('in a folder of version 1.0.0, which has no state file', () => {
    it('fails the start when an image is newer than all of its data', () => {
      const folder = buildDataFolder();
      writeProof(folder, folder.addRecord('old'), NOON);
      writeProof(folder, ORPHAN, NOON + DAY_MS);
      expect(findDatabaseProblem(folder.dataDir)).toEqual({
        kind: 'older',
        line: expect.stringContaining('(1 foto atau dokumen lebih baru daripada data terakhirnya)'),
      });
    });

    it('counts as current beside an image that a crash left: its upload had a session of that time', () => {
      const folder = buildDataFolder();
      writeProof(folder, ORPHAN, NOON + MINUTE_MS);
      expect(findDatabaseProblem(folder.dataDir)).toBeNull();
    });

    it('counts as current in a folder that was copied without the times of its files', () => {
      const folder = buildDataFolder();
      writeProof(folder, folder.addRecord('old'), NOON + 90 * DAY_MS);
      writeProof(folder, ORPHAN, NOON + 90 * DAY_MS + HOUR_MS);
      expect(findDatabaseProblem(folder.dataDir)).toBeNull();
    });
  });
});

it('reads a database with the write-ahead log of a crash and leaves that log in place', () => {
  const folder = buildDataFolder();
  addMessage(folder);
  storeMarks(folder);
  const crashed = tempFolder();
  for (const name of ['pbb.sqlite', 'pbb.sqlite-wal', 'instalasi.json'])
    copyFileSync(join(folder.dataDir, name), join(crashed, name));
  expect(findDatabaseProblem(crashed)).toBeNull();
  expect(existsSync(join(crashed, 'pbb.sqlite-wal'))).toBe(true);
});
