import { describe, expect, it } from 'vitest';
import type { MessageSearchResult } from '#shared/api/chat/inbox.ts';
import { buildChatApp } from '#server/testing/chat/chat-app.ts';
import { writeNotice } from '#server/testing/chat/notices.ts';
import { buildAdmin, buildTestUser, type SignedInUser } from '#server/testing/factories.ts';
import { indexNewer } from '#server/messages/message-index-queries.ts';
import { changeUser } from '#server/testing/rows.ts';
import { searchMessages } from './search.ts';

type Found = { data: MessageSearchResult[]; has_more: boolean; indexed_percent: number };

async function buildSearchApp() {
  const chat = await buildChatApp();
  const { test } = chat;
  const ratna = buildAdmin(test);
  const [budi, siti] = [buildTestUser(test, { name: 'Budi Santoso' }), buildTestUser(test, { name: 'Siti Aminah' })];
  const call = async (from: { token: string }, path: string, query: Record<string, string>) =>
    test.call('GET', `/api${path}?${new URLSearchParams(query).toString()}`, { token: from.token });
  const found = async (path: string, from: SignedInUser, query: Record<string, string>): Promise<Found> => {
    const { status, body } = await call(from, path, query);
    expect(status, JSON.stringify(body)).toBe(200);
    return (body as { data: Found }).data;
  };
  const texts = (answer: Found): string[] => answer.data.map(({ message }) => message.content);
  return {
    ...chat,
    ratna,
    budi,
    siti,
    call,
    searchAll: async (q: string, query: Record<string, string> = {}) =>
      found('/admin/messages/search', ratna, { q, ...query }),
    searchOwn: async (from: SignedInUser, q: string, query: Record<string, string> = {}) =>
      found('/messages/search', from, { q, ...query }),
    texts,
  };
}

/** The marked parts of the snippets. */
const marked = (answer: Found): string[][] =>
  answer.data.map(({ snippet, marks }) => marks.map(([from, to]) => snippet.slice(from, to)));

describe('an admin', () => {
  it('finds words of both sides in all conversations, newest first, with their places', async () => {
    const { send, ratna, budi, siti, searchAll, texts } = await buildSearchApp();
    await send(budi, ratna, 'Selamat pagi, sertifikat saya hilang');
    await send(siti, ratna, 'Berapa PBB saya?');
    await send(ratna, budi, 'Sertifikat mana, Pak?');
    const answer = await searchAll('SERTIFIKAT');
    expect(texts(answer)).toEqual(['Sertifikat mana, Pak?', 'Selamat pagi, sertifikat saya hilang']);
    expect(marked(answer)).toEqual([['Sertifikat'], ['sertifikat']]);
    expect(answer).toMatchObject({ has_more: false, indexed_percent: 100 });
    expect(answer.data.map(({ user }) => user)).toEqual([1, 2].map(() => ({ id: budi.id, name: budi.name })));
  });

  it.each([
    ['sertif', 'the beginning of the last word'],
    ['sertífikat', 'a word with an accent'],
    ['PEMBAYARAN sertifikat', 'several words in any order'],
    ['32.75.010.001.002-0034.0', 'a number with dots'],
    ['Rp 45.000', 'an amount'],
    ['45.000', 'a number'],
    ['santoso', 'the name of the user'],
    ['budi pembayaran', 'a name with a word'],
    ['"sertifikat"', 'a word in quotes'],
    ['sertifikat -- !!', 'a word and signs'],
  ])('finds %s: %s', async (q) => {
    const { send, ratna, budi, siti, searchAll, texts } = await buildSearchApp();
    const content = 'Sèrtifikat 32.75.010.001.002-0034.0, pembayaran Rp 45.000🙏';
    await send(budi, ratna, content);
    await send(siti, ratna, 'Halo 45 dan 000 serta 32 75 10');
    expect(texts(await searchAll(q))).toEqual([content]);
  });

  it.each([
    'ertifikat',
    'sertif hilang',
    '45.0001',
    '45 001',
    's',
    '',
    '  ',
    '...',
    '"',
    '*',
    'a'.repeat(201),
    '\0',
    '\uD83D',
  ])('does not find %j', async (q) => {
    const { send, ratna, budi, searchAll } = await buildSearchApp();
    await send(budi, ratna, 'sertifikat 45.000 hilang');
    expect(await searchAll(q)).toEqual({ data: [], has_more: false, indexed_percent: 100 });
  });

  it.each([
    ['35.15.180.012.001-0034.0', ['351518001200100340', '35.15.180.012.001-0034.0']],
    ['351518001200100340', ['351518001200100340', '35.15.180.012.001-0034.0']],
    ['budi 351518001200100340', ['351518001200100340', '35.15.180.012.001-0034.0']],
    ['35-15-180-012-001-0034-0 sawah', ['351518001200100340']],
    ['012.001-0034', ['012.001-0034']],
    ['35151800120010034', ['351518001200100340']],
  ])('finds a NOP by %s as each message has it, before and after the indexing', async (q, places) => {
    const { test, send, ratna, budi, siti, searchAll, texts } = await buildSearchApp();
    await send(budi, ratna, 'NOP saya 35.15.180.012.001-0034.0, Bu');
    await send(budi, ratna, '351518001200100340 sawah');
    for (const other of ['35.15.180.012.001-0035.0', '351518001200100350', '35 15 180 dan 012.001'])
      await send(siti, ratna, other);
    const answer = await searchAll(q);
    expect(marked(answer).map(([first]) => first)).toEqual(places);
    await test.context.write((tx) => indexNewer(tx, 100));
    const indexed = await searchMessages(test.context.orm, { query: q, userId: null, before: 1e9, limit: 9 }, 0);
    expect(indexed.found.map(({ row }) => row.content)).toEqual(texts(answer));
  });

  it('shows the NOP of an older notice with its signs, and marks it whichever form was searched', async () => {
    const chat = await buildSearchApp();
    await writeNotice(chat, chat.ratna, chat.budi, { content: 'Permintaan NOP 351518001200100340 disetujui' });
    for (const q of ['351518001200100340', '35.15.180.012.001-0034.0']) {
      const answer = await chat.searchAll(q);
      expect(answer.data.map(({ snippet }) => snippet)).toEqual(['Permintaan NOP 35.15.180.012.001-0034.0 disetujui']);
      expect(marked(answer)).toEqual([['35.15.180.012.001-0034.0']]);
      expect(chat.texts(answer)).toEqual(['Permintaan NOP 351518001200100340 disetujui']);
    }
  });

  it('finds the answers in the conversation of a person by the name, and only there with user_id the words', async () => {
    const { send, ratna, budi, siti, searchAll, texts } = await buildSearchApp();
    await send(ratna, budi, 'Silakan datang besok');
    await send(siti, ratna, 'Salam dari Budi');
    await send(siti, ratna, 'Datang jam berapa?');
    expect(texts(await searchAll('budi'))).toEqual(['Salam dari Budi', 'Silakan datang besok']);
    expect(texts(await searchAll('budi datang'))).toEqual(['Silakan datang besok']);
    expect(texts(await searchAll('datang', { user_id: budi.id }))).toEqual(['Silakan datang besok']);
    expect(texts(await searchAll('budi', { user_id: budi.id }))).toEqual([]);
    expect(texts(await searchAll('datang', { user_id: 'tidak-ada' }))).toEqual([]);
    expect(texts(await searchAll('datang', { user_id: ratna.id }))).toEqual([]);
  });

  it('finds names together with words in every way, when the index is asked', async () => {
    const { test, send, ratna, budi, siti } = await buildSearchApp();
    const texts = ['titip salam untuk Siti', 'Budi mau datang', 'datang besok', 'pagi'];
    for (const user of [budi, siti]) for (const text of texts) await send(user, ratna, text);
    await test.context.write((tx) => indexNewer(tx, 100));
    const find = async (query: string): Promise<string[]> =>
      (await searchMessages(test.context.orm, { query, userId: null, before: 1e9, limit: 50 }, 0)).found.map(
        ({ row, person }) => `${person.name}: ${row.content}`,
      );
    const [a, b] = [budi.name, siti.name];
    expect(await find('budi siti')).toEqual([`${b}: Budi mau datang`, `${a}: titip salam untuk Siti`]);
    expect(await find('siti datang')).toEqual([`${b}: datang besok`, `${b}: Budi mau datang`]);
    expect(await find('datang sit')).toEqual([`${b}: datang besok`, `${b}: Budi mau datang`]);
    expect(await find('santoso budi')).toEqual(texts.toReversed().map((text) => `${a}: ${text}`));
  });

  it.each([
    ['an pagi', ['Ni Wayan-An']],
    ['pagi a', []],
    ['pagi da', ['(Da)', 'Dani']],
    ['da pagi.', ['(Da)']],
    ['wayan.an pagi', ['Ni Wayan-An']],
    ['an.wayan pagi', []],
    ['josé pagi', ['José']],
  ])('finds %s by names with short words and signs, however many accounts have them', async (query, names) => {
    const { test, send, ratna } = await buildSearchApp();
    for (const name of ['Ni Wayan-An', 'Dani', '(Da)', 'José', '...'])
      await send(buildTestUser(test, { name }), ratna, 'Selamat pagi');
    await test.context.write((tx) => indexNewer(tx, 100));
    for (const listedMax of [0, 5000]) {
      const search = { query, userId: null, before: 1e9, limit: 50 };
      const { found } = await searchMessages(test.context.orm, search, 0, listedMax);
      expect(found.map(({ person }) => person.name).toSorted(), `${listedMax}`).toEqual(names);
    }
  });

  it('gets pages without gaps or repeats while messages arrive', async () => {
    const { send, ratna, budi, siti, searchAll, texts } = await buildSearchApp();
    for (let n = 1; n <= 25; n += 1) await send(n % 2 ? budi : siti, ratna, `antrean nomor ${n}`);
    const all: string[] = [];
    let before = '';
    for (;;) {
      const page = await searchAll('antrean', { limit: '10', ...(before && { before }) });
      all.push(...texts(page));
      before = page.data.at(-1)?.message.id ?? '';
      await send(budi, ratna, 'antrean baru');
      if (!page.has_more) break;
    }
    expect(all).toEqual(Array.from({ length: 25 }, (_, index) => `antrean nomor ${25 - index}`));
  });
});

describe('who may not see it', () => {
  it('refuses without a session, a user at the search of the admins, and an admin at that of a user', async () => {
    const { call, budi, ratna } = await buildSearchApp();
    for (const path of ['/messages/search', '/admin/messages/search'])
      expect((await call({ token: 'x' }, path, { q: 'a' })).status).toBe(401);
    expect((await call(budi, '/admin/messages/search', { q: 'a' })).status).toBe(403);
    expect((await call(ratna, '/messages/search', { q: 'a' })).status).toBe(403);
  });

  it('shows a user only the own conversation, also by name or with the id of another', async () => {
    const { send, ratna, budi, siti, searchOwn, texts } = await buildSearchApp();
    await send(budi, ratna, 'sertifikat Budi');
    await send(ratna, siti, 'sertifikat Siti');
    expect(texts(await searchOwn(siti, 'sertifikat'))).toEqual(['sertifikat Siti']);
    expect(texts(await searchOwn(siti, 'sertifikat', { user_id: budi.id }))).toEqual(['sertifikat Siti']);
    expect(texts(await searchOwn(siti, 'budi'))).toEqual([]);
  });

  it('finds nothing of a deleted history, a deleted account, or an account that became an admin', async () => {
    const { test, send, clear, ratna, budi, siti, searchAll, searchOwn, texts } = await buildSearchApp();
    const ani = buildTestUser(test, { name: 'Ani' });
    for (const user of [budi, siti, ani]) await send(user, ratna, `sertifikat ${user.name}`);
    await clear(ratna, budi.id);
    expect(texts(await searchOwn(budi, 'sertifikat'))).toEqual([]);
    await test.call('DELETE', `/api/admin/users/${siti.id}`, { token: ratna.token });
    changeUser(test, ani.id, { isAdmin: true });
    for (const q of ['sertifikat', 'budi', 'siti', 'ani']) expect(texts(await searchAll(q))).toEqual([]);
    await send(budi, ratna, 'sertifikat baru');
    expect(texts(await searchAll('sertifikat'))).toEqual(['sertifikat baru']);
  });
});
