import { describe, expect, it } from 'vitest';
import { ranTexts } from '#server/testing/query-plan.ts';
import type { Attachment, Message } from '#shared/api/chat/chat.ts';
import type { MessageSearchResult, Transcript } from '#shared/api/chat/inbox.ts';
import { uploadFile } from '#server/testing/chat/attachments.ts';
import { buildChatApp } from '#server/testing/chat/chat-app.ts';
import { buildAdmin, buildRecord, buildSession, buildTestUser, type SignedInUser } from '#server/testing/factories.ts';
import { buildImage } from '#server/testing/multipart.ts';
import { storedRecords } from '#server/testing/rows.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';
import type { Answer } from '#server/testing/test-app.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';

async function buildOffice() {
  const app = await buildChatApp({
    settings: { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null, rateLimits: false },
  });
  const { test, post } = app;
  const [ratna, sari] = [buildAdmin(test), buildAdmin(test, { name: 'Bu Sari' })];
  const [budi, wati] = [buildTestUser(test, { name: 'Budi' }), buildTestUser(test, { name: 'Wati' })];
  const get = (path: string, from: SignedInUser): Promise<Answer> =>
    test.call('GET', `/api${path}`, { token: from.token });
  return {
    ...app,
    get,
    ratna,
    sari,
    budi,
    wati,
    upload: (from: SignedInUser, filename = 'bukti.png', bytes = buildImage()) =>
      uploadFile(test, from, { file: { filename, bytes } }),
    sendWith: async (
      from: SignedInUser,
      to: { id: string },
      extra: object,
      content = 'Ini buktinya',
    ): Promise<Message> => {
      const answer = await post(from, { to_user_id: to.id, content, ...extra });
      expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status);
      return answer.body.data;
    },
    /** The newest message in every answer that shows messages, for one side. */
    everywhere: async (from: SignedInUser, user: SignedInUser, message: Message): Promise<Message[]> => {
      const history = from.isAdmin ? `/messages/conversation/${user.id}` : `/messages/conversation/${ratna.id}`;
      const before = String(Number(message.id) + 1);
      const after = String(Number(message.id) - 1);
      const search = from.isAdmin ? '/admin/messages/search' : '/messages/search';
      const pages: string[] = ['', '?limit=200', `?before=${before}`, `?after=${after}`, `?around=${message.id}`];
      const found: Message[] = [];
      for (const query of pages) {
        const { data }: { data: { messages: Message[] } } = (await get(history + query, from)).body;
        found.push(...data.messages.filter(({ id }) => id === message.id));
      }
      const results: { data: { data: MessageSearchResult[] } } = (await get(`${search}?q=buktinya`, from)).body;
      found.push(...results.data.data.map((result) => result.message).filter(({ id }) => id === message.id));
      if (from.isAdmin) {
        const { data }: { data: Transcript } = (await get(`/admin/conversations/${user.id}/transcript`, from)).body;
        found.push(...data.messages.filter(({ id }) => id === message.id));
      }
      return found;
    },
    open: async (url: string | undefined): Promise<number> =>
      (await test.call('GET', url ?? '/uploads/tidak-ada')).status,
  };
}

const urlsOf = ({ attachments }: Pick<Message, 'attachments'>): string[] =>
  attachments.flatMap(({ url, thumb_url }) => (thumb_url === null ? [url] : [url, thumb_url]));
const withoutLinks = ({ attachments, ...message }: Message) => ({
  ...message,
  attachments: attachments.map(({ url: _url, thumb_url: _thumb, ...rest }: Attachment) => rest),
});

describe('a message with files', () => {
  it('shows its files in order in every answer and event, with links that each session opens for itself', async () => {
    const { test, get, sendWith, upload, everywhere, list, open, ratna, sari, budi, wati } = await buildOffice();
    const elsewhere = { ...budi, ...buildSession(test, budi.id) };
    const receivers = [budi, elsewhere, ratna, sari];
    const tabs = await Promise.all([...receivers, wati].map((one) => openTab(test, one)));
    const polling = await openTab(test, budi, { transports: ['polling'] });
    const thumb = buildImage('jpg', 200);
    const first = await uploadFile(test, budi, { file: { filename: 'struk bank.png' }, thumb });
    const second = await upload(budi, 'surat.pdf', Buffer.from('%PDF-1.4\n%%EOF\n'));
    const third = await upload(budi, 'rumah.jpg', buildImage('jpg'));
    const ids = [third.id, first.id, second.id];
    const content = 'Ini buktinya\nFoto: rumah.jpg\nFoto: struk bank.png\nDokumen: surat.pdf';
    const sent = await sendWith(budi, ratna, { attachment_ids: ids, client_id: 'satu' }, content);
    expect(sent.attachments.map(({ id, name, type }) => [id, name, type])).toEqual([
      [third.id, 'rumah.jpg', 'image/jpeg'],
      [first.id, 'struk bank.png', 'image/png'],
      [second.id, 'surat.pdf', 'application/pdf'],
    ]);
    expect(sent).toMatchObject({ content, kind: 'chat', record: null });

    await waitForPendingEvents(test, ...tabs, polling);
    expect(tabs.at(-1)?.payloadsOf('message:new')).toEqual([]);
    const payloads = tabs.slice(0, 4).map((tab) => tab.payloadsOf('message:new'));
    expect(payloads.map((list_) => list_.map(withoutLinks))).toEqual(payloads.map(() => [withoutLinks(sent)]));
    // The other tab of the same session gets the same links; every other session has its own.
    expect(payloads[0]).toEqual([sent]);
    expect(polling.payloadsOf('message:new')).toEqual([sent]);
    const links = payloads.flatMap((list_) => list_.flatMap(urlsOf));
    expect(links).toHaveLength(4 * 4);
    expect(new Set(links).size).toBe(links.length);
    for (const link of links) expect(await open(link)).toBe(200);
    // The end of a session ends the links of it and no others.
    await test.call('POST', '/api/auth/logout', { token: elsewhere.token });
    expect(await Promise.all(payloads.map((list_) => open(list_.flatMap(urlsOf)[0])))).toEqual([200, 404, 200, 200]);

    const repeated = await sendWith(budi, ratna, { attachment_ids: ids, client_id: 'satu' }, content);
    expect(repeated).toEqual(sent);
    for (const one of [budi, ratna, sari]) {
      const found = await everywhere(one, budi, sent);
      expect(found).toHaveLength(one.isAdmin ? 7 : 6);
      for (const message of found) {
        expect(withoutLinks(message)).toEqual(withoutLinks(sent));
        expect(urlsOf(message)).toEqual(payloads[receivers.indexOf(one)]?.flatMap(urlsOf));
      }
      const results: { data: { data: MessageSearchResult[] } } = (
        await get(`${one.isAdmin ? '/admin' : ''}/messages/search?q=surat.pdf`, one)
      ).body;
      expect(results.data.data.map(({ message }) => withoutLinks(message))).toEqual([withoutLinks(sent)]);
      const { last_message: last } = (await list(one)).data[0] ?? {};
      expect(last).toMatchObject({ content, kind: 'chat', photos: 2, documents: 1, record_year: null });
    }
  });

  it('carries only own files that were not sent, at most four, and is stored whole or not at all', async () => {
    const { post, upload, sendWith, countStored, list, ratna, sari, budi, wati } = await buildOffice();
    const own = await upload(budi);
    const theirs = [await upload(wati), await upload(ratna)];
    const sentBefore = await upload(budi);
    await sendWith(budi, ratna, { attachment_ids: [sentBefore.id] });
    const stored = countStored();
    // A client of version 1.0.0 sends none of these fields, and others may send them empty.
    const empty = { to_user_id: ratna.id, content: 'Halo', attachment_ids: null, record_id: null };
    for (const body of [empty, { ...empty, attachment_ids: [], record_id: '' }]) {
      const answer = await post(budi, body);
      expect(answer).toMatchObject({ status: 201, body: { data: { kind: 'chat', attachments: [], record: null } } });
    }
    const words = 'Berkas lampiran tidak ada lagi di server. Lampirkan lagi lalu kirim ulang.';
    for (const bad of [...theirs.map(({ id }) => id), sentBefore.id, 'tidak-ada', own.id]) {
      const refused = await post(budi, { to_user_id: ratna.id, content: 'Halo', attachment_ids: [own.id, bad] });
      expect([refused.status, refused.body.message]).toEqual([404, words]);
    }
    const ofColleague = { to_user_id: budi.id, content: 'Halo', attachment_ids: [theirs[1]?.id] };
    expect((await post(sari, ofColleague)).status).toBe(404);
    const tooMany = { to_user_id: ratna.id, content: 'Halo', attachment_ids: ['1', '2', '3', '4', '5'] };
    expect((await post(budi, tooMany)).status).toBe(422);
    for (const attachment_ids of ['x', [1], {}, ['x'.repeat(65)]]) {
      const refused = await post(budi, { to_user_id: ratna.id, content: 'Halo', attachment_ids });
      expect([refused.status, refused.body.message]).toEqual([422, 'Format data tidak valid']);
    }
    // Words are required beside files as well, for clients that show nothing else.
    expect((await post(budi, { to_user_id: ratna.id, content: ' ', attachment_ids: [own.id] })).status).toBe(422);
    expect(countStored()).toBe(stored + 2);
    expect((await list(wati)).data).toEqual([]);
    // A refused file can still be sent.
    const { attachments } = await sendWith(budi, ratna, { attachment_ids: [own.id] });
    expect(attachments.map(({ id }) => id)).toEqual([own.id]);
  });

  it('that races for a file is stored once, whichever wins, and so is one that is repeated at the same moment', async () => {
    const { post, upload, countStored, history, ratna, budi } = await buildOffice();
    const file = await upload(budi);
    const body = (client_id: string) => ({
      to_user_id: ratna.id,
      content: 'Ini',
      attachment_ids: [file.id],
      client_id,
    });
    const racing = await Promise.all([post(budi, body('a')), post(budi, body('b')), post(budi, body('c'))]);
    expect(racing.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 404, 404]);
    const other = await upload(budi);
    const same = { ...body('d'), attachment_ids: [other.id] };
    const repeated = await Promise.all([post(budi, same), post(budi, same)]);
    expect(repeated.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 201]);
    expect(repeated[0]?.body.data).toEqual(repeated[1]?.body.data);
    expect(countStored()).toBe(2);
    const { messages } = await history(ratna, budi.id);
    expect(messages.map(({ attachments }) => attachments.map(({ id }) => id))).toEqual([[file.id], [other.id]]);
  });
});

describe('a message with the card of a record', () => {
  it('shows the record as it is and as it was, in every answer and event, and that it was deleted', async () => {
    const { test, sendWith, everywhere, list, ratna, budi } = await buildOffice();
    const record = buildRecord(test, budi.id, { amountSen: 4_500_000, propertyType: 'rumah_tinggal' });
    const tabs = await Promise.all([openTab(test, budi), openTab(test, ratna)]);
    const was = { spt_number: record.sptNumber, status: 'belum_lunas', amount: 45_000, payment_date: null };
    const sent = await sendWith(ratna, budi, { record_id: record.id, client_id: 'kartu' });
    expect(sent.record).toMatchObject({ id: record.id, now: { ...was, has_proof: false } });
    expect(sent.record?.then).toMatchObject({
      ...was,
      year: 2025,
      updated_at: new Date(record.updatedAt).toISOString(),
    });
    await waitForPendingEvents(test, ...tabs);
    for (const tab of tabs) expect(tab.payloadsOf('message:new')).toEqual([sent]);

    test.clock.advance(1000);
    const paid = { ...was, status: 'lunas', payment_date: '2026-06-10' };
    const updatedAt = new Date(record.updatedAt).toISOString();
    const changes = { status: 'lunas', payment_date: '2026-06-10', updated_at: updatedAt };
    const url = `/api/admin/tax-records/${record.id}`;
    const edit = await test.call('PUT', url, {
      token: ratna.token,
      body: { name: record.name, address: record.address, spt_number: record.sptNumber, amount: 45_000, ...changes },
    });
    expect(edit.status, JSON.stringify(edit.body)).toBe(200);
    await waitForPendingEvents(test, ...tabs);
    for (const tab of tabs)
      expect(tab.payloadsOf('tax-record:changed')).toEqual([{ id: record.id, user_id: budi.id, change: 'updated' }]);
    for (const one of [budi, ratna]) {
      const found = await everywhere(one, budi, sent);
      expect(found).toHaveLength(one.isAdmin ? 7 : 6);
      for (const message of found) {
        expect(message.record).toMatchObject({ now: paid });
        expect(message.record?.then).toEqual(sent.record?.then);
      }
      expect((await list(one)).data[0]?.last_message).toMatchObject({ record_year: 2025, photos: 0 });
    }

    expect((await test.call('DELETE', url, { token: ratna.token })).status).toBe(200);
    for (const one of [budi, ratna]) {
      for (const { record: card } of await everywhere(one, budi, sent)) {
        expect(card).toEqual({ ...sent.record, now: null });
      }
    }
    const repeated = await sendWith(ratna, budi, { record_id: record.id, client_id: 'kartu' });
    expect(repeated.record).toEqual({ ...sent.record, now: null });
    await waitForPendingEvents(test, ...tabs);
    for (const tab of tabs) expect(tab.payloadsOf('tax-record:changed').at(-1)?.change).toBe('deleted');
  });

  it('takes only a record of that conversation: every other id gets the same refusal, and nothing is stored', async () => {
    const { test, post, upload, sendWith, countStored, ratna, budi, wati } = await buildOffice();
    const ofWati = buildRecord(test, wati.id);
    const file = await upload(budi);
    const words = 'Data PBB yang dibagikan tidak ditemukan. Lepaskan dari pesan lalu kirim lagi.';
    for (const record_id of [ofWati.id, 'tidak-ada']) {
      for (const [from, to] of [
        [budi, ratna],
        [ratna, budi],
      ] as const) {
        const body = { to_user_id: to.id, content: 'Ini', record_id };
        const refused = await post(from, from === budi ? { ...body, attachment_ids: [file.id] } : body);
        expect([refused.status, refused.body.message]).toEqual([404, words]);
      }
    }
    for (const record_id of [1, {}, 'x'.repeat(65)]) {
      expect((await post(budi, { to_user_id: ratna.id, content: 'Ini', record_id })).status).toBe(422);
    }
    expect(countStored()).toBe(0);
    expect((await sendWith(budi, ratna, { attachment_ids: [file.id] })).attachments).toHaveLength(1);
    // A row that says otherwise, as a mistake might leave it, still shows nothing of another account.
    const own = buildRecord(test, budi.id);
    const { id } = await sendWith(budi, ratna, { record_id: own.id });
    test.database.sqlite.prepare('update messages set record_id = ? where id = ?').run(ofWati.id, id);
    const shown = await test.call('GET', `/api/messages/conversation/${ratna.id}`, { token: budi.token });
    expect(shown.raw.toString()).not.toContain(ofWati.sptNumber);
  });
});

itOnSqlite(
  'reads files, cards and quotes of a page with one query each, and none of them for texts alone',
  async () => {
    const { test, send, upload, sendWith, history, ratna, budi } = await buildOffice();
    const countQueries = async (): Promise<number> => {
      const texts = await ranTexts(test, () => history(budi, ratna.id, '?limit=200'));
      return texts.filter((text) => /from "?(attachments|tax_records)\b/i.test(text)).length;
    };
    for (let n = 0; n < 3; n += 1) await send(budi, ratna);
    expect(await countQueries()).toBe(0);
    for (let n = 0; n < 5; n += 1) {
      const { id } = buildRecord(test, budi.id);
      await sendWith(budi, ratna, { record_id: id, attachment_ids: [(await upload(budi)).id] });
    }
    expect(await countQueries()).toBe(2);
  },
);

it('loses its files and its card with the history, also in the list and in the answer to a repeated send', async () => {
  const { test, upload, sendWith, clear, everywhere, list, open, ratna, budi, send } = await buildOffice();
  const record = buildRecord(test, budi.id, { name: 'Nama Rahasia', proofFile: null });
  const body = { record_id: record.id, attachment_ids: [(await upload(budi, 'rahasia.png')).id], client_id: 'satu' };
  const sent = await sendWith(budi, ratna, body);
  const [link] = urlsOf(sent);
  expect(await open(link)).toBe(200);
  await clear(ratna, budi.id);
  expect(await open(link)).toBe(404);
  for (const one of [budi, ratna]) {
    expect(await everywhere(one, budi, sent)).toEqual([]);
    expect((await list(one)).data.map(({ last_message }) => last_message)).toEqual([]);
  }
  const rows = test.database.sqlite
    .prepare('select content, photo_count, document_count, record_id, record_then from messages')
    .all();
  expect(rows).toEqual([{ content: '', photo_count: 0, document_count: 0, record_id: null, record_then: null }]);
  // The record itself stays.
  expect(storedRecords(test)).toHaveLength(1);
  const repeated = await sendWith(budi, ratna, body);
  expect(repeated).toEqual({ ...sent, attachments: [], record: null });
  await send(budi, ratna, 'sesudahnya');
});
