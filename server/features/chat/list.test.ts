import { describe, expect, it } from 'vitest';
import { buildAdmin, buildTestUser, type SignedInUser } from '#server/testing/factories.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';
import { createChatService } from './service.ts';
import { createUnreadCounts } from './unread.ts';
import { createConversationStates } from './state/state-service.ts';
import { buildChatApp, type ConversationList } from '#server/testing/chat/chat-app.ts';

const names = ({ data }: ConversationList): string[] => data.map(({ other_user }) => other_user.name);

async function buildChatWithAdmin() {
  const chat = await buildChatApp();
  const ratna = buildAdmin(chat.test);
  const buildNamedUser = (name: string, overrides: Partial<SignedInUser> = {}) =>
    buildTestUser(chat.test, { name, ...overrides });
  return { ...chat, ratna, buildNamedUser };
}

describe('the list of an admin', () => {
  it('shows the user, the last message, the unread count and since when the user waits for an answer', async () => {
    const { test, send, list, ratna, buildNamedUser } = await buildChatWithAdmin();
    const budi = buildNamedUser('Budi', { email: 'budi@contoh.id' });
    await send(ratna, budi, 'Selamat pagi');
    test.clock.set('2026-06-10T06:00:00.000Z');
    await send(budi, ratna, 'Satu');
    test.clock.set('2026-06-10T07:00:00.000Z');
    const last = await send(budi, ratna, 'Dua');
    expect(await list(ratna)).toEqual({
      success: true,
      message: 'Daftar percakapan',
      data: [
        {
          other_user: {
            _id: budi.id,
            id: budi.id,
            name: 'Budi',
            email: 'budi@contoh.id',
            has_email: true,
            is_active: true,
          },
          unread_count: 2,
          last_message: {
            _id: last.id,
            id: last.id,
            content: 'Dua',
            kind: 'chat',
            photos: 0,
            documents: 0,
            record_year: null,
            sender_id: budi.id,
            sender_name: 'Budi',
            from_admin: false,
            createdAt: last.createdAt,
            created_at: last.createdAt,
          },
          unanswered_since: '2026-06-10T06:00:00.000Z',
          state: 'waiting',
          claimed_by: null,
          snoozed_until: null,
          note_count: 0,
        },
      ],
      counts: { waiting: 1, unread: 1, snoozed: 0, mine: 0 },
      total: 1,
      per_page: 20,
      current_page: 1,
      last_page: 1,
      has_more: false,
      total_unread: 2,
    });
    await send(ratna, budi, 'Siap');
    expect((await list(ratna)).data[0]).toMatchObject({ unread_count: 2, unanswered_since: null });
  });

  it('follows the order of the latest activity of either side', async () => {
    const { send, list, see: markSeen, ratna, buildNamedUser } = await buildChatWithAdmin();
    const [a, b, c] = [buildNamedUser('A'), buildNamedUser('B'), buildNamedUser('C')];
    await send(a, ratna);
    await send(b, ratna);
    await send(ratna, c);
    expect(names(await list(ratna))).toEqual(['C', 'B', 'A']);
    await send(ratna, a);
    expect(names(await list(ratna))).toEqual(['A', 'C', 'B']);
    // Reading is no activity.
    await markSeen(ratna, b.id);
    expect(names(await list(ratna))).toEqual(['A', 'C', 'B']);
  });

  it('comes in pages of 20 rows by default and 100 at most', async () => {
    const { send, list, ratna, buildNamedUser } = await buildChatWithAdmin();
    for (let n = 1; n <= 45; n += 1) await send(buildNamedUser(`W${n}`), ratna);
    const named = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, at) => `W${from - at}`);
    const first = await list(ratna);
    expect([names(first), first.total, first.has_more]).toEqual([named(45, 26), 45, true]);
    expect(names(await list(ratna, '?page=2'))).toEqual(named(25, 6));
    expect(await list(ratna, '?page=3')).toMatchObject({ has_more: false, last_page: 3, current_page: 3 });
    expect(names(await list(ratna, '?page=4'))).toEqual([]);
    expect(names(await list(ratna, '?limit=2&page=3'))).toEqual(named(41, 40));
    expect(await list(ratna, '?limit=1000')).toMatchObject({ per_page: 100, has_more: false });
    for (const query of ['?limit=0', '?limit=x', '?page=-1', '?page=1e9', '?limit[]=5']) {
      expect([query, names(await list(ratna, query))]).toEqual([query, named(45, 26)]);
    }
    for (const page of ['999999999999999', '9'.repeat(40)]) {
      expect(names(await list(ratna, `?limit=100&page=${page}`))).toEqual([]);
    }
  });

  it('finds by name or e-mail, ignores letter case, and takes % and _ literally', async () => {
    const { send, list, ratna, buildNamedUser } = await buildChatWithAdmin();
    const users = [
      buildNamedUser('Budi 100% Jujur', { email: 'satu@contoh.id' }),
      buildNamedUser('Siti_Aminah', { email: 'dua@contoh.id' }),
      buildNamedUser('Sitixaminah', { email: 'BUDI.tiga@contoh.id'.toLowerCase() }),
      buildNamedUser(String.raw`Back\slash`, { email: 'empat@contoh.id' }),
    ];
    for (const sender of users) await send(sender, ratna);
    const found = async (search: string) => names(await list(ratna, `?search=${encodeURIComponent(search)}`));
    expect(await found('budi')).toEqual(['Sitixaminah', 'Budi 100% Jujur']);
    expect(await found(' AMINAH ')).toEqual(['Sitixaminah', 'Siti_Aminah']);
    expect(await found('siti_')).toEqual(['Siti_Aminah']);
    expect(await found('0% J')).toEqual(['Budi 100% Jujur']);
    expect(await found('%')).toEqual(['Budi 100% Jujur']);
    expect(await found('\\')).toEqual([String.raw`Back\slash`]);
    expect(await found("' or 1=1 --")).toEqual([]);
    expect(await found('CONTOH.id')).toHaveLength(4);
    expect(await found('')).toHaveLength(4);
    expect(await list(ratna, '?search=aminah&limit=1')).toMatchObject({ total: 2, has_more: true });
  });

  it('filters unread and unanswered conversations', async () => {
    const { send, list, see: markSeen, ratna, buildNamedUser } = await buildChatWithAdmin();
    const [a, b, c] = [buildNamedUser('A'), buildNamedUser('B'), buildNamedUser('C')];
    for (const sender of [a, b, c]) await send(sender, ratna);
    await markSeen(ratna, a.id);
    await send(ratna, b);
    expect(names(await list(ratna, '?unread=1'))).toEqual(['B', 'C']);
    // Opening a conversation does not remove it from the unanswered ones; answering does.
    expect(names(await list(ratna, '?unanswered=1'))).toEqual(['C', 'A']);
    expect(await list(ratna, '?unread=1&unanswered=true')).toMatchObject({ total: 1, total_unread: 2 });
    expect(names(await list(ratna, '?unread=1&unanswered=1'))).toEqual(['C']);
    expect(names(await list(ratna, '?unread=1&search=b'))).toEqual(['B']);
    expect(names(await list(ratna, '?unread=0&unanswered=&search=%20'))).toEqual(['B', 'C', 'A']);
  });

  it.each([
    'unread=ya',
    'unanswered=2',
    'all=semua',
    'unread=1&unread=1',
    'search=a&search=a',
    `search=${'a'.repeat(201)}`,
  ])('answers a filter that no conversation can match with nothing, to both sides: %s', async (query) => {
    const { send, list, ratna, buildNamedUser } = await buildChatWithAdmin();
    const user = buildNamedUser('A');
    await send(user, ratna);
    for (const side of [ratna, user]) {
      expect(await list(side, `?${query}`)).toMatchObject({ data: [], total: 0, has_more: false });
    }
  });

  it('sorts by the longest wait with `sort=waiting`, and those without one after all others', async () => {
    const { test, send, list, ratna, buildNamedUser } = await buildChatWithAdmin();
    const [a, b, c, d] = ['A', 'B', 'C', 'D'].map((name) => buildNamedUser(name)) as [
      SignedInUser,
      SignedInUser,
      SignedInUser,
      SignedInUser,
    ];
    for (const [hour, sender, receiver] of [
      [1, c, ratna],
      [2, d, ratna],
      [3, a, ratna],
      [4, b, ratna],
      // The wait of C began with the first message; D was answered.
      [5, c, ratna],
      [6, ratna, d],
    ] as const) {
      test.clock.set(`2026-06-10T0${hour}:00:00.000Z`);
      await send(sender, receiver);
    }
    expect(names(await list(ratna))).toEqual(['D', 'C', 'B', 'A']);
    expect(names(await list(ratna, '?sort=waiting'))).toEqual(['C', 'A', 'B', 'D']);
    const waiting = await list(ratna, '?unanswered=1&sort=waiting&limit=2');
    expect([names(waiting), waiting.total]).toEqual([['C', 'A'], 3]);
    expect(names(await list(ratna, '?unanswered=1&sort=waiting&limit=2&page=2'))).toEqual(['B']);
    expect(names(await list(ratna, '?sort=latest'))).toEqual(['D', 'C', 'B', 'A']);
    expect(names(await list(a, '?sort=waiting'))).toHaveLength(1);
  });

  it('lists with `all` also users who have not written, after all others', async () => {
    const { send, list, clear, ratna, buildNamedUser } = await buildChatWithAdmin();
    const [withoutMessages, a, cleared] = [buildNamedUser('Diam'), buildNamedUser('A'), buildNamedUser('Terhapus')];
    await send(a, ratna);
    await send(cleared, ratna);
    await clear(ratna, cleared.id);
    expect(names(await list(ratna))).toEqual(['A']);
    const all = await list(ratna, '?all=1');
    expect([names(all)[0], names(all).slice(1).toSorted(), all.total]).toEqual(['A', ['Diam', 'Terhapus'], 3]);
    expect(all.data.find(({ other_user }) => other_user.id === withoutMessages.id)).toMatchObject({
      unread_count: 0,
      last_message: null,
      unanswered_since: null,
    });
    expect(names(await list(ratna, '?all=1&search=dia'))).toEqual(['Diam']);
    const paged = await Promise.all([1, 2, 3].map(async (page) => list(ratna, `?all=1&limit=1&page=${page}`)));
    expect(paged.flatMap(names)).toEqual(names(all));
  });

  it('contains users only: the conversation of an account that is an admin now returns with its role', async () => {
    const { test, send, list, history, ratna, buildNamedUser } = await buildChatWithAdmin();
    const [a, b] = [buildNamedUser('A'), buildNamedUser('B')];
    await send(a, ratna);
    await send(b, ratna);
    const setAdmin = (isAdmin: number) =>
      test.database.sqlite.prepare('update users set is_admin = ? where id = ?').run(isAdmin, b.id);
    setAdmin(1);
    expect(await list(ratna, '?all=1')).toMatchObject({
      total: 1,
      total_unread: 1,
      data: [{ other_user: { name: 'A' } }],
    });
    expect(names(await list(b))).toEqual(['A']);
    setAdmin(0);
    expect(await list(ratna)).toMatchObject({ total: 2, total_unread: 2 });
    expect((await history(ratna, b.id)).messages).toHaveLength(1);
  });
});

describe('the list of a user', () => {
  it('shows one row: the own conversation, with the admin contact and the user’s own counts', async () => {
    const { send, list, see: markSeen, ratna, buildNamedUser } = await buildChatWithAdmin();
    const [budi, siti] = [buildNamedUser('Budi'), buildNamedUser('Siti')];
    expect(await list(budi)).toMatchObject({ data: [], total: 0, total_unread: 0 });
    await send(siti, ratna, 'Rahasia Siti');
    await send(ratna, budi, 'Satu');
    await send(ratna, budi, 'Dua');
    const expected = {
      total: 1,
      total_unread: 2,
      data: [
        {
          other_user: { id: ratna.id, name: 'Ibu Ratna', email: '' },
          unread_count: 2,
          last_message: { content: 'Dua', from_admin: true },
        },
      ],
    };
    // No parameter shows a user more.
    for (const query of ['', '?all=1', '?search=Siti', '?unread=1', '?page=1&limit=100', `?onlyUserId=${siti.id}`]) {
      expect([query, await list(budi, query)]).toMatchObject([query, expected]);
    }
    await markSeen(budi, ratna.id);
    expect(await list(budi)).toMatchObject({ total_unread: 0, data: [{ unread_count: 0 }] });
    expect(await list(budi, '?unread=1')).toMatchObject({ data: [], total: 0 });
  });
});

describe('an account that changes', () => {
  it('removes its conversation and its share of the total from the list of the admins', async () => {
    const { test, send, list, ratna, buildNamedUser } = await buildChatWithAdmin();
    const [a, b] = [buildNamedUser('A'), buildNamedUser('B')];
    await send(a, ratna);
    await send(b, ratna);
    const adminTab = await openTab(test, ratna);
    const tab = await openTab(test, a);
    await waitForPendingEvents(test, adminTab, tab);
    adminTab.clearReceived();
    test.database.sqlite.prepare('delete from users where id = ?').run(b.id);
    const service = createChatService(
      test.context,
      await createConversationStates(test.context),
      async () => ratna,
      createUnreadCounts(test.context, { unreadChanged: () => undefined }, (error) => {
        throw error;
      }),
      { removeCleared: async () => undefined },
    );
    await service.accountChanged(b.id);
    await waitForPendingEvents(test, adminTab, tab);
    expect(adminTab.received()).toEqual([
      { event: 'conversation:deleted', payload: { user_id: b.id } },
      { event: 'unread', payload: { user_id: b.id, unread_count: 0, total_unread: 1 } },
    ]);
    expect(tab.payloadsOf('conversation:deleted')).toEqual([]);
    expect(await list(ratna)).toMatchObject({ total: 1, total_unread: 1 });
  });
});
