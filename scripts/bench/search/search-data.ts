import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '#server/db/migrations/migrate.ts';
import { openDatabase } from '#server/db/open.ts';
import { programResources } from '#server/files/program-resources.ts';
import type { Resources } from '#server/files/resources.ts';
import { DAY_MS } from '#shared/durations.ts';
import { FIRST_NAMES, LAST_NAMES } from '../../seed/sample-texts.ts';
import { createSeededRandom } from '../../seed/seeded-random.ts';
import { type BenchUser, createUserInserter, SECRET } from '../seed-data.ts';
import { createMessageTexts } from './message-texts.ts';

export type SearchData = {
  dataDir: string;
  databaseFile: string;
  admin: BenchUser;
  user: BenchUser;
  vocabulary: string[];
  bytes: number;
};

const JOURNAL = 'migrations/meta/_journal.json';
/** Version 1.0.0 has the migrations 0000 to 0003. */
const LAST_MIGRATION_INDEX = 3;
const USERS = 20_000;
const ADMIN_SHARE = 0.45;

function version1Resources(): Resources {
  const resources = programResources();
  return {
    keys: (prefix) => resources.keys(prefix),
    read(key) {
      if (key !== JOURNAL) return resources.read(key);
      const journal = JSON.parse(resources.read(JOURNAL).toString('utf8')) as { entries: { idx: number }[] };
      const entries = journal.entries.filter(({ idx }) => idx <= LAST_MIGRATION_INDEX);
      return Buffer.from(JSON.stringify({ ...journal, entries }));
    },
  };
}

/** A data folder as version 1.0.0 leaves it, with so many messages of 20,000 users, some of whom write much more than others. */
export function createSearchData(messageCount: number): SearchData {
  const dataDir = mkdtempSync(join(tmpdir(), 'pbb-bench-'));
  writeFileSync(join(dataDir, 'secret'), SECRET, { mode: 0o600 });
  const databaseFile = join(dataDir, 'pbb.sqlite');
  const { sqlite } = openDatabase(databaseFile);
  migrate(sqlite, version1Resources(), () => undefined);
  sqlite.pragma('synchronous = OFF');
  const random = createSeededRandom(messageCount);
  const texts = createMessageTexts(random);
  const addMessage = sqlite.prepare(
    `insert into messages (user_id, sender_id, sender_name, from_admin, content, client_id, prev_id, side_ordinal, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const setConversation = sqlite.prepare(
    'update conversations set last_message_id = ?, user_ordinal = ?, admin_ordinal = ? where user_id = ?',
  );
  const insertUser = createUserInserter(sqlite);
  const users = sqlite.transaction(() => {
    const admin = insertUser('Ibu Ratna', true);
    const people = Array.from({ length: USERS }, () => {
      const name = `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`;
      return { ...insertUser(name, false), name, lastId: 0, ordinals: [0, 0] as [number, number] };
    });
    const start = Date.now() - messageCount - DAY_MS;
    for (let id = 1; id <= messageCount; id += 1) {
      const rank = random.integer(0, 1_000_000) / 1_000_001;
      const person = people[Math.floor(rank ** 2 * USERS)];
      if (!person) continue;
      const side = random.withProbability(ADMIN_SHARE) ? 1 : 0;
      person.ordinals[side] += 1;
      const [senderId, senderName] = side === 1 ? [admin.id, 'Ibu Ratna'] : [person.id, person.name];
      addMessage.run(person.id, senderId, senderName, side, texts.message(), crypto.randomUUID(), person.lastId || null,
        person.ordinals[side], start + id); // prettier-ignore
      person.lastId = id;
    }
    for (const { id, lastId, ordinals } of people) setConversation.run(lastId, ...ordinals, id);
    return { admin, user: people[0] ?? admin };
  })();
  sqlite.pragma('wal_checkpoint(TRUNCATE)');
  sqlite.close();
  return { dataDir, databaseFile, ...users, vocabulary: texts.vocabulary, bytes: statSync(databaseFile).size };
}
