import { describe, expect, it } from 'vitest';
import type { History } from '#shared/api/chat/chat.ts';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { buildChatApp } from '#server/testing/chat/chat-app.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';

/** Budi's conversation with `count` messages of both sides in turn, and a second conversation in between. */
async function buildLongConversation(count: number) {
  const chat = await buildChatApp();
  const [ratna, budi, siti] = [buildAdmin(chat.test), buildTestUser(chat.test), buildTestUser(chat.test)];
  const sendNumbered = async (n: number) =>
    n % 3 === 0 ? chat.send(ratna, budi, `${n}`) : chat.send(budi, ratna, `${n}`);
  for (let n = 1; n <= count; n += 1) {
    chat.test.clock.advance(1000);
    await sendNumbered(n);
    if (n % 4 === 0) await chat.send(siti, ratna, 'lain');
  }
  return { ...chat, ratna, budi, siti, write: sendNumbered };
}

const numbers = ({ messages }: History): number[] => messages.map(({ content }) => Number(content));
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe('pages of a conversation', () => {
  it('start with the newest messages, each page oldest first', async () => {
    const { history, ratna, budi } = await buildLongConversation(25);
    const pages: [page: string, numbers: number[], more: boolean][] = [
      ['?limit=10', range(16, 25), true],
      ['?limit=10&page=2', range(6, 15), true],
      ['?limit=10&page=3', range(1, 5), false],
      ['?limit=10&page=4', [], false],
      ['?limit=10&page=999999999999999', [], false],
      [`?limit=200&page=${'9'.repeat(40)}`, [], false],
      ['?limit=5&page=5', range(1, 5), false],
      ['?limit=25', range(1, 25), false],
      ['?limit=24', range(2, 25), true],
    ];
    for (const [query, expected, more] of pages) {
      const slice = await history(ratna, budi.id, query);
      expect([query, numbers(slice), slice.has_more, slice.total]).toEqual([query, expected, more, 25]);
    }
  });

  it('hold 50 messages by default and 200 at most; a wrong limit counts as absent', async () => {
    const { history, ratna, budi } = await buildLongConversation(60);
    for (const query of [
      '',
      '?limit=0',
      '?limit=-5',
      '?limit=x',
      '?limit=1.5',
      '?limit=1&limit=2',
      '?page=0',
      '?page=x',
    ]) {
      const slice = await history(ratna, budi.id, query);
      expect([query, slice.limit, slice.page, numbers(slice)]).toEqual([query, 50, 1, range(11, 60)]);
    }
    expect(await history(ratna, budi.id, '?limit=99999')).toMatchObject({ limit: 200, has_more: false });
  });

  it('stay complete by message id while messages arrive', async () => {
    const { history, ratna, budi, write: sendNumbered } = await buildLongConversation(20);
    const newest = await history(ratna, budi.id, '?limit=8');
    expect(numbers(newest)).toEqual(range(13, 20));
    for (const n of [21, 22, 23]) await sendNumbered(n);
    const older = await history(ratna, budi.id, `?limit=8&before=${newest.messages[0]?.id}`);
    expect([numbers(older), older.has_more]).toEqual([range(5, 12), true]);
    const oldest = await history(ratna, budi.id, `?limit=8&before=${older.messages[0]?.id}`);
    expect([numbers(oldest), oldest.has_more]).toEqual([range(1, 4), false]);
    const newer = await history(ratna, budi.id, `?after=${newest.messages.at(-1)?.id}`);
    expect([numbers(newer), newer.has_more]).toEqual([[21, 22, 23], false]);
    const first = await history(ratna, budi.id, '?after=0&limit=3');
    expect([numbers(first), first.has_more]).toEqual([[1, 2, 3], true]);
    const between = await history(
      ratna,
      budi.id,
      `?after=${older.messages[0]?.id}&before=${newest.messages[0]?.id}&limit=50`,
    );
    expect([numbers(between), between.has_more]).toEqual([range(6, 12), false]);
  });

  it('ignore an id of another conversation, an unknown id and a value that is no id', async () => {
    const { history, ratna, budi, siti } = await buildLongConversation(9);
    const [other] = (await history(ratna, siti.id)).messages;
    // Siti's first message is newer than Budi's fourth.
    expect(numbers(await history(budi, ratna.id, `?before=${other?.id}`))).toEqual(range(1, 4));
    expect(numbers(await history(budi, ratna.id, `?after=${other?.id}`))).toEqual(range(5, 9));
    for (const digits of [15, 16, 40]) {
      const beyond = '9'.repeat(digits);
      expect(numbers(await history(budi, ratna.id, `?after=${beyond}`))).toEqual([]);
      expect(numbers(await history(budi, ratna.id, `?before=${beyond}`))).toEqual(range(1, 9));
    }
    expect(numbers(await history(budi, ratna.id, '?before=0'))).toEqual([]);
    for (const query of ['?before=x', '?after=-1', '?before=1e3', '?after=', '?before=1&before=2', '?after=null']) {
      expect([query, numbers(await history(budi, ratna.id, query))]).toEqual([query, range(1, 9)]);
    }
  });

  it('link up by prev_id without a gap', async () => {
    const { history, ratna, budi } = await buildLongConversation(15);
    const { messages } = await history(ratna, budi.id);
    expect(messages.map(({ prev_id }) => prev_id)).toEqual([null, ...messages.slice(0, -1).map(({ id }) => id)]);
    expect(messages.map(({ id }) => Number(id))).toEqual(
      messages.map(({ id }) => Number(id)).toSorted((a, b) => a - b),
    );
  });
});

describe('a deleted history', () => {
  it('shows nothing to both sides and can start again', async () => {
    const { history, list, see: markSeen, clear, send, ratna, budi, siti } = await buildLongConversation(7);
    await markSeen(budi, ratna.id);
    await clear(ratna, budi.id);
    for (const currentUser of [ratna, budi]) {
      const userId = currentUser.isAdmin ? budi.id : ratna.id;
      for (const query of ['', '?page=2', '?after=0', '?before=999999']) {
        expect(await history(currentUser, userId, query)).toMatchObject({ messages: [], total: 0, has_more: false });
      }
    }
    const adminList = await list(ratna);
    expect(adminList).toMatchObject({ total: 1, total_unread: 1, data: [{ other_user: { id: siti.id } }] });
    expect(await list(budi)).toMatchObject({ data: [], total: 0, total_unread: 0 });

    const message = await send(budi, ratna, '8');
    expect(message.prev_id).toBeNull();
    expect(await history(ratna, budi.id)).toMatchObject({ messages: [message], total: 1 });
    expect((await list(ratna)).data[0]).toMatchObject({ unread_count: 1, other_user: { id: budi.id } });
  });

  it('leaves no text on the disk, even of long messages, and no other conversation is changed', async () => {
    const { test, clear, history, ratna, budi, siti } = await buildLongConversation(8);
    const insert = test.database.sqlite.prepare(
      `insert into messages (user_id, sender_id, sender_name, from_admin, content, side_ordinal, created_at)
       values (?, ?, 'Budi', 0, 'rahasia', ?, 0)`,
    );
    test.database.sqlite.transaction(() => {
      for (let n = 0; n < 1700; n += 1) insert.run(budi.id, budi.id, 100 + n);
    })();
    await clear(ratna, budi.id);
    const nonEmptyMessages = test.database.sqlite.prepare<[string], number>(
      `select count(*) from messages where content <> '' and user_id = ?`,
    );
    expect([nonEmptyMessages.pluck().get(budi.id), nonEmptyMessages.pluck().get(siti.id)]).toEqual([0, 2]);
    expect((await history(ratna, siti.id)).messages.map(({ content }) => content)).toEqual(['lain', 'lain']);
  });

  itOnSqlite('can be deleted twice, which also removes texts that a crash left behind', async () => {
    const { test, clear, ratna, budi } = await buildLongConversation(5);
    await clear(ratna, budi.id);
    test.database.sqlite.prepare(`update messages set content = 'tersisa' where user_id = ?`).run(budi.id);
    await clear(ratna, budi.id);
    const left = test.database.sqlite.prepare(`select count(*) from messages where content = 'tersisa'`).pluck().get();
    expect(left).toBe(0);
  });

  it('still recognises sent messages: a repeated send stores and publishes nothing', async () => {
    const { send, clear, history, countStored, ratna, budi } = await buildLongConversation(0);
    const first = await send(budi, ratna, 'Halo', 'satu');
    await clear(ratna, budi.id);
    expect(await send(budi, ratna, 'Halo', 'satu')).toEqual(first);
    expect(countStored()).toBe(1);
    expect((await history(budi, ratna.id)).messages).toEqual([]);
  });

  it('keeps the positions', async () => {
    const { history, see: markSeen, clear, send, ratna, budi } = await buildLongConversation(4);
    await markSeen(ratna, budi.id);
    const before = await history(ratna, budi.id);
    await clear(ratna, budi.id);
    await markSeen(ratna, budi.id, { up_to: 1 });
    await markSeen(ratna, budi.id);
    expect(await history(ratna, budi.id)).toEqual({ ...before, messages: [], total: 0 });
    const { id } = await send(budi, ratna);
    expect(await markSeen(ratna, budi.id)).toEqual({ user_id: budi.id, unread_count: 0 });
    expect((await history(ratna, budi.id)).admin_seen_id).toBe(id);
  });
});

it('answers all parts of a page as of one moment while messages come', async () => {
  const { send, history, list, ratna, budi } = await buildLongConversation(0);
  const sending = Promise.all(range(1, 30).map((n) => send(ratna, budi, `${n}`)));
  const pages = await Promise.all(range(1, 30).map(() => history(budi, ratna.id)));
  const lists = await Promise.all(range(1, 30).map(() => list(budi)));
  await sending;
  expect(pages.map(({ total }) => total)).toEqual(pages.map(({ messages }) => messages.length));
  const unreadOfRows = lists.map(({ data }) => data[0]?.unread_count ?? 0);
  expect(lists.map(({ total_unread }) => total_unread)).toEqual(unreadOfRows);
});
