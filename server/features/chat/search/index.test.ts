import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { MessageSearchResult } from '#shared/api/chat/inbox.ts';
import { openReadOnly } from '#server/db/sqlite/open.ts';
import type { Sqlite } from '#server/db/sqlite/connect.ts';
import { openTestDatabase } from '#server/testing/open-test-database.ts';
import { indexNewer, indexOlder, mergeIndex, readIndexRange } from '#server/messages/message-index-queries.ts';
import { buildChatApp } from '#server/testing/chat/chat-app.ts';
import { buildAdmin, buildTestUser, type SignedInUser } from '#server/testing/factories.ts';
import { planOf, ranStatements } from '#server/testing/query-plan.ts';
import { createMessageIndexer } from './indexer.ts';

const MARKER = /rahasia\d+z/gi;
const MESSAGES = 600;

function tempDatabaseFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-search-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'pbb.sqlite');
}

/** The markers in all files of the database, in lower case. */
function markersIn(file: string): Set<string> {
  const folder = dirname(file);
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  return new Set(texts.flatMap((text) => text.match(MARKER) ?? []).map((marker) => marker.toLowerCase()));
}

/** @throws when the index contradicts itself; with `content` also when it does not hold exactly the stored messages */
function requireIntact(sqlite: Sqlite, { content }: { content: boolean }): void {
  expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
  sqlite.prepare("insert into message_words (message_words, rank) values ('integrity-check', ?)").run(content ? 1 : 0);
  expect(tracesIn(sqlite)).toEqual([]);
}

/** The beginnings of pages of the index, by which FTS5 finds them; none may come from a word that is gone. */
function tracesIn(sqlite: Sqlite): string[] {
  const beginnings = sqlite.prepare<[], Buffer>('select term from message_words_idx').pluck().all();
  const words = sqlite.prepare<[], string>('select distinct term from message_vocabulary').pluck().all();
  return beginnings
    .map((beginning) => beginning.toString('latin1').slice(1))
    .filter((beginning) => beginning !== '' && !words.some((word) => word.startsWith(beginning)));
}

/** As an update from a version without the search leaves it. */
function forgetIndex(sqlite: Sqlite): void {
  sqlite.exec(`insert into message_words (message_words) values ('delete-all');
    update message_index set after_id = (select max(id) from messages), up_to_id = (select max(id) from messages)`);
}

/**
 * The app on a database on the disk, with messages of four users that have words of their own. FTS5 stores the beginning of a
 * word only once for its neighbours, so the markers stand at the end of words with different beginnings.
 */
async function buildFilledApp(file = tempDatabaseFile()) {
  const chat = await buildChatApp({ database: openTestDatabase(file) });
  const { test } = chat;
  const ratna = buildAdmin(test);
  const users = [0, 1, 2, 3].map(() => buildTestUser(test));
  const { sqlite } = test.database;
  const insert = sqlite.prepare(
    `insert into messages (user_id, sender_id, sender_name, from_admin, content, side_ordinal, created_at)
     values (?, ?, 'Warga', 0, ?, ?, 1)`,
  );
  const markersOf = new Map(users.map(({ id }): [string, string[]] => [id, []]));
  sqlite.transaction(() => {
    for (let n = 0; n < MESSAGES; n += 1) {
      const user = users[n % users.length] as SignedInUser;
      const words = [0, 1, 2, 3, 4, 5].map((at) => {
        const marker = `rahasia${n * 10 + at}z`;
        markersOf.get(user.id)?.push(marker);
        return `${((n * 10 + at) * 7919).toString(36)}${marker}`;
      });
      insert.run(user.id, user.id, `Umum pajak ${words.join(' ')}`, Math.floor(n / users.length) + 1);
    }
    sqlite.exec(`update conversations set user_ordinal = (select count(*) from messages m where m.user_id = conversations.user_id),
      last_message_id = coalesce((select max(id) from messages m where m.user_id = conversations.user_id), 0)`);
  })();
  forgetIndex(sqlite);
  const { write, orm } = test.context;
  return {
    ...chat,
    file,
    sqlite,
    ratna,
    users,
    markersOfAll: (some: SignedInUser[]) => new Set(some.flatMap(({ id }) => markersOf.get(id) ?? [])),
    /** Indexes from the newest message on, in steps of 50. */
    indexSteps: async (steps: number) => {
      for (let step = 0; step < steps; step += 1) {
        await write((tx) => indexOlder(tx, 50));
        await write((tx) => mergeIndex(tx, 4));
      }
    },
    range: () => readIndexRange(orm),
    found: async (q: string, from: SignedInUser = ratna) => {
      const path = `/api/admin/messages/search?${new URLSearchParams({ q, limit: '50' }).toString()}`;
      const { status, body } = await test.call('GET', path, { token: from.token });
      expect(status).toBe(200);
      return (body as { data: { data: MessageSearchResult[]; has_more: boolean; indexed_percent: number } }).data;
    },
  };
}

describe('deleted words are gone from the index and from the files of the database', () => {
  it.each([
    ['is complete', 12],
    ['is half built', 6],
    ['is not begun', 0],
  ])('after a history was deleted while the index %s', async (_, steps) => {
    const { file, sqlite, ratna, users, markersOfAll, indexSteps, clear, found } = await buildFilledApp();
    await indexSteps(steps);
    const [gone, ...kept] = users as [SignedInUser, ...SignedInUser[]];
    expect(markersIn(file)).toEqual(markersOfAll(users));
    await clear(ratna, gone.id);
    expect(markersIn(file)).toEqual(markersOfAll(kept));
    requireIntact(sqlite, { content: steps === 12 });
    expect((await found('umum')).data.some(({ user }) => user.id === gone.id)).toBe(false);

    // Going on with the index finds neither the emptied messages nor any gap.
    await indexSteps(12);
    requireIntact(sqlite, { content: true });
  });

  it('by reading the one word that follows, not all of them', async () => {
    const { test, ratna, users, indexSteps, clear } = await buildFilledApp();
    await indexSteps(12);
    const ran = await ranStatements(test, () => clear(ratna, users[0]?.id ?? ''));
    const texts = new Set(ran.map(({ text }) => text).filter((text) => /^select.* from message_vocabulary/.test(text)));
    expect(texts.size).toBe(1);
    for (const text of texts) expect(planOf(test, text)).not.toContain('TEMP B-TREE');
  });

  it('after accounts were deleted, down to the last one', async () => {
    const { file, test, sqlite, ratna, users, markersOfAll, indexSteps } = await buildFilledApp();
    await indexSteps(9);
    const left = new Set(users);
    for (const user of users) {
      expect((await test.call('DELETE', `/api/admin/users/${user.id}`, { token: ratna.token })).status).toBe(200);
      left.delete(user);
      expect(markersIn(file)).toEqual(markersOfAll([...left]));
      requireIntact(sqlite, { content: false });
    }
  });

  it('after the next start finished a deletion that a crash interrupted', async () => {
    const { file, test, sqlite, users, markersOfAll, indexSteps } = await buildFilledApp();
    await indexSteps(12);
    const [gone, ...kept] = users as [SignedInUser, ...SignedInUser[]];
    sqlite
      .prepare('update conversations set cleared_id = last_message_id, last_message_id = 0 where user_id = ?')
      .run(gone.id);
    await test.server.listen({ host: '127.0.0.1', port: 0 });
    const expected = markersOfAll(kept);
    await expect.poll(() => markersIn(file)).toEqual(expected);
    requireIntact(sqlite, { content: true });
  });
});

describe('the index', () => {
  it('goes on after a restart where it stopped, and then holds every message once', async () => {
    const file = tempDatabaseFile();
    const first = await buildFilledApp(file);
    await first.indexSteps(3);
    expect(await first.range()).toEqual({ id: 1, afterId: MESSAGES - 150, upToId: MESSAGES });
    const half = await first.found('umum');
    expect(half).toMatchObject({ has_more: true, indexed_percent: 25 });
    // Stored after the index, and not indexed before the program ended.
    await first.send(first.users[0] as SignedInUser, first.ratna, 'pesan terakhir');
    await first.test.server.close();
    first.sqlite.close();

    const logs: string[] = [];
    const { test } = await buildChatApp({
      database: openTestDatabase(file),
      logger: { level: 'info', stream: { write: (line: string) => void logs.push(line) } },
    });
    const ratna = buildAdmin(test);
    await test.server.listen({ host: '127.0.0.1', port: 0 });
    const { orm } = test.context;
    await expect.poll(() => readIndexRange(orm)).toEqual({ id: 1, afterId: 0, upToId: MESSAGES + 1 });
    requireIntact(test.database.sqlite, { content: true });
    const progress = () => logs.flatMap((line) => /Indeks pencarian: (\d+) %/.exec(line)?.[1] ?? []).map(Number);
    // The line follows the last step, which may still merge the index.
    await expect.poll(() => progress().at(-1)).toBe(100);
    expect(progress()).toEqual(progress().toSorted((a, b) => a - b));
    const path = '/api/admin/messages/search?q=terakhir';
    const { body } = await test.call('GET', path, { token: ratna.token });
    expect(body).toMatchObject({ data: { data: [{ message: { content: 'pesan terakhir' } }], indexed_percent: 100 } });
  });

  it('takes up new messages in the background, soon after they were stored', async () => {
    const { test, send, ratna, users, indexSteps, range } = await buildFilledApp();
    await indexSteps(12);
    await test.server.listen({ host: '127.0.0.1', port: 0 });
    for (let n = 0; n < 5; n += 1) await send(users[0] as SignedInUser, ratna, `baru ${n}`);
    await expect.poll(range).toEqual({ id: 1, afterId: 0, upToId: MESSAGES + 5 });
    requireIntact(test.database.sqlite, { content: true });
  });

  it('takes few long messages in one step, however many messages it may take', async () => {
    const { test, sqlite, range } = await buildFilledApp();
    const { write } = test.context;
    sqlite.exec('delete from messages');
    const insert = sqlite.prepare(
      `insert into messages (user_id, sender_id, sender_name, from_admin, content, side_ordinal, created_at)
       values ('budi', 'budi', 'Budi', 0, ?, 1, 1)`,
    );
    for (let n = 0; n < 300; n += 1) insert.run(`pajak${n} `.repeat(200));
    const { first, last } = sqlite.prepare('select min(id) as first, max(id) as last from messages').get() as {
      first: number;
      last: number;
    };
    expect(await write((tx) => indexNewer(tx, 2000))).toBe(true);
    expect((await range()).upToId - first).toBeLessThan(100);
    while (await write((tx) => indexNewer(tx, 2000)));
    expect((await range()).upToId).toBe(last);
    requireIntact(sqlite, { content: true });

    forgetIndex(sqlite);
    expect(await write((tx) => indexOlder(tx, 2000))).toBe(true);
    expect(last - (await range()).afterId).toBeLessThan(100);
    while (await write((tx) => indexOlder(tx, 2000)));
    requireIntact(sqlite, { content: true });
  });

  it('goes on after a step that failed, as while another program holds the database', async () => {
    const { test, range } = await buildFilledApp();
    const { write } = test.context;
    let steps = 0;
    const app = Fastify();
    onTestFinished(() => app.close());
    const failOnce: typeof write = (change) =>
      (steps += 1) === 2 ? Promise.reject(new Error('database is locked')) : write(change);
    createMessageIndexer(app, { ...test.context, write: failOnce }, 1);
    await app.listen({ host: '127.0.0.1', port: 0 });
    await expect.poll(async () => (await range()).afterId).toBe(0);
    requireIntact(test.database.sqlite, { content: true });
  });

  it('can index new and old messages in any order', async () => {
    const { test, sqlite, send, ratna, users, indexSteps } = await buildFilledApp();
    const { write } = test.context;
    for (let n = 0; n < 6; n += 1) {
      await indexSteps(2);
      await send(users[n % 4] as SignedInUser, ratna, `baru ${n}`);
      await write((tx) => indexNewer(tx, 1));
    }
    requireIntact(sqlite, { content: true });
  });

  it('belongs to the check of the database, also through a connection that only reads', async () => {
    const { file, sqlite, indexSteps } = await buildFilledApp();
    await indexSteps(12);
    sqlite.unsafeMode(true).exec('delete from message_words_data where id > 100 and rowid % 2 = 0');
    sqlite.unsafeMode(false);
    const reader = openReadOnly(file).sqlite;
    onTestFinished(() => void reader.close());
    expect(reader.pragma('quick_check(1)', { simple: true })).not.toBe('ok');
  });
});
