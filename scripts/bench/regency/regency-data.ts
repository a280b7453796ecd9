import { join } from 'node:path';
import { v7 as newId } from 'uuid';
import { DUMMY_HASH } from '#server/accounts/passwords.ts';
import { migrate } from '#server/db/migrations/migrate.ts';
import { markClean } from '#server/db/sqlite/deleted-texts.ts';
import { openDatabase } from '#server/db/sqlite/open.ts';
import type { Sqlite } from '#server/db/sqlite/connect.ts';
import { programResources } from '#server/files/program-resources.ts';
import { DAY_MS } from '#shared/durations.ts';
import { PROPERTY_TYPES } from '#shared/domain/tax-records/record-values.ts';
import { FIRST_NAMES, LAST_NAMES, STREETS } from '../../seed/sample-texts.ts';
import { createSeededRandom, type SeededRandom } from '../../seed/seeded-random.ts';
import { fillRecordIndex } from '../seed-data.ts';
import { createMessageTexts } from './message-texts.ts';

/** All counts follow from the number of records. */
export function sizesOf(records: number) {
  const share = (part: number, min: number): number => Math.max(min, Math.round(records * part));
  return {
    records,
    users: share(0.3, 100),
    /** Users with messages. */
    conversations: share(0.06, 100),
    messages: records * 2,
    villages: share(0.0003, 3),
    admins: share(0.0006, 5),
    sessions: share(0.012, 20),
    /** These snoozes end at the same moment, as those until Monday 08.00. */
    snoozesEnding: share(0.002, 20),
  };
}
export type RegencySizes = ReturnType<typeof sizesOf>;

/** An account with an open session. */
export type SessionOf = { id: string; sessionId: string };
export type MadeData = {
  admins: SessionOf[];
  users: SessionOf[];
  vocabulary: string[];
  /** The moment at which some snoozes end; a copy of the data sets another. */
  snoozesEndAtMs: number;
};

const ADMIN_SHARE = 0.45;
const YEARS = 5;
const PAID_SHARE = 0.62;
const REPORTED_SHARE = 0.08;
const MESSAGES_FOR_MS = 540 * DAY_MS;
/** Everything at once would need gigabytes of memory before the commit. */
const ROWS_PER_TRANSACTION = 50_000;

type Person = {
  id: string;
  name: string;
  village: number;
  lastId: number;
  /** When the oldest message that waits was sent. */
  waitsSinceMs: number | null;
  ordinals: { user: number; admin: number };
};
type Maker = { sqlite: Sqlite; random: SeededRandom; sizes: RegencySizes; nowMs: number };

function inTransactions(sqlite: Sqlite, count: number, add: (index: number) => void): void {
  for (let from = 0; from < count; from += ROWS_PER_TRANSACTION) {
    sqlite.transaction(() => {
      for (let index = from; index < Math.min(count, from + ROWS_PER_TRANSACTION); index += 1) add(index);
    })();
  }
}

/** Fills the large tables without their indexes and triggers, which are made again afterwards. */
function withoutIndexes(sqlite: Sqlite, fill: () => void): void {
  const parts = sqlite
    .prepare<[], { type: string; name: string; sql: string }>(
      `select type, name, sql from sqlite_master where sql is not null
        and (type = 'index' and tbl_name in ('tax_records', 'audit_entries', 'messages')
          or type = 'trigger' and tbl_name = 'tax_records')`,
    )
    .all();
  for (const { type, name } of parts) sqlite.exec(`drop ${type} "${name}"`);
  fill();
  for (const { sql } of parts) sqlite.exec(sql);
}

function addAccounts({ sqlite, random, sizes, nowMs }: Maker) {
  const addUser = sqlite.prepare(
    `insert into users (id, name, email, password_hash, is_admin, is_active, created_at, updated_at)
     values (?, ?, ?, ?, ?, 1, ?, ?)`,
  );
  const addSession = sqlite.prepare(
    'insert into sessions (id, user_id, created_at, last_seen_at, expires_at) values (?, ?, ?, ?, ?)',
  );
  const add = (name: string, email: string, isAdmin: boolean): string => {
    const id = newId();
    const createdAt = nowMs - random.integer(0, YEARS * 365) * DAY_MS;
    addUser.run(id, name, email, DUMMY_HASH, isAdmin ? 1 : 0, createdAt, createdAt);
    return id;
  };
  const signIn = (id: string): SessionOf => {
    const sessionId = newId();
    addSession.run(sessionId, id, nowMs, nowMs, nowMs + DAY_MS);
    return { id, sessionId };
  };
  const admins: SessionOf[] = [];
  const people: Person[] = [];
  const users: SessionOf[] = [];
  inTransactions(sqlite, sizes.admins, (index) => {
    admins.push(signIn(add(`Petugas ${random.pick(FIRST_NAMES)} ${index}`, `petugas${index}@kota.contoh.id`, true)));
  });
  inTransactions(sqlite, sizes.users, (index) => {
    const name = `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`;
    const id = add(name, `warga${index}@kota.contoh.id`, false);
    people.push({
      id,
      name,
      village: index % sizes.villages,
      lastId: 0,
      waitsSinceMs: null,
      ordinals: { user: 0, admin: 0 },
    });
    if (index < sizes.sessions) users.push(signIn(id));
  });
  return { admins, users, people };
}

const padded = (value: number, length: number): string => String(value).padStart(length, '0');

/** Some records of each user and year, most of them paid, each with its audit entry. */
function addRecords({ sqlite, random, sizes }: Maker, people: readonly Person[]): void {
  const addRecord = sqlite.prepare(
    `insert into tax_records (id, user_id, name, address, tax_type, property_type, spt_number, year, amount_sen, description,
      status, due_date, payment_date, reported_at, check_result, checked_at, checked_by_name, check_state, created_at, updated_at)
     values (?, ?, ?, ?, 'PBB', ?, ?, ?, ?, 'Rumah', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const addEntry = sqlite.prepare(
    `insert into audit_entries (at, action, actor_id, actor_name, actor_is_admin, subject_id, subject_label, changes)
     values (?, 'record.created', ?, ?, 0, ?, ?, '[{"field":"status","from":null,"to":"belum_lunas"}]')`,
  );
  const thisYear = new Date().getUTCFullYear();
  inTransactions(sqlite, sizes.records, (index) => {
    const owner = people[index % people.length];
    if (!owner) return;
    const year = thisYear - YEARS + 1 + (Math.floor(index / people.length) % YEARS);
    const createdAt = Date.UTC(year, 0, 10) + random.integer(0, 200 * DAY_MS);
    const isPaid = random.withProbability(PAID_SHARE);
    const isReported = !isPaid && random.withProbability(REPORTED_SHARE);
    const isChecked = isPaid && random.withProbability(0.7);
    const number = `35.15.${padded(100 + (owner.village % 25), 3)}.${padded(owner.village, 3)}.${padded(random.integer(1, 30), 3)}-${padded(index % 10_000, 4)}.0`;
    const paidAtMs = createdAt + random.integer(10, 150) * DAY_MS;
    const id = newId();
    addRecord.run(
      id,
      owner.id,
      owner.name,
      `${random.pick(STREETS)} ${random.integer(1, 400)} RT ${random.integer(1, 9)}, Desa ${owner.village}`,
      random.pick(PROPERTY_TYPES),
      number,
      year,
      random.integer(35, 4000) * 100_000,
      isPaid ? 'lunas' : isReported ? 'proses' : 'belum_lunas',
      random.withProbability(0.95) ? `${year}-09-30` : null,
      isPaid ? new Date(paidAtMs).toISOString().slice(0, 10) : null,
      isReported || isChecked ? createdAt + 1 : null,
      isChecked ? 'matched' : null,
      isChecked ? createdAt + 2 : null,
      isChecked ? 'Petugas' : null,
      isChecked ? 'matched' : isReported ? 'pending' : 'none',
      createdAt,
      createdAt,
    );
    addEntry.run(createdAt, owner.id, owner.name, id, `${number} · ${year} · ${owner.name}`);
  });
}

/** Fills what triggers would have kept for each row, and what a migration leaves to the server. */
function fillKept(sqlite: Sqlite): void {
  const group = 'year, property_type, status, check_state, amount_source, due_date';
  sqlite.exec(
    `insert into record_sums (${group}, records, sen_high, sen_low)
      select ${group}, count(*), sum(amount_sen >> 24), sum(amount_sen & 16777215) from tax_records group by ${group}`,
  );
  sqlite.exec(
    `insert into searched_records (record_rowid, group_id, amount_sen, name, owner_name)
      select r.rowid, s.id, r.amount_sen, r.name, nullif(u.name, r.name) from tax_records r join users u on u.id = r.user_id
        join record_sums s on s.year = r.year and s.status = r.status and s.check_state = r.check_state
          and s.amount_source = r.amount_source and s.property_type is r.property_type and s.due_date is r.due_date`,
  );
  sqlite.exec('insert into record_parts (part, changes) select distinct rowid >> 15, 1 from tax_records');
  fillRecordIndex(sqlite);
  // As after an update: no message is in the search index yet, and the newest come first.
  sqlite.exec(`update message_index set (after_id, up_to_id) = (select max(id), max(id) from messages)`);
}

/** Some users write much more than others. */
function addMessages(
  { sqlite, random, sizes, nowMs }: Maker,
  { writers, admins, text }: { writers: readonly Person[]; admins: readonly SessionOf[]; text: () => string },
): void {
  const add = sqlite.prepare(
    `insert into messages (user_id, sender_id, sender_name, from_admin, content, client_id, prev_id, side_ordinal, created_at,
      waited_since)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const stepMs = Math.floor(MESSAGES_FOR_MS / (sizes.messages + 1));
  const startMs = nowMs - MESSAGES_FOR_MS;
  inTransactions(sqlite, sizes.messages, (index) => {
    const rank = random.integer(0, 1_000_000) / 1_000_001;
    const writer = writers[Math.floor(rank ** 2 * writers.length)];
    if (!writer) return;
    const isAdmin = random.withProbability(ADMIN_SHARE);
    const side = isAdmin ? 'admin' : 'user';
    writer.ordinals[side] += 1;
    const [senderId, senderName] = isAdmin
      ? [admins[writer.village % admins.length]?.id, 'Ibu Ratna']
      : [writer.id, writer.name];
    const at = startMs + index * stepMs;
    const previousId = writer.lastId || null;
    const ordinal = writer.ordinals[side];
    const [clientId, waitedSince] = [crypto.randomUUID(), isAdmin ? writer.waitsSinceMs : null];
    const fromAdmin = isAdmin ? 1 : 0;
    add.run(writer.id, senderId, senderName, fromAdmin, text(), clientId, previousId, ordinal, at, waitedSince);
    const waitsSinceMs = isAdmin ? null : (writer.waitsSinceMs ?? at);
    Object.assign(writer, { lastId: index + 1, waitsSinceMs });
  });
}

/** Most of those without an answer wait; some are dismissed, snoozed, claimed or unread, and some have notes. */
function setStates(
  { sqlite, random, sizes, nowMs }: Maker,
  {
    writers,
    admins,
    snoozesEndAtMs,
  }: { writers: readonly Person[]; admins: readonly SessionOf[]; snoozesEndAtMs: number },
): void {
  const set = sqlite.prepare(
    `update conversations set last_message_id = ?, user_ordinal = ?, admin_ordinal = ?, admin_read_ordinal = ?,
      unanswered_since = ?, claimed_by = ?, claimed_at = ?, snoozed_until = ?, dismissed_id = ? where user_id = ?`,
  );
  const addNote = sqlite.prepare(
    `insert into conversation_notes (user_id, author_id, author_name, content, client_id, created_at)
      values (?, ?, 'Ibu Ratna', 'Sudah ditelepon', ?, ?)`,
  );
  const addDismissal = sqlite.prepare('insert into conversation_dismissals (user_id, message_id) values (?, ?)');
  inTransactions(sqlite, writers.length, (index) => {
    const writer = writers[index];
    if (!writer) return;
    const { id, lastId, waitsSinceMs, ordinals } = writer;
    const isDismissed = waitsSinceMs !== null && random.withProbability(0.3);
    const isClaimed = random.withProbability(0.02);
    const isRead = ordinals.user === 0 || random.withProbability(0.8);
    const laterMs = random.withProbability(0.05) ? nowMs + random.integer(DAY_MS, 30 * DAY_MS) : null;
    set.run(
      lastId,
      ordinals.user,
      ordinals.admin,
      isRead ? ordinals.user : ordinals.user - 1,
      isDismissed ? null : waitsSinceMs,
      isClaimed ? random.pick(admins).id : null,
      isClaimed ? nowMs : null,
      index < sizes.snoozesEnding ? snoozesEndAtMs : laterMs,
      isDismissed ? lastId : 0,
      id,
    );
    if (isDismissed) addDismissal.run(id, lastId);
    if (random.withProbability(0.1)) addNote.run(id, admins[0]?.id, `note-${index}`, nowMs);
  });
}

/** Makes the database of a regency in a folder. */
export function makeRegencyData(folder: string, records: number): MadeData {
  const { sqlite } = openDatabase(join(folder, 'pbb.sqlite'));
  migrate(sqlite, programResources(), () => undefined);
  // Otherwise each archive rewrites the database, as for version 1.0.0, and shares nothing with the one before.
  markClean(sqlite);
  sqlite.pragma('synchronous = OFF');
  const random = createSeededRandom(records);
  const texts = createMessageTexts(random);
  const maker: Maker = { sqlite, random, sizes: sizesOf(records), nowMs: Date.now() };
  const { admins, users, people } = addAccounts(maker);
  const writers = people.slice(0, maker.sizes.conversations);
  const snoozesEndAtMs = maker.nowMs + DAY_MS;
  withoutIndexes(sqlite, () => {
    addRecords(maker, people);
    addMessages(maker, { writers, admins, text: () => texts.message() });
  });
  fillKept(sqlite);
  setStates(maker, { writers, admins, snoozesEndAtMs });
  sqlite.pragma('wal_checkpoint(TRUNCATE)');
  sqlite.close();
  return { admins, users, vocabulary: texts.vocabulary, snoozesEndAtMs };
}
