import type { Resources } from '#server/files/resources.ts';
import { testResources } from '#server/testing/open-test-database.ts';
import { migrate } from '../db/migrations/migrate.ts';
import { openDatabase } from '../db/sqlite/open.ts';
import type { Sqlite } from '../db/sqlite/connect.ts';

const JOURNAL = 'migrations/meta/_journal.json';
/** Version 1.0.0 has the migrations 0000 to 0003. */
const VERSION_1_INDEX = 3;

/** The migrations up to one, read from the files of this program. */
const resourcesUpTo = (lastIndex: number): Resources => ({
  keys: testResources.keys,
  read: (key) => {
    if (key !== JOURNAL) return testResources.read(key);
    const journal: { entries: { idx: number }[] } = JSON.parse(testResources.read(JOURNAL).toString('utf8'));
    const entries = journal.entries.filter(({ idx }) => idx <= lastIndex);
    return Buffer.from(JSON.stringify({ ...journal, entries }));
  },
});

// SQL with names of columns, because schema.ts describes the newest version only. A trigger adds the conversation.
const rows = `
  insert into users (id, name, email, password_hash, created_at, updated_at)
    values ('u1', 'Siti Aminah', 'siti@contoh.id', 'hash', 1, 2);
  insert into sessions (id, user_id, created_at, last_seen_at, expires_at, user_agent, address)
    values ('s1', 'u1', 1, 2, 3, 'Firefox', '127.0.0.1');
  insert into tax_records (id, user_id, name, address, tax_type, property_type, spt_number, year, amount_sen,
    description, status, due_date, payment_date, notes, proof_file, rolled_over_at, created_at, updated_at)
    values ('r1', 'u1', 'Siti Aminah', 'Jl. Melati 1', 'PBB', 'toko', 'SPT-1', 2024, 150000000,
    'Rumah induk', 'lunas', '2024-09-30', '2024-08-17', 'Tunai', 'bukti.png', 5, 1, 2);
  insert into tax_records (id, user_id, name, address, tax_type, spt_number, year, amount_sen, status,
    predecessor_id, created_at, updated_at)
    values ('r2', 'u1', 'Siti Aminah', 'Jl. Melati 1', 'PBB', 'SPT-1', 2025, 165000000, 'belum_lunas', 'r1', 1, 2);
  insert into messages (id, user_id, sender_id, sender_name, from_admin, content, client_id, side_ordinal, created_at)
    values (7, 'u1', 'u1', 'Siti Aminah', 0, 'Selamat pagi', 'c1', 1, 1);
  update conversations set last_message_id = 7, user_ordinal = 1, unanswered_since = 1 where user_id = 'u1';
  insert into audit_entries (id, at, action, actor_id, actor_name, actor_is_admin, subject_id, subject_label, changes)
    values (9, 1, 'record.create', 'u1', 'Siti Aminah', 0, 'r1', 'SPT-1', '[]');
`;

/**
 * A database in memory as version 1.0.0 leaves it, with rows in every table. The caller closes it.
 * @param lastIndex the last migration that was applied to it since
 */
export function openVersion1Database(lastIndex: number = VERSION_1_INDEX): Sqlite {
  const { sqlite } = openDatabase(':memory:');
  migrate(sqlite, resourcesUpTo(VERSION_1_INDEX), () => {});
  sqlite.exec(rows);
  if (lastIndex > VERSION_1_INDEX) migrate(sqlite, resourcesUpTo(lastIndex), () => {});
  return sqlite;
}
