import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '#server/db/migrations/migrate.ts';
import { openDatabase, type Sqlite } from '#server/db/open.ts';
import { programResources } from '#server/files/program-resources.ts';
import { DAY_MS } from '#shared/durations.ts';
import { FIRST_NAMES, LAST_NAMES } from '../../seed/sample-texts.ts';
import { createSeededRandom, type SeededRandom } from '../../seed/seeded-random.ts';
import { type BenchUser, createUserInserter, SECRET } from '../seed-data.ts';
import { createMessageTexts } from './message-texts.ts';

export type RegencyData = {
  dataDir: string;
  databaseFile: string;
  admins: BenchUser[];
  users: BenchUser[];
  vocabulary: string[];
  /** The moment at which `SNOOZES_ENDING` conversations wait again, if it is not past already. */
  snoozesEndAtMs: number;
};

const USERS = 20_000;
const ADMINS = 5;
const ADMIN_SHARE = 0.45;
/** These snoozes end at the same moment, as those until Monday 08.00. */
export const SNOOZES_ENDING = 2000;
/** Until then the search index is filled, which takes longer with more messages. */
const snoozesEndAfterMs = (messageCount: number): number => 60_000 + messageCount / 15;

type Conversation = BenchUser & {
  name: string;
  lastId: number;
  lastAtMs: number;
  isAnswered: boolean;
  ordinals: { user: number; admin: number };
};

/** Stores the messages; some users write much more than others. */
function addMessages(
  sqlite: Sqlite,
  random: SeededRandom,
  { count, conversations, admins, text }: { count: number; conversations: Conversation[]; admins: BenchUser[]; text: () => string }, // prettier-ignore
): void {
  const add = sqlite.prepare(
    `insert into messages (user_id, sender_id, sender_name, from_admin, content, client_id, prev_id, side_ordinal, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const start = Date.now() - count - DAY_MS;
  for (let id = 1; id <= count; id += 1) {
    const rank = random.integer(0, 1_000_000) / 1_000_001;
    const conversation = conversations[Math.floor(rank ** 2 * conversations.length)];
    if (!conversation) continue;
    const isAdmin = random.withProbability(ADMIN_SHARE);
    const side = isAdmin ? 'admin' : 'user';
    conversation.ordinals[side] += 1;
    const [senderId, senderName] = isAdmin
      ? [random.pick(admins).id, 'Ibu Ratna']
      : [conversation.id, conversation.name];
    add.run(conversation.id, senderId, senderName, isAdmin ? 1 : 0, text(), crypto.randomUUID(), conversation.lastId || null,
      conversation.ordinals[side], start + id); // prettier-ignore
    Object.assign(conversation, { lastId: id, lastAtMs: start + id, isAnswered: isAdmin });
  }
}

/** Most of those without an answer wait; some are dismissed, snoozed, claimed or unread, and some have notes. */
function setStates(
  sqlite: Sqlite,
  random: SeededRandom,
  {
    conversations,
    admins,
    snoozesEndAtMs,
  }: { conversations: Conversation[]; admins: BenchUser[]; snoozesEndAtMs: number },
): void {
  const set = sqlite.prepare(
    `update conversations set last_message_id = ?, user_ordinal = ?, admin_ordinal = ?, admin_read_ordinal = ?,
      unanswered_since = ?, claimed_by = ?, claimed_at = ?, snoozed_until = ?, dismissed_id = ? where user_id = ?`,
  );
  const addNote = sqlite.prepare(
    `insert into conversation_notes (user_id, author_id, author_name, content, client_id, created_at)
      values (?, ?, 'Ibu Ratna', 'Sudah ditelepon', ?, ?)`,
  );
  const now = Date.now();
  for (const [index, { id, lastId, lastAtMs, isAnswered, ordinals }] of conversations.entries()) {
    const isDismissed = !isAnswered && random.withProbability(0.3);
    const isClaimed = random.withProbability(0.02);
    const isRead = ordinals.user === 0 || random.withProbability(0.8);
    const laterMs = random.withProbability(0.05) ? now + random.integer(DAY_MS, 30 * DAY_MS) : null;
    set.run(lastId, ordinals.user, ordinals.admin, isRead ? ordinals.user : ordinals.user - 1,
      isAnswered || isDismissed || lastId === 0 ? null : lastAtMs, isClaimed ? random.pick(admins).id : null,
      isClaimed ? now : null, index < SNOOZES_ENDING ? snoozesEndAtMs : laterMs, isDismissed ? lastId : 0, id); // prettier-ignore
    if (random.withProbability(0.1)) addNote.run(id, admins[0]?.id, `note-${index}`, now);
  }
}

/** A data folder with 20,000 conversations and the given number of messages, none of which is in the search index yet. */
export function createRegencyData(messageCount: number): RegencyData {
  const dataDir = mkdtempSync(join(tmpdir(), 'pbb-bench-'));
  writeFileSync(join(dataDir, 'secret'), SECRET, { mode: 0o600 });
  const databaseFile = join(dataDir, 'pbb.sqlite');
  const { sqlite } = openDatabase(databaseFile);
  migrate(sqlite, programResources(), () => undefined);
  sqlite.pragma('synchronous = OFF');
  const random = createSeededRandom(messageCount);
  const texts = createMessageTexts(random);
  const insertUser = createUserInserter(sqlite);
  const fill = sqlite.transaction(() => {
    const admins = Array.from({ length: ADMINS }, (_, index) => insertUser(`Petugas ${index}`, true));
    const conversations = Array.from({ length: USERS }, (): Conversation => {
      const name = `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`;
      return {
        ...insertUser(name, false),
        name,
        lastId: 0,
        lastAtMs: 0,
        isAnswered: true,
        ordinals: { user: 0, admin: 0 },
      };
    });
    addMessages(sqlite, random, { count: messageCount, conversations, admins, text: () => texts.message() });
    const snoozesEndAtMs = Date.now() + snoozesEndAfterMs(messageCount);
    setStates(sqlite, random, { conversations, admins, snoozesEndAtMs });
    return { admins, users: conversations, snoozesEndAtMs };
  });
  const filled = fill();
  sqlite.pragma('wal_checkpoint(TRUNCATE)');
  sqlite.close();
  return { dataDir, databaseFile, ...filled, vocabulary: texts.vocabulary };
}
