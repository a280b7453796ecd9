import { connect } from 'node:net';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Message } from '#shared/api/chat/chat.ts';
import { SENDS_MAX, SENDS_WINDOW_MS } from '#shared/limits.ts';
import { buildAdmin, buildTestUser, type SignedInUser } from '#server/testing/factories.ts';
import { listen, openTab, waitForPendingEvents } from '#server/testing/sockets.ts';
import type { Answer } from '#server/testing/test-app.ts';
import { withTimeout } from '#server/testing/with-timeout.ts';
import { buildChatApp, type ChatApp } from '#server/testing/chat/chat-app.ts';

async function buildChatWithUsers() {
  const chat = await buildChatApp();
  const [ratna, budi] = [buildAdmin(chat.test), buildTestUser(chat.test, { name: 'Budi' })];
  return { ...chat, ratna, budi };
}

const idOf = ({ body }: Answer): string => (body.data as Message).id;

describe('a repeated send', () => {
  it('answers 200 with the first message, even with other content, and stores nothing', async () => {
    const { post, budi, ratna, countStored } = await buildChatWithUsers();
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

  it('stores and publishes one message when it is sent twenty times at once', async () => {
    const { test, post, budi, ratna, countStored } = await buildChatWithUsers();
    const adminTab = await openTab(test, ratna);
    const body = { to_user_id: ratna.id, content: 'Halo', client_id: 'sekali' };
    const answers = await Promise.all(Array.from({ length: 20 }, async () => post(budi, body)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(answers.map(idOf)).size).toBe(1);
    expect(countStored()).toBe(1);
    await waitForPendingEvents(test, adminTab);
    expect(adminTab.payloadsOf('message:new')).toHaveLength(1);
  });

  it('belongs to one sender: the same client_id of another sender is another message', async () => {
    const { test, post, budi, ratna, countStored } = await buildChatWithUsers();
    const siti = buildTestUser(test);
    const body = { to_user_id: ratna.id, content: 'Halo', client_id: 'sama' };
    const answers = [
      await post(budi, body),
      await post(siti, body),
      await post(ratna, { ...body, to_user_id: budi.id }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(countStored()).toBe(3);
  });

  it('makes another message without a client_id', async () => {
    const { post, budi, ratna, countStored } = await buildChatWithUsers();
    for (const client_id of [undefined, null, '']) {
      const answer = await post(budi, { to_user_id: ratna.id, content: 'Halo', client_id });
      expect([answer.status, (answer.body.data as Message).client_id]).toEqual([201, null]);
    }
    expect(countStored()).toBe(3);
  });
});

describe('messages of many senders', () => {
  it('get one order of ids, the same for every client, without a gap', async () => {
    const chat = await buildChatWithUsers();
    const { test, history, ratna, budi } = chat;
    const others = Array.from({ length: 48 }, () => buildTestUser(test));
    const [adminTab, adminTab2, tab] = [
      await openTab(test, ratna),
      await openTab(test, ratna),
      await openTab(test, budi),
    ];
    await Promise.all([budi, ratna, ...others].map(async (sender) => sendThree(chat, sender)));
    await waitForPendingEvents(test, adminTab, adminTab2, tab);

    const receivedIds = adminTab.payloadsOf('message:new').map(({ id }) => Number(id));
    expect(receivedIds).toHaveLength(150);
    expect(receivedIds).toEqual(receivedIds.toSorted((a, b) => a - b));
    expect(adminTab2.payloadsOf('message:new')).toEqual(adminTab.payloadsOf('message:new'));
    const budiMessages = adminTab.payloadsOf('message:new').filter(({ user_id }) => user_id === budi.id);
    expect(tab.payloadsOf('message:new')).toEqual(budiMessages);
    expect((await history(ratna, budi.id)).messages).toEqual(budiMessages);
    expect(budiMessages.map(({ prev_id }) => prev_id)).toEqual([
      null,
      ...budiMessages.slice(0, -1).map(({ id }) => id),
    ]);
    // The last `unread` event has the final count.
    expect(adminTab.payloadsOf('unread').at(-1)).toMatchObject({ total_unread: 147 });
  });

  async function sendThree(
    { send, ratna, budi }: ChatApp & { ratna: SignedInUser; budi: SignedInUser },
    sender: SignedInUser,
  ) {
    const receiver = sender.isAdmin ? budi : ratna;
    await Promise.all([send(sender, receiver, '1'), send(sender, receiver, '2'), send(sender, receiver, '3')]);
  }
});

describe('a sender beyond the rate limit', () => {
  it('gets 429 exactly from the limit on, while other senders are not affected', async () => {
    const { test, post, send, budi, ratna, countStored } = await buildChatWithUsers();
    const siti = buildTestUser(test);
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

  it('may go on where rate limits are off', async () => {
    const { test, post } = await buildChatApp({
      settings: { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null, rateLimits: false },
    });
    const [ratna, budi] = [buildAdmin(test), buildTestUser(test)];
    const body = { to_user_id: ratna.id, content: 'Halo' };
    const answers = await Promise.all(Array.from({ length: SENDS_MAX + 20 }, async () => post(budi, body)));
    expect(answers.every(({ status }) => status === 201)).toBe(true);
  });
});

describe('a sender who loses the right while the body is on its way', () => {
  /** Sends the head, calls `change`, and then sends the body. */
  async function sendSlowly(chat: ChatApp, from: SignedInUser, path: string, body: unknown, change: () => void) {
    const { port } = new URL(await listen(chat.test));
    const text = JSON.stringify(body);
    const socket = connect(Number(port), '127.0.0.1');
    let response = '';
    socket.on('data', (chunk: Buffer) => {
      response += chunk.toString();
    });
    const answered = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const resolved = Promise.withResolvers<void>();
    chat.test.server.server.once('request', () => resolved.resolve());
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n` +
        `Authorization: Bearer ${from.token}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n`,
    );
    await withTimeout('the request', resolved.promise);
    // The check of the session ran in the event loop turns after that.
    await chat.test.context.write(() => null);
    change();
    socket.write(text);
    await withTimeout('the answer', answered);
    return Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1]);
  }

  const changes: [string, number, string][] = [
    ['logged out', 401, 'delete from sessions where user_id = ?'],
    ['was deactivated', 401, 'update users set is_active = 0 where id = ?'],
    ['was deleted', 401, 'delete from users where id = ?'],
    ['got another role', 403, 'update users set is_admin = 1 - is_admin where id = ?'],
  ];
  it.each(changes)('who %s gets %i, and nothing is stored', async (_name, status, statement) => {
    const chat = await buildChatWithUsers();
    const { test, send, list, countStored, ratna, budi } = chat;
    await send(budi, ratna);
    await send(ratna, budi);
    const dewi = buildAdmin(test);
    const change = (user: SignedInUser) => () => void test.database.sqlite.prepare(statement).run(user.id);
    const siti = buildTestUser(test);
    const bySiti = { to_user_id: ratna.id, content: 'Terlambat' };
    expect(await sendSlowly(chat, siti, '/api/messages/send', bySiti, change(siti))).toBe(status);
    const seen = `/api/messages/conversation/${budi.id}/seen`;
    expect(await sendSlowly(chat, dewi, seen, { up_to: null }, change(dewi))).toBe(status);
    expect(countStored()).toBe(2);
    expect((await list(ratna)).total_unread).toBe(1);
  });
});
