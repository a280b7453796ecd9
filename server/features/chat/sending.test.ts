import { connect } from 'node:net';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Message } from '#shared/api/chat.ts';
import { SENDS_MAX, SENDS_WINDOW_MS } from '#shared/limits.ts';
import { buildAdmin, buildPerson, type Person } from '#server/testing/factories.ts';
import { listen, openTab, settle } from '#server/testing/sockets.ts';
import type { Answer } from '#server/testing/test-app.ts';
import { within } from '#server/testing/within.ts';
import { openChat, type Chat } from './testing/chat.ts';

async function openOffice() {
  const chat = await openChat();
  const [ratna, budi] = [buildAdmin(chat.test), buildPerson(chat.test, { name: 'Budi' })];
  return { ...chat, ratna, budi };
}

const idOf = ({ body }: Answer): string => (body.data as Message).id;

describe('a repeated send', () => {
  it('answers 200 with the first message, whatever else it says, and stores nothing', async () => {
    const { post, budi, ratna, countStored } = await openOffice();
    const client_id = randomUUID();
    const first = await post(budi, { to_user_id: ratna.id, content: 'Halo', client_id });
    expect([first.status, (first.body.data as Message).client_id]).toEqual([201, client_id]);
    for (const body of [
      { to_user_id: ratna.id, content: 'Halo', client_id },
      { to_user_id: ratna.id, content: 'Lain sama sekali', client_id },
      { to_user_id: randomUUID(), content: 'Halo', client_id },
    ]) {
      const again = await post(budi, body);
      expect([again.status, again.body.data]).toEqual([200, first.body.data]);
    }
    expect(countStored()).toBe(1);
  });

  it('twenty at once stores and shows one', async () => {
    const { test, post, budi, ratna, countStored } = await openOffice();
    const desk = await openTab(test, ratna);
    const body = { to_user_id: ratna.id, content: 'Halo', client_id: 'sekali' };
    const answers = await Promise.all(Array.from({ length: 20 }, async () => post(budi, body)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(answers.map(idOf)).size).toBe(1);
    expect(countStored()).toBe(1);
    await settle(test, desk);
    expect(desk.all('message:new')).toHaveLength(1);
  });

  it('is one sender’s own: another sender’s same client_id is another message', async () => {
    const { test, post, budi, ratna, countStored } = await openOffice();
    const siti = buildPerson(test);
    const body = { to_user_id: ratna.id, content: 'Halo', client_id: 'sama' };
    const answers = [
      await post(budi, body),
      await post(siti, body),
      await post(ratna, { ...body, to_user_id: budi.id }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(countStored()).toBe(3);
  });

  it('without a client_id is another message', async () => {
    const { post, budi, ratna, countStored } = await openOffice();
    for (const client_id of [undefined, null, '']) {
      const answer = await post(budi, { to_user_id: ratna.id, content: 'Halo', client_id });
      expect([answer.status, (answer.body.data as Message).client_id]).toEqual([201, null]);
    }
    expect(countStored()).toBe(3);
  });
});

describe('many senders at once', () => {
  it('are shown in the order of the ids, the same to everybody, without a gap', async () => {
    const chat = await openOffice();
    const { test, history, ratna, budi } = chat;
    const others = Array.from({ length: 48 }, () => buildPerson(test));
    const [desk, desk2, tab] = [await openTab(test, ratna), await openTab(test, ratna), await openTab(test, budi)];
    await Promise.all([budi, ratna, ...others].map(async (sender) => sendThree(chat, sender)));
    await settle(test, desk, desk2, tab);

    const heard = desk.all('message:new').map(({ id }) => Number(id));
    expect(heard).toHaveLength(150);
    expect(heard).toEqual(heard.toSorted((a, b) => a - b));
    expect(desk2.all('message:new')).toEqual(desk.all('message:new'));
    const budis = desk.all('message:new').filter(({ user_id }) => user_id === budi.id);
    expect(tab.all('message:new')).toEqual(budis);
    expect((await history(ratna, budi.id)).messages).toEqual(budis);
    expect(budis.map(({ prev_id }) => prev_id)).toEqual([null, ...budis.slice(0, -1).map(({ id }) => id)]);
    // The last word on every count is the count.
    expect(desk.all('unread').at(-1)).toMatchObject({ total_unread: 147 });
  });

  async function sendThree({ send, ratna, budi }: Chat & { ratna: Person; budi: Person }, sender: Person) {
    const receiver = sender.isAdmin ? budi : ratna;
    await Promise.all([send(sender, receiver, '1'), send(sender, receiver, '2'), send(sender, receiver, '3')]);
  }
});

describe('one who floods', () => {
  it('is told to wait, exactly from the limit on; everybody else goes on', async () => {
    const { test, post, send, budi, ratna, countStored } = await openOffice();
    const siti = buildPerson(test);
    const body = { to_user_id: ratna.id, content: 'Halo' };
    const flood = Promise.all(Array.from({ length: SENDS_MAX + 50 }, async () => post(budi, body)));
    await send(siti, ratna);
    await send(ratna, budi);
    const statuses = (await flood).map(({ status }) => status);
    expect([statuses.filter((s) => s === 201).length, statuses.filter((s) => s === 429).length]).toEqual([
      SENDS_MAX,
      50,
    ]);
    expect(countStored()).toBe(SENDS_MAX + 2);

    test.clock.advance(SENDS_WINDOW_MS - 3000);
    const refused = await post(budi, body);
    const message = 'Terlalu banyak percobaan. Coba lagi dalam 3 detik.';
    expect([refused.status, refused.body, refused.headers['retry-after']]).toEqual([
      429,
      { success: false, message },
      '3',
    ]);
    test.clock.advance(3000);
    expect((await post(budi, body)).status).toBe(201);
  });

  it('is not limited where limits are off', async () => {
    const { test, post } = await openChat({
      settings: { timeZone: 'Asia/Jakarta', corsOrigins: [], trustProxy: false, rateLimits: false },
    });
    const [ratna, budi] = [buildAdmin(test), buildPerson(test)];
    const body = { to_user_id: ratna.id, content: 'Halo' };
    const answers = await Promise.all(Array.from({ length: SENDS_MAX + 20 }, async () => post(budi, body)));
    expect(answers.every(({ status }) => status === 201)).toBe(true);
  });
});

describe('who loses the right while the body is on its way', () => {
  /** Sends the head, lets `change` happen, then sends the body. */
  async function sendSlowly(chat: Chat, from: Person, path: string, body: unknown, change: () => void) {
    const { port } = new URL(await listen(chat.test));
    const text = JSON.stringify(body);
    const socket = connect(Number(port), '127.0.0.1');
    let said = '';
    socket.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const answered = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const resolved = Promise.withResolvers<void>();
    chat.test.server.server.once('request', () => resolved.resolve());
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n` +
        `Authorization: Bearer ${from.token}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n`,
    );
    await within('the request', resolved.promise);
    // The session's check ran in the turns after that.
    await chat.test.context.commit(() => null);
    change();
    socket.write(text);
    await within('the answer', answered);
    return Number(/^HTTP\/1\.1 (\d+)/.exec(said)?.[1]);
  }

  const changes: [string, number, string][] = [
    ['logged out', 401, 'delete from sessions where user_id = ?'],
    ['was deactivated', 401, 'update users set is_active = 0 where id = ?'],
    ['was deleted', 401, 'delete from users where id = ?'],
    ['got another role', 403, 'update users set is_admin = not is_admin where id = ?'],
  ];
  it.each(changes)('because they %s: %i, and nothing is stored', async (_name, status, statement) => {
    const chat = await openOffice();
    const { test, send, list, countStored, ratna, budi } = chat;
    await send(budi, ratna);
    await send(ratna, budi);
    const dewi = buildAdmin(test);
    const change = (who: Person) => () => void test.database.sqlite.prepare(statement).run(who.id);
    const siti = buildPerson(test);
    const bySiti = { to_user_id: ratna.id, content: 'Terlambat' };
    expect(await sendSlowly(chat, siti, '/api/messages/send', bySiti, change(siti))).toBe(status);
    const seen = `/api/messages/conversation/${budi.id}/seen`;
    expect(await sendSlowly(chat, dewi, seen, { up_to: null }, change(dewi))).toBe(status);
    expect(countStored()).toBe(2);
    expect((await list(ratna)).total_unread).toBe(1);
  });
});
