import { v7 as newId } from 'uuid';
import { describe, expect, it } from 'vitest';
import type { Transcript } from '#shared/api/chat/inbox.ts';
import { messages } from '#server/db/schema.ts';
import { buildChatApp } from '#server/testing/chat/chat-app.ts';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';

async function buildTranscriptApp() {
  const chat = await buildChatApp();
  const { test } = chat;
  const [ratna, budi, wati] = [buildAdmin(test), buildTestUser(test, { name: 'Budi' }), buildTestUser(test)];
  const call = (userId: string, query = '', token: string | undefined = ratna.token) =>
    test.call('GET', `/api/admin/conversations/${userId}/transcript${query}`, { token });
  return {
    ...chat,
    ratna,
    budi,
    wati,
    call,
    read: async (userId: string, query = ''): Promise<Transcript> => {
      const answer = await call(userId, query);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return answer.body.data;
    },
    /** Stored directly: thousands of requests would take long. */
    store: (userId: string, count: number, content: string): void => {
      const { direct, sqlite } = test.database;
      sqlite.transaction(() => {
        for (let n = 1; n <= count; n += 1) {
          const row = {
            userId,
            senderId: userId,
            senderName: 'Budi',
            fromAdmin: false,
            content: `${n} ${content}`,
            sideOrdinal: n,
            createdAt: test.clock.now(),
          };
          direct.insert(messages).values(row).run();
        }
      })();
    },
  };
}

const textsOf = ({ messages: found }: Transcript): string[] => found.map(({ content }) => content);

describe('GET /api/admin/conversations/:userId/transcript', () => {
  it('gives all messages of the conversation, oldest first, with the user', async () => {
    const { read, send, ratna, budi, wati } = await buildTranscriptApp();
    await send(budi, ratna, 'Satu');
    await send(wati, ratna, 'Dari orang lain');
    await send(ratna, budi, 'Dua');
    const transcript = await read(budi.id);
    expect(transcript.user).toEqual({ id: budi.id, name: 'Budi', email: budi.email, has_email: true });
    expect(transcript.messages.map(({ sender_name, content }) => [sender_name, content])).toEqual([
      ['Budi', 'Satu'],
      ['Ibu Ratna', 'Dua'],
    ]);
    expect(transcript.omitted).toBe(0);
  });

  it('takes days of the time zone of the server, both included', async () => {
    const { test, read, send, ratna, budi } = await buildTranscriptApp();
    // Midnight in Jakarta is 17.00 UTC of the day before.
    for (const [at, content] of [
      ['2026-06-10T16:59:59.999Z', 'tanggal 10'],
      ['2026-06-10T17:00:00.000Z', 'awal tanggal 11'],
      ['2026-06-11T16:59:59.999Z', 'akhir tanggal 11'],
      ['2026-06-11T17:00:00.000Z', 'tanggal 12'],
    ] as const) {
      test.clock.set(at);
      await send(budi, ratna, content);
    }
    const all = ['tanggal 10', 'awal tanggal 11', 'akhir tanggal 11', 'tanggal 12'];
    expect(textsOf(await read(budi.id, '?from=2026-06-11&to=2026-06-11'))).toEqual(all.slice(1, 3));
    expect(textsOf(await read(budi.id, '?from=2026-06-11'))).toEqual(all.slice(1));
    expect(textsOf(await read(budi.id, '?to=2026-06-10'))).toEqual(all.slice(0, 1));
    expect(textsOf(await read(budi.id, '?from=&to='))).toEqual(all);
    expect(textsOf(await read(budi.id, '?from=0001-01-01&to=9999-12-31'))).toEqual(all);
    expect(textsOf(await read(budi.id, '?from=2026-06-13'))).toEqual([]);
  });

  it.each([
    ['?from=2026-02-30', 'Tanggal tidak valid'],
    ['?to=besok', 'Tanggal tidak valid'],
    ['?from=0000-01-01', 'Tanggal tidak valid'],
    ['?from=2026-06-11&to=2026-06-10', 'Tanggal awal tidak boleh setelah tanggal akhir'],
  ])('refuses %s with 422', async (query, message) => {
    const { call, budi } = await buildTranscriptApp();
    const answer = await call(budi.id, query);
    expect([answer.status, answer.body.message]).toEqual([422, message]);
  });

  it('contains none of the messages of a deleted history', async () => {
    const { read, send, clear, ratna, budi } = await buildTranscriptApp();
    await send(budi, ratna, 'Dihapus');
    await clear(ratna, budi.id);
    await send(budi, ratna, 'Sesudahnya');
    expect(textsOf(await read(budi.id))).toEqual(['Sesudahnya']);
  });

  it('leaves out the oldest messages of one that is too long, and says how many', async () => {
    const { read, store, budi, wati } = await buildTranscriptApp();
    store(budi.id, 5003, 'pendek');
    const long = await read(budi.id);
    expect([long.messages.length, long.messages[0]?.content, long.omitted]).toEqual([5000, '4 pendek', 3]);
    store(wati.id, 1100, 'a'.repeat(1995));
    const heavy = await read(wati.id);
    expect(heavy.omitted + heavy.messages.length).toBe(1100);
    expect(heavy.messages.length).toBeGreaterThan(990);
    expect(textsOf(heavy).join('').length).toBeLessThanOrEqual(2_000_000);
  });

  it('serves admins only, and never shows the account of an admin', async () => {
    const { call, ratna, budi } = await buildTranscriptApp();
    expect((await call(budi.id, '', '')).status).toBe(401);
    expect((await call(budi.id, '', budi.token)).status).toBe(403);
    expect((await call(ratna.id)).status).toBe(403);
    expect((await call(newId())).status).toBe(404);
  });
});
