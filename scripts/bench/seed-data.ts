import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHmac } from 'node:crypto';
import { v7 as newId } from 'uuid';
import type { Database } from 'better-sqlite3';
import { migrate } from '#server/db/migrations/migrate.ts';
import { openDatabase } from '#server/db/sqlite/open.ts';
import { DUMMY_HASH } from '#server/accounts/passwords.ts';
import { programResources } from '#server/files/program-resources.ts';
import { createSeededRandom } from '../seed/seeded-random.ts';
import { DAY_MS } from '#shared/durations.ts';
import { PROPERTY_TYPES } from '#shared/domain/tax-records/record-values.ts';

export type BenchUser = { id: string; token: string };
export type BenchData = { dataDir: string; databaseFile: string; admin: BenchUser; user: BenchUser; records: number };

export const SECRET = 'a-secret-for-measurements-that-is-long-enough';
const RECORDS_PER_USER = 200;
const STATUSES = ['lunas', 'belum_lunas', 'proses'] as const;
const YEAR_MS = 365 * DAY_MS;

const encodeBase64Url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export function signToken(sub: string, jti: string, nowMs: number): string {
  const iat = Math.floor(nowMs / 1000);
  const signed = `${encodeBase64Url({ alg: 'HS256', typ: 'JWT' })}.${encodeBase64Url({ sub, jti, iat, exp: iat + DAY_MS / 1000 })}`;
  return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
}

/** The returned function inserts a user or an admin with an open session. */
export function createUserInserter(sqlite: Database): (name: string, isAdmin: boolean) => BenchUser {
  const addUser = sqlite.prepare(
    `insert into users (id, name, email, password_hash, is_admin, is_active, created_at, updated_at)
     values (?, ?, ?, ?, ?, 1, ?, ?)`,
  );
  const addSession = sqlite.prepare(
    'insert into sessions (id, user_id, created_at, last_seen_at, expires_at) values (?, ?, ?, ?, ?)',
  );
  return (name, isAdmin) => {
    const now = Date.now();
    const id = newId();
    addUser.run(id, name, `${id}@contoh.id`, DUMMY_HASH, isAdmin ? 1 : 0, now, now);
    const jti = newId();
    addSession.run(jti, id, now, now, now + DAY_MS);
    return { id, token: signToken(id, jti, now) };
  };
}

/** Adds users without records, or admins. No server may use the data folder yet. */
export function addUsers({ databaseFile }: BenchData, count: number, isAdmin = false): BenchUser[] {
  const { sqlite } = openDatabase(databaseFile);
  const insertUser = createUserInserter(sqlite);
  const add = sqlite.transaction(() =>
    Array.from({ length: count }, (_, index) => insertUser(`Pengirim ${index}`, isAdmin)),
  );
  const users = add();
  sqlite.close();
  return users;
}

/** Fills the search index over records, as it is when the server has run for a while. */
export function fillRecordIndex(sqlite: Database): void {
  sqlite.exec(`insert into record_words (record_words) values ('rebuild');
    insert into record_words (record_words) values ('optimize');
    delete from record_words_pending`);
}

/** Creates a data folder with records of the last four years, 200 per user, and as many audit entries. */
export function createBenchData(recordCount: number): BenchData {
  const dataDir = mkdtempSync(join(tmpdir(), 'pbb-bench-'));
  writeFileSync(join(dataDir, 'secret'), SECRET, { mode: 0o600 });
  const databaseFile = join(dataDir, 'pbb.sqlite');
  const { sqlite } = openDatabase(databaseFile);
  migrate(sqlite, programResources(), () => undefined);
  const random = createSeededRandom(recordCount);
  const now = Date.now();
  const addRecord = sqlite.prepare(
    `insert into tax_records (id, user_id, name, address, tax_type, property_type, spt_number, year, amount_sen,
     description, status, due_date, payment_date, created_at, updated_at)
     values (?, ?, ?, ?, 'PBB', ?, ?, ?, ?, 'Rumah', ?, ?, null, ?, ?)`,
  );
  const addEntry = sqlite.prepare(
    `insert into audit_entries (at, action, actor_id, actor_name, actor_is_admin, subject_id, subject_label, changes)
     values (?, 'record.updated', ?, ?, 0, ?, ?, '[{"field":"status","from":"proses","to":"lunas"}]')`,
  );
  const insertUser = createUserInserter(sqlite);
  const fill = sqlite.transaction(() => {
    const admin = insertUser('Ibu Ratna', true);
    let user = insertUser('Warga 0', false);
    for (let index = 0; index < recordCount; index += 1) {
      if (index > 0 && index % RECORDS_PER_USER === 0) user = insertUser(`Warga ${index}`, false);
      const createdAt = now - random.integer(0, 4 * YEAR_MS);
      const year = random.integer(2022, 2026);
      const name = `Warga ${random.integer(1, 99_999)}`;
      const address = `Jl. Melati ${random.integer(1, 999)}`;
      const amount = random.integer(50_000, 5_000_000) * 100;
      const dueDate = random.withProbability(0.9) ? `${year}-09-30` : null;
      const id = newId();
      addEntry.run(createdAt, user.id, name, id, `SPT-${index} · ${year} · ${name}`);
      addRecord.run(id, user.id, name, address, random.pick([...PROPERTY_TYPES, null]), `SPT-${index}`, year, amount,
        random.pick(STATUSES), dueDate, createdAt, createdAt); // prettier-ignore
    }
    return { admin, user };
  });
  const users = fill();
  // A third waits for a check, as after the update of a large office.
  sqlite.exec("update tax_records set reported_at = updated_at, check_state = 'pending' where status = 'proses'");
  fillRecordIndex(sqlite);
  sqlite.pragma('wal_checkpoint(TRUNCATE)');
  sqlite.close();
  return { dataDir, databaseFile, ...users, records: recordCount };
}
