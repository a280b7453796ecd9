import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Resources } from '#server/files/resources.ts';
import { testResources } from '#server/testing/open-test-database.ts';
import { findFractions } from '#server/testing/fractions.ts';
import { NewerDatabaseError } from './journal.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from '../sqlite/open.ts';
import type { Sqlite } from '../sqlite/connect.ts';
import { createPreMigrationBackup } from './pre-migration-backup.ts';
import { openVersion1Database } from '#server/testing/version-1-database.ts';

const BREAK = '--> statement-breakpoint';
const createVillages = `create table villages (id integer primary key, name text not null);\n${BREAK}\ncreate index villages_name on villages (name);`;
const createStreets =
  'create table streets (id integer primary key, village_id integer not null references villages (id) on delete cascade)';

/** Migrations by tag. The first has the time 1000, the next 2000, and so on. */
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
  return { sqlite, names, foreignKeysEnabled };
}

describe('migrate with a new database', () => {
  it('applies every migration and makes no backup', () => {
    const { sqlite, names, foreignKeysEnabled } = buildDatabase();
    const createBackup = vi.fn();
    expect(migrate(sqlite, buildResources({ '0000_a': createVillages, '0001_b': createStreets }), createBackup)).toBe(
      2,
    );
    expect(names('table')).toEqual(['__drizzle_migrations', 'streets', 'villages']);
    expect(names('index')).toEqual(['villages_name']);
    expect(createBackup).not.toHaveBeenCalled();
    expect(foreignKeysEnabled()).toBe(1);
  });

  it("writes the table of drizzle's own migrator", () => {
    const { sqlite } = buildDatabase();
    migrate(sqlite, buildResources({ '0000_a': createVillages }), () => {});
    expect(sqlite.prepare('select hash, created_at from __drizzle_migrations').all()).toEqual([
      { hash: createHash('sha256').update(createVillages).digest('hex'), created_at: 1000 },
    ]);
  });

  it('applies the migrations of the program once', () => {
    const { sqlite, names } = buildDatabase();
    expect(migrate(sqlite, testResources, () => {})).toBeGreaterThan(0);
    expect(names('table')).toEqual(expect.arrayContaining(['sessions', 'tax_records', 'users']));
    const createBackup = vi.fn();
    expect(migrate(sqlite, testResources, createBackup)).toBe(0);
    expect(createBackup).not.toHaveBeenCalled();
  });
});

describe('migrate with a database that has data', () => {
  it('makes a complete backup before the first change', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pbb-migrate-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { sqlite } = buildDatabase(join(folder, 'pbb.sqlite'));
    migrate(sqlite, buildResources({ '0000_a': createVillages }), () => {});
    sqlite.exec("insert into villages values (1, 'Sukamaju')");
    let copy = '';
    const steps = { '0000_a': createVillages, '0001_b': `${createStreets};${BREAK}update villages set name = 'Lain'` };
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

  it('changes nothing when the backup fails', () => {
    const { sqlite, names } = buildDatabase();
    migrate(sqlite, buildResources({ '0000_a': createVillages }), () => {});
    const failingBackup = (): void => {
      throw new Error('no room');
    };
    expect(() =>
      migrate(sqlite, buildResources({ '0000_a': createVillages, '0001_b': createStreets }), failingBackup),
    ).toThrow('no room');
    expect(names('table')).toEqual(['__drizzle_migrations', 'villages']);
  });

  it('can rebuild a table that other tables refer to', () => {
    const { sqlite, foreignKeysEnabled } = buildDatabase();
    const first = { '0000_a': `${createVillages}${BREAK}${createStreets}` };
    migrate(sqlite, buildResources(first), () => {});
    sqlite.exec("insert into villages values (1, 'Sukamaju'); insert into streets values (7, 1)");
    const rebuild = [
      'create table v2 (id integer primary key, name text)',
      'insert into v2 select id, name from villages',
      'drop table villages',
      'alter table v2 rename to villages',
    ].join(`;\n${BREAK}\n`);
    migrate(sqlite, buildResources({ ...first, '0001_b': rebuild }), () => {});
    // With foreign keys enabled, dropping the table would have deleted the streets.
    expect(sqlite.prepare('select id from streets').pluck().all()).toEqual([7]);
    expect(foreignKeysEnabled()).toBe(1);
    expect(() => sqlite.exec('insert into streets values (8, 99)')).toThrow(/FOREIGN KEY/);
  });
});

describe('migrate with a database of version 1.0.0', () => {
  it('keeps every row of every table, with its values', () => {
    const sqlite = openVersion1Database();
    onTestFinished(() => void sqlite.close());
    const listTables = sqlite
      .prepare<[], string>("select name from sqlite_master where type = 'table' and name not glob 'sqlite_*'")
      .pluck();
    const rowsByTable = new Map(
      listTables
        .all()
        .filter((table) => table !== '__drizzle_migrations')
        .map((table) => [table, sqlite.prepare<[], object>(`select * from ${table} order by rowid`).all()]),
    );
    for (const [table, rows] of rowsByTable) expect(rows, table).not.toEqual([]);

    migrate(sqlite, testResources, () => {});

    for (const [table, rows] of rowsByTable) {
      // A later version may have more columns.
      expect(sqlite.prepare(`select * from ${table} order by rowid`).all(), table).toMatchObject(rows);
    }
  });

  it('does not know the size of its images, which the server measures at its start', () => {
    const sqlite = openVersion1Database();
    onTestFinished(() => void sqlite.close());
    migrate(sqlite, testResources, () => {});
    const proof = sqlite.prepare("select proof_file, proof_bytes from tax_records where id = 'r1'").get();
    expect(proof).toEqual({ proof_file: 'bukti.png', proof_bytes: null });
  });

  it.each([
    ['of version 1.0.0', openVersion1Database],
    ['of the last version with fractions', () => openVersion1Database(12)],
  ])('makes whole milliseconds of the times of sessions and accounts of a database %s', (_version, open) => {
    const sqlite = open();
    onTestFinished(() => void sqlite.close());
    sqlite.exec(`insert into sessions (id, user_id, created_at, last_seen_at, expires_at) values
      ('s2', 'u1', 1795399818508.41, 1795399818509, 1797991818508.41), ('s3', 'u1', 4, 5.999, 6)`);
    const hasAdminSince = sqlite.prepare("select 1 from pragma_table_info('users') where name = 'admin_since'").get();
    if (hasAdminSince) sqlite.exec('update users set admin_since = 7.5, password_changed_at = 8.5');
    migrate(sqlite, testResources, () => {});
    expect(findFractions(sqlite)).toEqual([]);
    const times = sqlite.prepare('select id, created_at, last_seen_at, expires_at from sessions order by id').raw();
    expect(times.all()).toEqual([
      ['s1', 1, 2, 3],
      ['s2', 1795399818508, 1795399818509, 1797991818508],
      ['s3', 4, 5, 6],
    ]);
    const account = sqlite.prepare('select admin_since, password_changed_at from users').raw().get();
    expect(account).toEqual(hasAdminSince ? [7, 8] : [0, 0]);
  });

  it.each([
    ['of version 1.0.0', openVersion1Database],
    ['of the version before', () => openVersion1Database(22)],
  ])('gives a database %s an empty list of the office and changes no record', (_version, open) => {
    const sqlite = open();
    onTestFinished(() => void sqlite.close());
    const records = sqlite.prepare('select * from tax_records order by id').all();
    migrate(sqlite, testResources, () => {});
    expect(sqlite.prepare('select * from tax_records order by id').all()).toMatchObject(records);
    const tables = ['areas', 'objects', 'assessments', 'dhkp_batches', 'dhkp_batch_rows', 'dhkp_changes', 'dhkp_years'];
    for (const table of [...tables, 'dhkp_blocks', 'dhkp_settings', 'dhkp_layouts']) {
      expect(sqlite.prepare(`select count(*) from ${table}`).pluck().get(), table).toBe(0);
    }
  });

  it.each([
    ['of version 1.0.0', openVersion1Database],
    ['of the version before', () => openVersion1Database(23)],
  ])('gives a database %s no links and no requests for them, and keeps its list', (_version, open) => {
    const sqlite = open();
    onTestFinished(() => void sqlite.close());
    const hasList = sqlite.prepare("select 1 from sqlite_master where name = 'objects'").get() !== undefined;
    if (hasList) {
      sqlite.exec(`insert into objects (nop, created_at, updated_at) values ('n1', 1, 1);
        insert into dhkp_changes (batch_id, assessment_id, has_added_object, updated_at) values ('b1', 'a1', 1, 1)`);
    }
    migrate(sqlite, testResources, () => {});
    expect(sqlite.prepare('select count(*) from object_claims').pluck().get()).toBe(0);
    const noRecord = { record_id: null, record_updated_at: null, record_before: null };
    expect(sqlite.prepare('select * from objects').all()).toMatchObject(hasList ? [{ nop: 'n1', user_id: null }] : []);
    expect(sqlite.prepare('select * from dhkp_changes').all()).toMatchObject(
      hasList ? [{ batch_id: 'b1', has_added_object: 1, ...noRecord }] : [],
    );
  });

  it.each([
    ['of version 1.0.0', openVersion1Database],
    ['of the version before', () => openVersion1Database(16)],
  ])('marks the amounts of untouched new-year copies of a database %s as estimates', (_version, open) => {
    const sqlite = open();
    onTestFinished(() => void sqlite.close());
    const insert = sqlite.prepare(`insert into tax_records (id, user_id, name, address, tax_type, spt_number, year,
      amount_sen, status, predecessor_id, created_at, updated_at)
      values (?, 'u1', 'Siti', 'Jl. Melati 1', 'PBB', 'SPT-9', 2025, ?, 'belum_lunas', ?, 1, 2)`);
    insert.run('source', 123_45, null);
    // 135.795 rupiah, half up to whole rupiah.
    insert.run('copy', 136_00, 'source');
    insert.run('source-2', 123_45, null);
    insert.run('edited', 135_00, 'source-2');
    migrate(sqlite, testResources, () => {});
    expect(sqlite.prepare('select id, amount_source from tax_records order by id').raw().all()).toEqual([
      ['copy', 'estimate'],
      ['edited', 'typed'],
      ['r1', 'typed'],
      ['r2', 'estimate'],
      ['source', 'typed'],
      ['source-2', 'typed'],
    ]);
    expect(sqlite.prepare("select id from tax_records where check_state <> 'none'").all()).toEqual([]);
    for (const table of ['office_identity', 'record_settings', 'first_steps']) {
      expect(sqlite.prepare(`select * from ${table}`).all(), table).toEqual([]);
    }
  });

  it('makes whole milliseconds of the times of attachments', () => {
    const sqlite = openVersion1Database(13);
    onTestFinished(() => void sqlite.close());
    const insert = `insert into attachments (id, uploader_id, from_admin, name, file, type, bytes, created_at)
      values (?, 'u1', 0, 'bukti.png', ?, 'image/png', 1, ?)`;
    sqlite.prepare(insert).run('a1', 'a1.png', 1795399818508.41);
    sqlite.prepare(insert).run('a2', 'a2.png', 1795399818509);
    migrate(sqlite, testResources, () => {});
    expect(findFractions(sqlite)).toEqual([]);
    const times = sqlite.prepare('select created_at from attachments order by id').pluck().all();
    expect(times).toEqual([1795399818508, 1795399818509]);
  });

  it('lets what was in process wait for a check, and nothing else', () => {
    const sqlite = openVersion1Database();
    onTestFinished(() => void sqlite.close());
    sqlite.exec(`insert into tax_records (id, user_id, name, address, tax_type, spt_number, year, amount_sen, status,
      proof_file, created_at, updated_at) values
      ('r3', 'u1', 'Siti', 'Jl. Melati 1', 'PBB', 'SPT-3', 2025, 100, 'proses', null, 1, 70),
      ('r4', 'u1', 'Siti', 'Jl. Melati 1', 'PBB', 'SPT-4', 2025, 100, 'proses', 'b.png', 1, 80),
      ('r5', 'u1', 'Siti', 'Jl. Melati 1', 'PBB', 'SPT-5', 2025, 100, 'belum_lunas', 'c.png', 1, 90)`);
    migrate(sqlite, testResources, () => {});
    expect(
      sqlite
        .prepare(
          `select id, reported_at, coalesce(check_result, checked_at, checked_by_name, check_reason) as checked,
            changed_since_check from tax_records order by id`,
        )
        .raw()
        .all(),
    ).toEqual([
      ['r1', null, null, 0],
      ['r2', null, null, 0],
      ['r3', 70, null, 0],
      ['r4', 80, null, 0],
      ['r5', null, null, 0],
    ]);
  });

  it.each([
    ['of version 1.0.0', openVersion1Database],
    ['that was migrated before', () => openVersion1Database(14)],
  ])('lets what its owner and no admin said to be paid wait for a check, in a database %s', (_version, open) => {
    const sqlite = open();
    onTestFinished(() => void sqlite.close());
    const insertRecord =
      sqlite.prepare(`insert into tax_records (id, user_id, name, address, tax_type, spt_number, year,
      amount_sen, status, created_at, updated_at) values (?, 'u1', 'Siti', 'Jl. Melati 1', 'PBB', ?, 2025, 100, ?, 1, 9999)`);
    const insertEntry = sqlite.prepare(`insert into audit_entries (at, action, actor_id, actor_name, actor_is_admin,
      subject_id, subject_label, changes) values (?, ?, ?, 'x', ?, ?, 'x', ?)`);
    let at = 1000;
    const buildHistory = (id: string, status: string, ...entries: ['owner' | 'admin', ...fields: string[]][]): void => {
      insertRecord.run(id, id, status);
      for (const [index, [by, ...fields]] of entries.entries()) {
        const action = index === 0 ? 'record.created' : 'record.updated';
        const [actorId, isAdmin] = by === 'owner' ? ['u1', 0] : ['a1', 1];
        const changes = fields.map((field) => ({ field, from: null, to: 'x' }));
        insertEntry.run((at += 1), action, actorId, isAdmin, id, JSON.stringify(changes));
      }
    };
    buildHistory('owner-created', 'lunas', ['owner', 'name', 'status']);
    buildHistory('owner-paid', 'lunas', ['admin', 'name', 'status'], ['owner', 'status', 'payment_date']);
    buildHistory('notes-later', 'lunas', ['owner', 'name', 'status'], ['owner', 'notes']);
    buildHistory('amount-by-admin', 'lunas', ['owner', 'name', 'status'], ['admin', 'amount', 'payment_date']);
    buildHistory('amount-by-owner', 'lunas', ['admin', 'name', 'status'], ['owner', 'notes', 'amount']);
    buildHistory('admin-paid', 'lunas', ['owner', 'name', 'status'], ['admin', 'status', 'payment_date']);
    buildHistory('admin-created', 'lunas', ['admin', 'name', 'status'], ['owner', 'notes', 'description']);
    buildHistory('not-paid', 'belum_lunas', ['owner', 'name', 'status']);
    buildHistory('without-entry', 'lunas');

    migrate(sqlite, testResources, () => {});

    const reported = sqlite.prepare('select id, reported_at from tax_records where reported_at is not null order by 2');
    expect(reported.raw().all()).toEqual([
      ['owner-created', 1001],
      ['owner-paid', 1003],
      ['notes-later', 1004],
      ['amount-by-admin', 1006],
      ['amount-by-owner', 1009],
    ]);
  });

  it('leaves alone what is paid and was reported or checked since version 1.0.0', () => {
    const sqlite = openVersion1Database(14);
    onTestFinished(() => void sqlite.close());
    sqlite.exec(`insert into tax_records (id, user_id, name, address, tax_type, spt_number, year, amount_sen, status,
        reported_at, check_result, checked_at, created_at, updated_at) values
        ('r3', 'u1', 'Siti', 'Jl. Melati 1', 'PBB', 'SPT-3', 2025, 100, 'lunas', 70, null, null, 1, 90),
        ('r4', 'u1', 'Siti', 'Jl. Melati 1', 'PBB', 'SPT-4', 2025, 100, 'lunas', 70, 'matched', 80, 1, 90),
        ('r5', 'u1', 'Siti', 'Jl. Melati 1', 'PBB', 'SPT-5', 2025, 100, 'lunas', null, 'matched', 80, 1, 90);
      insert into audit_entries (at, action, actor_id, actor_name, actor_is_admin, subject_id, subject_label, changes)
        select 85, 'record.updated', 'u1', 'x', 0, id, 'x', '[{"field":"status","from":"proses","to":"lunas"}]'
        from tax_records where id in ('r3', 'r4', 'r5')`);
    const select = sqlite.prepare("select * from tax_records where id in ('r3', 'r4', 'r5')");
    const before = select.all();
    expect(migrate(sqlite, testResources, () => {})).toBeGreaterThan(0);
    expect(select.all()).toMatchObject(before);
  });

  it('stores the state that reports and checks of the version before say', () => {
    const sqlite = openVersion1Database(16);
    onTestFinished(() => void sqlite.close());
    sqlite.exec(`insert into tax_records (id, user_id, name, address, tax_type, spt_number, year, amount_sen, status,
        reported_at, check_result, checked_at, changed_since_check, created_at, updated_at)
      select id, 'u1', 'Siti', 'Jl. Melati 1', 'PBB', id, 2025, 100, 'lunas', column2, column3, column4, column5, 1, 90
      from (select column1 as id, * from (values
        ('a none', null, null, null, 0),
        ('b pending', 70, null, null, 0),
        ('c pending', 90, 'matched', 80, 1),
        ('d matched', 70, 'matched', 70, 0),
        ('e rejected', 70, 'rejected', 80, 0),
        ('f outdated', 70, 'rejected', 80, 1),
        ('g outdated', null, 'matched', 80, 1)))`);
    migrate(sqlite, testResources, () => {});
    const states = sqlite
      .prepare<[], [string, string]>("select id, check_state from tax_records where id like '_ %' order by id")
      .raw()
      .all();
    expect(states).toHaveLength(7);
    for (const [id, state] of states) expect(state).toBe(id.slice(2));
  });

  it('stores with each old answer since when it was waited for', () => {
    const sqlite = openVersion1Database(19);
    onTestFinished(() => void sqlite.close());
    // Message 7 is the user's, of the time 1.
    sqlite.exec(`insert into messages (id, user_id, sender_id, sender_name, from_admin, content, kind, side_ordinal, created_at)
      select column1, 'u1', 'x', 'x', column2, 'x', column3, column1, column1 from (values
        (8, 0, 'chat'), (9, 1, 'notice'), (10, 1, 'chat'), (11, 1, 'chat'), (12, 0, 'chat'), (13, 0, 'notice'),
        (14, 0, 'chat'), (15, 1, 'chat'), (16, 0, 'chat'), (17, 1, 'chat'));
      insert into conversation_dismissals (user_id, message_id) values ('u1', 13), ('u1', 16)`);
    migrate(sqlite, testResources, () => {});
    const waits = sqlite.prepare('select id, waited_since from messages where waited_since is not null order by id');
    expect(waits.raw().all()).toEqual([
      [10, 1],
      [15, 14],
    ]);
  });

  it('never gives the number of a deleted message to a new one, although the table is rebuilt', () => {
    const sqlite = openVersion1Database();
    onTestFinished(() => void sqlite.close());
    sqlite.exec("update sqlite_sequence set seq = 20 where name = 'messages'");
    migrate(sqlite, testResources, () => {});
    const insert = sqlite.prepare(
      "insert into messages (user_id, sender_id, sender_name, from_admin, content, side_ordinal, created_at) values ('u1', 'u1', 'Siti', 0, 'Halo', 2, 1)",
    );
    expect(insert.run().lastInsertRowid).toBe(21);
    expect(sqlite.prepare('select name, seq from sqlite_sequence where name like ?').all('%messages')).toEqual([
      { name: 'messages', seq: 21 },
    ]);
  });

  it('keeps that a copy forgets its source when that is deleted, although the table is rebuilt', () => {
    const sqlite = openVersion1Database();
    onTestFinished(() => void sqlite.close());
    migrate(sqlite, testResources, () => {});
    sqlite.exec("delete from tax_records where id = 'r1'");
    expect(sqlite.prepare('select id, predecessor_id from tax_records').all()).toEqual([
      { id: 'r2', predecessor_id: null },
    ]);
  });

  it('indexes no message of an earlier version, and leaves that to the running server', () => {
    const sqlite = openVersion1Database();
    onTestFinished(() => void sqlite.close());
    migrate(sqlite, testResources, () => {});
    expect(sqlite.prepare('select after_id, up_to_id from message_index').get()).toEqual({ after_id: 7, up_to_id: 7 });
    expect(sqlite.prepare('select count(*) from message_vocabulary').pluck().get()).toBe(0);
    // A message that is not indexed can be emptied and deleted.
    sqlite.exec("update messages set content = '' where id = 7; delete from messages");
    expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  it('finds the accounts of an earlier version by parts of their names and e-mails', () => {
    const sqlite = openVersion1Database();
    onTestFinished(() => void sqlite.close());
    migrate(sqlite, testResources, () => {});
    const names = sqlite.prepare<[], { name: string; email: string }>('select name, email from users').all();
    expect(names.length).toBeGreaterThan(0);
    const find = sqlite
      .prepare<[string], string>(
        'select name from users where rowid in (select rowid from user_words where user_words match ?)',
      )
      .pluck();
    for (const { name, email } of names) {
      expect(find.all(`"${name.slice(0, 3)}"`)).toContain(name);
      expect(find.all(`"${email.slice(-3)}"`)).toContain(name);
    }
    sqlite.exec("insert into user_words (user_words, rank) values ('integrity-check', 1)");
  });

  it('keeps sums of the records of an earlier version, and finds them by their texts', () => {
    const sqlite = openVersion1Database();
    onTestFinished(() => void sqlite.close());
    migrate(sqlite, testResources, () => {});
    const kept =
      'select year, status, due_date, records, (sen_high << 24) + sen_low as sen from record_sums order by year';
    expect(sqlite.prepare(kept).all()).toEqual([
      { year: 2024, status: 'lunas', due_date: '2024-09-30', records: 1, sen: 150_000_000 },
      { year: 2025, status: 'belum_lunas', due_date: null, records: 1, sen: 165_000_000 },
    ]);
    const find = sqlite
      .prepare<[string], string>(
        'select id from tax_records where rowid in (select rowid from record_words where record_words match ?) order by id',
      )
      .pluck();
    expect(find.all('"mel" AND "ati"')).toEqual(['r1', 'r2']);
    sqlite.exec("insert into record_words (record_words, rank) values ('integrity-check', 1)");
    const pending = sqlite.prepare('select name, address, spt_number from record_words_pending').raw();
    expect(pending.all()).toEqual([]);
    // The running server removes what the index holds of a deleted record.
    sqlite.exec("delete from tax_records where id = 'r2'");
    expect(pending.all()).toEqual([['Siti Aminah', 'Jl. Melati 1', 'SPT-1']]);
    expect(find.all('"mel" AND "ati"')).toEqual(['r1']);
    expect(sqlite.prepare(kept).all()).toHaveLength(1);
  });

  it('searches the records of an earlier version by the names of their owners, in short rows with their sums', () => {
    const sqlite = openVersion1Database();
    onTestFinished(() => void sqlite.close());
    migrate(sqlite, testResources, () => {});
    const rows = sqlite.prepare(
      `select r.id, s.name = r.name as is_name, coalesce(s.owner_name, s.name) = u.name as is_owner,
        g.year = r.year and g.status = r.status and g.due_date is r.due_date as is_group
        from searched_records s join record_sums g on g.id = s.group_id
          join tax_records r on r.rowid = s.record_rowid join users u on u.id = r.user_id order by r.id`,
    );
    const right = ['r1', 'r2'].map((id) => ({ id, is_name: 1, is_owner: 1, is_group: 1 }));
    expect(rows.all()).toEqual(right);
    sqlite.exec("update users set name = 'Zubaidah'");
    sqlite.exec("update tax_records set status = 'proses', name = 'Joko' where id = 'r1'");
    expect(rows.all()).toEqual(right);
    // The running server brings the index up to date.
    expect(sqlite.prepare('select count(*) from record_words_pending').pluck().get()).toBe(2);
  });

  it.each([
    "update tax_records set name = 'Joko' where id = 'r1'",
    "update tax_records set address = 'Jl. Lain' where id = 'r1'",
    "update tax_records set proof_file = 'b.jpg' where id = 'r1'",
    "update tax_records set status = 'proses' where id = 'r1'",
    "update users set name = 'Joko'",
    "delete from tax_records where id = 'r1'",
    "insert into tax_records (id, user_id, name, address, tax_type, spt_number, year, amount_sen, status, created_at, updated_at) select 'r3', user_id, name, address, tax_type, 'SPT-3', year, amount_sen, status, 1, 1 from tax_records where id = 'r1'",
  ])('counts as a change of what a search finds: %s', (change) => {
    const sqlite = openVersion1Database();
    onTestFinished(() => void sqlite.close());
    migrate(sqlite, testResources, () => {});
    const version = sqlite.prepare<[], number>('select version from record_version').pluck();
    const inPart = sqlite.prepare<[], number>('select changes from record_parts where part = 0').pluck();
    const before = version.get() ?? 0;
    expect(inPart.get()).toBe(1);
    sqlite.exec(change);
    expect(version.get()).toBeGreaterThan(before);
    expect(inPart.get()).toBeGreaterThan(1);
  });

  it('answers the sums by date and the longest waits from indexes', () => {
    const sqlite = openVersion1Database();
    onTestFinished(() => void sqlite.close());
    migrate(sqlite, testResources, () => {});
    const plan = (query: string): string =>
      sqlite
        .prepare<[], { detail: string }>(`explain query plan ${query}`)
        .all()
        .map(({ detail }) => detail)
        .join('; ');
    expect(plan("select sum(amount_sen) from tax_records where payment_date >= '2024-01-01'")).toBe(
      'SEARCH tax_records USING COVERING INDEX tax_records_payment (payment_date>?)',
    );
    expect(
      plan(
        "select sum(amount_sen) from tax_records where status <> 'lunas' and due_date < '2025-01-01' group by user_id",
      ),
    ).toBe('SCAN tax_records USING COVERING INDEX tax_records_unpaid');
    expect(plan('select year, property_type, status, max(due_date) from tax_records group by 1, 2, 3')).toBe(
      'SCAN tax_records USING COVERING INDEX tax_records_shares',
    );
    expect(plan("select status, amount_sen from tax_records where due_date >= '2024-01-01'")).toBe(
      'SEARCH tax_records USING COVERING INDEX tax_records_due (due_date>?)',
    );
    expect(
      plan('select * from conversations where unanswered_since is not null order by unanswered_since, user_id'),
    ).toContain('USING INDEX conversations_waiting');
    const paid = sqlite.prepare('select sum(amount_sen) from tax_records where payment_date = ?').pluck();
    expect(paid.get('2024-08-17')).toBe(150_000_000);
  });

  it('dates accounts and passwords as old, and tells its admins of no download from before', () => {
    const sqlite = openVersion1Database();
    onTestFinished(() => void sqlite.close());
    sqlite.exec(`update users set is_admin = 1 where id = 'u1'; insert into users (id, name, email, password_hash,
      created_at, updated_at) values ('u2', 'Budi', 'budi@contoh.id', 'hash', 1, 2)`);
    migrate(sqlite, testResources, () => {});
    const accounts = sqlite.prepare('select password_changed_at, admin_since, seen_notice_id from users order by id');
    // The admin has been one before, the user has not.
    expect(accounts.raw().all()).toEqual([
      [0, 1, 9],
      [0, 0, 0],
    ]);
  });

  it('keeps downloads of backups as notices, and the audit as it was and append-only', () => {
    const sqlite = openVersion1Database();
    onTestFinished(() => void sqlite.close());
    const columns = 'id, at, action, actor_id, actor_name, actor_is_admin, subject_id, subject_label, changes';
    sqlite.exec(
      `insert into audit_entries (${columns}) values (10, 1, 'backup.downloaded', 'u1', 'x', 1, 'b', 'b', '[]')`,
    );
    const before = sqlite.prepare(`select ${columns} from audit_entries order by id`).all();
    migrate(sqlite, testResources, () => {});
    expect(sqlite.prepare(`select ${columns} from audit_entries order by id`).all()).toEqual(before);
    expect(sqlite.prepare('select id from audit_entries where is_notice').pluck().all()).toEqual([10]);
    for (const change of ['update audit_entries set is_notice = 0', 'delete from audit_entries']) {
      expect(() => sqlite.exec(change)).toThrow('audit entries are append-only');
    }
  });
});

describe('the migration of the ways in', () => {
  it('lets accounts and sessions of version 1.0.0 on as they were: without a phone, in by a password', () => {
    const sqlite = openVersion1Database();
    onTestFinished(() => void sqlite.close());
    migrate(sqlite, testResources, () => {});
    const columns =
      'phone, phone_since, phone_consent_at, admin_ended_at, must_change_password, seen_security_id, seen_email_change_id';
    expect(sqlite.prepare(`select ${columns} from users`).raw().all()).toEqual([[null, null, null, null, 0, 0, 0]]);
    expect(sqlite.prepare('select entry from sessions').pluck().all()).toEqual(['password']);
    const tables = [
      'wrong_tries',
      'security_log',
      'recovery_requests',
      'recovery_codes',
      'former_phones',
      'former_emails',
      'cards',
    ];
    for (const table of tables) expect(sqlite.prepare(`select count(*) from ${table}`).pluck().get(), table).toBe(0);
  });
});

describe('the migration of own data', () => {
  it('lets accounts of version 1.0.0 on without a consent and without a copy', () => {
    const sqlite = openVersion1Database();
    onTestFinished(() => void sqlite.close());
    migrate(sqlite, testResources, () => {});
    for (const table of ['consents', 'data_exports'])
      expect(sqlite.prepare(`select count(*) from ${table}`).pluck().get(), table).toBe(0);
    sqlite.exec(`insert into consents values ('u1', 'terms', '2025-01-01', 1);
      insert into data_exports values ('u1', 'failed', 'a.zip', null, 1)`);
    sqlite.pragma('foreign_keys = ON');
    sqlite.exec("delete from users where id = 'u1'");
    for (const table of ['consents', 'data_exports'])
      expect(sqlite.prepare(`select count(*) from ${table}`).pluck().get(), table).toBe(0);
  });
});

describe('the migration of erasure', () => {
  it('adds no request to a database of version 1.0.0, and one goes with its account', () => {
    const sqlite = openVersion1Database();
    onTestFinished(() => void sqlite.close());
    migrate(sqlite, testResources, () => {});
    const count = sqlite.prepare('select count(*) from erasure_requests').pluck();
    expect(count.get()).toBe(0);
    const columns = 'id, user_id, state, due_at, asked_at, created_at, updated_at';
    sqlite.exec(`insert into erasure_requests (${columns}) select 'e1', id, 'open', 2, 1, 1, 1 from users limit 1`);
    expect(count.get()).toBe(1);
    sqlite.exec('delete from users where id in (select user_id from erasure_requests)');
    expect(count.get()).toBe(0);
  });
});

describe('the migration of second factors', () => {
  it('adds none to a database of version 1.0.0, and all about one goes with its account', () => {
    const sqlite = openVersion1Database();
    onTestFinished(() => void sqlite.close());
    migrate(sqlite, testResources, () => {});
    const tables = ['second_factors', 'spare_codes', 'login_tickets', 'setup_codes', 'factor_removals'];
    const counts = () => tables.map((table) => sqlite.prepare(`select count(*) from ${table}`).pluck().get());
    expect(counts()).toEqual([0, 0, 0, 0, 0]);
    const { id } = sqlite.prepare('select id from users limit 1').get() as { id: string };
    sqlite.exec(`insert into second_factors values ('${id}', 'x', 1, 1, 0);
      insert into spare_codes values ('${id}', 'AA', 'x');
      insert into login_tickets values ('t', '${id}', 'password', null, 1, 0);
      insert into setup_codes values ('${id}', 'x', 'terminal', 1);
      insert into factor_removals values ('${id}', 'x', 1)`);
    expect(counts()).toEqual([1, 1, 1, 1, 1]);
    sqlite.prepare('delete from users where id = ?').run(id);
    expect(counts()).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('the migration of the retention', () => {
  it('keeps everything for ever, knows the sessions that are there, and notes those that begin and end', () => {
    const sqlite = openVersion1Database();
    onTestFinished(() => void sqlite.close());
    migrate(sqlite, testResources, () => {});
    for (const table of ['retention', 'retention_marks'])
      expect(sqlite.prepare(`select count(*) from ${table}`).pluck().get(), table).toBe(0);
    const read = sqlite.prepare('select entries, last_seen_at from account_activity').raw();
    expect(read.all()).toEqual([[1, 2]]);
    const columns = 'id, user_id, created_at, last_seen_at, expires_at';
    sqlite.exec(`insert into sessions (${columns}) select 's9', user_id, 5, 5, 9 from sessions`);
    expect(read.all()).toEqual([[2, 5]]);
    sqlite.exec("update sessions set last_seen_at = 7 where id = 's9'; delete from sessions where id = 's9'");
    expect(read.all()).toEqual([[2, 7]]);
    sqlite.exec('delete from users');
    expect(read.all()).toEqual([]);
  });
});

describe('the migration of texts with U+0000', () => {
  const NUL = "'Si' || char(0) || 'ti'";
  const CHANGED = 'Si\ufffdti';
  /** The text columns with U+0000. */
  function findNul(sqlite: Sqlite): string[] {
    const columns = sqlite
      .prepare<[], { table: string; column: string }>(
        `select m.name as "table", c.name as "column" from sqlite_master as m, pragma_table_info(m.name) as c
          where m.type = 'table' and c.type = 'TEXT' collate nocase`,
      )
      .all();
    expect(columns.length).toBeGreaterThan(20);
    const found = ({ table, column }: (typeof columns)[number]): unknown =>
      sqlite.prepare(`select 1 from "${table}" where instr("${column}", char(0))`).get();
    return columns.filter(found).map(({ table, column }) => `${table}.${column}`);
  }

  function openWithNul(lastIndex?: number): Sqlite {
    const sqlite = openVersion1Database(lastIndex);
    onTestFinished(() => void sqlite.close());
    sqlite.exec(`update users set name = ${NUL};
      update tax_records set name = ${NUL}, address = char(0) || 'Jl. "Melati" \\u0000 1' || char(0), notes = 'a\\' || char(0), spt_number = char(0) where id = 'r1';
      insert into messages (id, user_id, sender_id, sender_name, from_admin, content, client_id, side_ordinal, created_at)
        values (8, 'u1', 'u1', ${NUL}, 0, 'Selamat' || char(0) || 'malam', 'c2', 2, 1);
      insert into audit_entries (id, at, action, actor_id, actor_name, actor_is_admin, subject_id, subject_label, changes)
        values (10, 1, 'record.updated', 'u1', ${NUL}, 0, 'r1', char(0), '[{"field":"notes","from":null,"to":"C:\\\\u0000 a\\u0000b"}]')`);
    expect(findNul(sqlite)).toEqual(
      expect.arrayContaining(['users.name', 'messages.content', 'audit_entries.actor_name']),
    );
    return sqlite;
  }

  it.each([
    ['of version 1.0.0', undefined],
    ['of the version before', 31],
  ])('replaces it by U+FFFD in a database %s', (_version, lastIndex) => {
    const sqlite = openWithNul(lastIndex);
    migrate(sqlite, testResources, () => {});
    expect(findNul(sqlite)).toEqual([]);
    const read = (query: string): unknown => sqlite.prepare(query).raw().all();
    expect(read('select name from users')).toEqual([[CHANGED]]);
    expect(read("select name, address, notes, spt_number, description from tax_records where id = 'r1'")).toEqual([
      [CHANGED, '\ufffdJl. "Melati" \\u0000 1\ufffd', 'a\\\ufffd', '\ufffd', 'Rumah induk'],
    ]);
    expect(read('select sender_name, content from messages where id > 6 order by id')).toEqual([
      ['Siti Aminah', 'Selamat pagi'],
      [CHANGED, 'Selamat\ufffdmalam'],
    ]);
    const audit = sqlite.prepare<[], string>('select changes from audit_entries where id = 10').pluck().get() ?? '';
    expect(JSON.parse(audit)).toEqual([{ field: 'notes', from: null, to: 'C:\\u0000 a\ufffdb' }]);
    expect(() => sqlite.exec("update audit_entries set subject_label = ''")).toThrow('append-only');
    expect(read('select count(*), sum(records) from record_sums')).toEqual(
      read('select count(*), count(*) from tax_records'),
    );
  });

  it('leaves no text behind in the search indexes, and finds what was changed', () => {
    const sqlite = openWithNul(31);
    const count = (query: string, ...values: string[]): unknown =>
      sqlite
        .prepare(query)
        .pluck()
        .get(...values);
    // As the indexers of the version before left them.
    sqlite.exec(`insert into message_words (rowid, content) select id, content from messages;
      update message_index set after_id = 0, up_to_id = 8;
      delete from record_words_pending;
      insert into record_words (record_words) values ('delete-all');
      insert into record_words (rowid, name, address, spt_number, owner_name) select record_rowid, name, address, spt_number, owner_name from record_texts`);
    migrate(sqlite, testResources, () => {});
    const messages = 'select count(*) from message_words where message_words match ?';
    expect([count(messages, 'malam'), count(messages, 'selamat'), count(messages, 'pagi')]).toEqual([1, 2, 1]);
    expect(count('select count(*) from user_words where user_words match ?', 'con')).toBe(1);
    // The indexer adds both records: that one has another name, and the owner of the other has.
    expect(count('select count(*) from record_words_pending')).toBe(2);
    expect(count('select count(*) from record_words_pending where name is null')).toBe(2);
    sqlite.exec(`insert into record_words (rowid, name, address, spt_number, owner_name) select record_rowid, name, address, spt_number, owner_name from record_texts;
      delete from record_words_pending`);
    expect(count('select count(*) from record_words where record_words match ?', 'mel')).toBe(2);
    for (const index of ['message_words', 'record_words', 'user_words'])
      sqlite.exec(`insert into ${index} (${index}, rank) values ('integrity-check', 1)`);
  });

  it('gives an area another comparable name where one with U+FFFD is there', () => {
    const sqlite = openVersion1Database(31);
    onTestFinished(() => void sqlite.close());
    const area = (id: string, name: string) =>
      sqlite.prepare(`insert into areas values (?, ?, 'dusun', null, ?, 1, 1)`).run(id, name, `/dusun/${name}`);
    area('a1', 'x\0');
    area('a2', 'x\ufffd');
    area('a3', 'y\0');
    migrate(sqlite, testResources, () => {});
    expect(sqlite.prepare('select name, unique_name from areas order by id').raw().all()).toEqual([
      ['x\ufffd', '/dusun/x\ufffda1'],
      ['x\ufffd', '/dusun/x\ufffd'],
      ['y\ufffd', '/dusun/y\ufffd'],
    ]);
  });
});

describe('migrate', () => {
  it('rejects a database of a newer program', () => {
    const { sqlite, names } = buildDatabase();
    migrate(sqlite, buildResources({ '0000_a': createVillages, '0001_b': createStreets }), () => {});
    const createBackup = vi.fn();
    const migrateWithOlderProgram = (): number =>
      migrate(sqlite, buildResources({ '0000_a': createVillages }), createBackup);
    expect(migrateWithOlderProgram).toThrow(NewerDatabaseError);
    expect(migrateWithOlderProgram).toThrow('database dibuat oleh versi PBB Kita yang lebih baru daripada program ini');
    expect(createBackup).not.toHaveBeenCalled();
    expect(names('table')).toEqual(['__drizzle_migrations', 'streets', 'villages']);
  });

  it.each([
    [
      'a statement that fails',
      `${createStreets};${BREAK}update villages set name = 'x';${BREAK}create table broken (`,
      /incomplete input/,
    ],
    [
      'a migration that leaves dangling references',
      `${createStreets};${BREAK}insert into streets values (7, 99)`,
      /dangling/,
    ],
  ])('rejects %s and leaves the database unchanged and usable', (_what, faulty, message) => {
    const { sqlite, names, foreignKeysEnabled } = buildDatabase();
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
