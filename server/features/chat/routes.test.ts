import { v7 as newId } from 'uuid';
import { describe, expect, it } from 'vitest';
import { buildAdmin, buildTestUser, buildSession } from '#server/testing/factories.ts';
import type { Answer } from '#server/testing/test-app.ts';
import { buildChatApp } from '#server/testing/chat/chat-app.ts';

const SESSION_ENDED = { success: false, message: 'Sesi Anda telah berakhir. Silakan login kembali.' };
const FORBIDDEN = { success: false, message: 'Anda tidak memiliki akses' };
const USER_MISSING = { success: false, message: 'User tidak ditemukan' };
const BAD_FORMAT = { success: false, message: 'Format data tidak valid' };
const UNKNOWN_USER_ID = newId();

async function buildChatWithUsers() {
  const chat = await buildChatApp();
  const [ratna, dewi] = [buildAdmin(chat.test), buildAdmin(chat.test, { name: 'Dewi' })];
  const [budi, siti] = [buildTestUser(chat.test, { name: 'Budi' }), buildTestUser(chat.test)];
  return { ...chat, ratna, dewi, budi, siti };
}

const statusAndBody = ({ status, body }: Answer): unknown => [status, body];

describe('every call', () => {
  const calls: [method: string, path: string][] = [
    ['POST', '/messages/send'],
    ['GET', '/messages/conversations'],
    ['GET', `/messages/conversation/${UNKNOWN_USER_ID}`],
    ['POST', `/messages/conversation/${UNKNOWN_USER_ID}/seen`],
    ['DELETE', `/messages/conversation/${UNKNOWN_USER_ID}`],
  ];
  it.each(calls)('%s %s answers 401 without a session, before any other check', async (method, path) => {
    const { test, budi, siti } = await buildChatWithUsers();
    const ended = buildSession(test, budi.id);
    test.database.sqlite.prepare('delete from sessions where id = ?').run(ended.sessionId);
    test.database.sqlite.prepare('update users set is_active = 0 where id = ?').run(siti.id);
    for (const token of [undefined, 'x.y.z', ended.token, siti.token]) {
      const answer = await test.call(method, `/api${path}`, { token, body: { content: 5 } });
      expect(statusAndBody(answer)).toEqual([401, SESSION_ENDED]);
    }
  });
});

describe('POST /messages/send', () => {
  it('answers 201 with the message', async () => {
    const { post, budi, ratna } = await buildChatWithUsers();
    const answer = await post(budi, {
      to_user_id: ratna.id,
      content: '  Halo, Bu  ',
      is_admin: true,
      from_admin: true,
    });
    const at = '2026-06-10T05:00:00.000Z';
    expect(statusAndBody(answer)).toEqual([
      201,
      {
        success: true,
        message: 'Pesan terkirim',
        data: {
          _id: '1',
          id: '1',
          user_id: budi.id,
          sender_id: budi.id,
          sender_name: 'Budi',
          from_admin: false,
          content: 'Halo, Bu',
          kind: 'chat',
          attachments: [],
          record: null,
          client_id: null,
          prev_id: null,
          reply_to: null,
          quoted: null,
          createdAt: at,
          created_at: at,
        },
      },
    ]);
  });

  it('stores in one conversation whichever admin is named or answers', async () => {
    const { send, budi, ratna, dewi } = await buildChatWithUsers();
    const messages = [await send(budi, ratna), await send(budi, dewi), await send(dewi, budi), await send(ratna, budi)];
    expect(messages.map(({ user_id }) => user_id)).toEqual(Array(4).fill(budi.id));
    expect(messages.map(({ prev_id }) => prev_id)).toEqual([null, ...messages.slice(0, 3).map(({ id }) => id)]);
  });

  it('refuses unknown receivers with 404 and receivers of the own role with 403', async () => {
    const { post, budi, siti, ratna, dewi, countStored } = await buildChatWithUsers();
    const to = (id: unknown) => ({ to_user_id: id, content: 'Halo' });
    expect(statusAndBody(await post(budi, to(siti.id)))).toEqual([403, FORBIDDEN]);
    expect(statusAndBody(await post(budi, to(budi.id)))).toEqual([403, FORBIDDEN]);
    expect(statusAndBody(await post(ratna, to(dewi.id)))).toEqual([403, FORBIDDEN]);
    expect(statusAndBody(await post(ratna, to(ratna.id)))).toEqual([403, FORBIDDEN]);
    for (const unknown of [UNKNOWN_USER_ID, '__proto__', 'x'.repeat(5000), "' or 1=1 --"]) {
      expect(statusAndBody(await post(budi, to(unknown)))).toEqual([404, USER_MISSING]);
      expect(statusAndBody(await post(ratna, to(unknown)))).toEqual([404, USER_MISSING]);
    }
    expect(countStored()).toBe(0);
  });

  const longest = 'a'.repeat(2000);
  it.each([
    ['no content', {}, { content: ['Pesan wajib diisi'] }],
    ['blanks', { content: ' \n\t ' }, { content: ['Pesan wajib diisi'] }],
    ['content that is no text', { content: { toString: 'x' } }, { content: ['Pesan wajib diisi'] }],
    ['null', { content: null }, { content: ['Pesan wajib diisi'] }],
    ['one letter too many', { content: `${longest}a` }, { content: ['Pesan maksimal 2000 karakter'] }],
    ['one emoji too many', { content: '😀'.repeat(2001) }, { content: ['Pesan maksimal 2000 karakter'] }],
    ['a very long text', { content: 'a'.repeat(900_000) }, { content: ['Pesan maksimal 2000 karakter'] }],
    ['no receiver', { to_user_id: ' ', content: 'x' }, { to_user_id: ['Penerima pesan wajib diisi'] }],
    ['a wrong receiver', { to_user_id: ['x'], content: 'x' }, { to_user_id: ['Penerima pesan wajib diisi'] }],
    ['a long client_id', { content: 'x', client_id: 'x'.repeat(65) }, { client_id: ['client_id tidak valid'] }],
    ['a wrong client_id', { content: 'x', client_id: 5 }, { client_id: ['client_id tidak valid'] }],
    ['a torn client_id', { content: 'x', client_id: '\ud800' }, { client_id: ['client_id tidak valid'] }],
  ])('refuses %s with 422', async (_name, fields, errors) => {
    const { post, budi, ratna, countStored } = await buildChatWithUsers();
    const answer = await post(budi, { to_user_id: ratna.id, ...fields });
    const [message] = Object.values(errors).flat();
    expect(statusAndBody(answer)).toEqual([422, { success: false, message, errors }]);
    expect(countStored()).toBe(0);
  });

  it('names every wrong field, and the first one in the message', async () => {
    const { post, budi } = await buildChatWithUsers();
    const errors = { to_user_id: ['Penerima pesan wajib diisi'], content: ['Pesan wajib diisi'] };
    expect(statusAndBody(await post(budi, {}))).toEqual([
      422,
      { success: false, message: 'Penerima pesan wajib diisi', errors },
    ]);
  });

  it.each([
    ['2,000 letters', longest],
    ['2,000 emoji', '😀'.repeat(2000)],
    ['letters around blanks', `a${' '.repeat(1998)}b`],
    ['markup', '<script>alert("&amp;")</script>'],
    ['control characters', 'a\u0001b\u0007c'],
    ['right-to-left and joined letters', 'مرحبا 👨‍👩‍👧‍👦 e\u0301'],
    ['SQL', "'); drop table messages; --"],
  ])('stores %s unchanged', async (_name, content) => {
    const { send, history, budi, ratna } = await buildChatWithUsers();
    const message = await send(budi, ratna, content);
    expect(message.content).toBe(content);
    expect((await history(ratna, budi.id)).messages).toEqual([message]);
  });

  it('stores half an emoji as it answers it', async () => {
    const { send, history, budi, ratna } = await buildChatWithUsers();
    const message = await send(budi, ratna, 'a\ud83d b');
    expect(message.content).toBe('a\ufffd b');
    expect((await history(budi, ratna.id)).messages).toEqual([message]);
  });

  it('answers 400 to a body that is no JSON', async () => {
    const { test, budi } = await buildChatWithUsers();
    const send = async (payload: string) =>
      test.call('POST', '/api/messages/send', {
        token: budi.token,
        payload,
        headers: { 'content-type': 'application/json' },
      });
    expect(statusAndBody(await send('{'))).toEqual([400, BAD_FORMAT]);
    expect(statusAndBody(await send('[]'))).toEqual([400, BAD_FORMAT]);
    expect(statusAndBody(await send('{"__proto__":{"content":"x"}}'))).toEqual([400, BAD_FORMAT]);
  });
});

describe('GET /messages/conversation/{userId}', () => {
  it('gives admins the conversation of the named user, and users always their own', async () => {
    const { send, history, budi, siti, ratna, dewi } = await buildChatWithUsers();
    const message = await send(budi, ratna);
    await send(siti, ratna, 'Rahasia Siti');
    const expected = {
      messages: [message],
      total: 1,
      page: 1,
      limit: 50,
      has_more: false,
      user_seen_id: null,
      admin_seen_id: null,
      user_delivered_id: null,
      admin_delivered_id: null,
    };
    expect(await history(dewi, budi.id)).toEqual(expected);
    expect(await history(budi, ratna.id)).toEqual(expected);
    expect(await history(budi, dewi.id)).toEqual(expected);
  });

  it('marks nothing as seen', async () => {
    const { send, history, list, budi, ratna } = await buildChatWithUsers();
    await send(budi, ratna);
    await history(ratna, budi.id);
    expect((await list(ratna)).data[0]?.unread_count).toBe(1);
  });
});

describe('access to conversations', () => {
  it.each([
    ['GET', ''],
    ['POST', '/seen'],
  ])('%s %s is for admins with a user’s id and for users with an admin’s id', async (method, path) => {
    const { test, budi, siti, ratna, dewi } = await buildChatWithUsers();
    const ask = async (currentUser: { token: string }, id: string): Promise<unknown> =>
      statusAndBody(await test.call(method, `/api/messages/conversation/${id}${path}`, { token: currentUser.token }));
    for (const id of [siti.id, budi.id, UNKNOWN_USER_ID, '__proto__', '%00'])
      expect(await ask(budi, id)).toEqual([403, FORBIDDEN]);
    for (const id of [ratna.id, dewi.id]) expect(await ask(ratna, id)).toEqual([403, FORBIDDEN]);
    for (const id of [UNKNOWN_USER_ID, '__proto__', '%00', 'x'.repeat(400)]) {
      expect(await ask(ratna, id)).toEqual([404, USER_MISSING]);
    }
  });

  it('DELETE is for admins only', async () => {
    const { test, send, history, budi, siti, ratna, dewi } = await buildChatWithUsers();
    await send(budi, ratna);
    const ask = async (currentUser: { token: string }, id: string): Promise<unknown> =>
      statusAndBody(await test.call('DELETE', `/api/messages/conversation/${id}`, { token: currentUser.token }));
    for (const id of [budi.id, siti.id, ratna.id, UNKNOWN_USER_ID])
      expect(await ask(budi, id)).toEqual([403, FORBIDDEN]);
    expect(await ask(ratna, dewi.id)).toEqual([403, FORBIDDEN]);
    expect(await ask(ratna, UNKNOWN_USER_ID)).toEqual([404, USER_MISSING]);
    expect((await history(ratna, budi.id)).total).toBe(1);
    expect(await ask(dewi, budi.id)).toEqual([200, { success: true, message: 'Riwayat percakapan dihapus', data: {} }]);
    expect(await history(ratna, budi.id)).toMatchObject({ messages: [], total: 0, has_more: false });
  });
});

describe('POST /messages/conversation/{userId}/seen', () => {
  it('answers the remaining unread count, with or without a body', async () => {
    const { send, see: markSeen, budi, ratna } = await buildChatWithUsers();
    const first = await send(budi, ratna);
    await send(budi, ratna);
    await send(budi, ratna);
    expect(await markSeen(ratna, budi.id, { up_to: first.id })).toEqual({ user_id: budi.id, unread_count: 2 });
    expect(await markSeen(ratna, budi.id, { up_to: Number(first.id) })).toEqual({ user_id: budi.id, unread_count: 2 });
    expect(await markSeen(ratna, budi.id)).toEqual({ user_id: budi.id, unread_count: 0 });
    expect(await markSeen(budi, ratna.id, {})).toEqual({ user_id: budi.id, unread_count: 0 });
    expect(await markSeen(budi, ratna.id, { up_to: null })).toEqual({ user_id: budi.id, unread_count: 0 });
  });

  it.each([['x'], ['-1'], [-1], [1.5], ['1e3'], ['9'.repeat(16)], [true], [{}], ['']])(
    'refuses the position %j with 422 instead of marking everything',
    async (upTo) => {
      const { test, send, list, budi, ratna } = await buildChatWithUsers();
      await send(budi, ratna);
      const answer = await test.call('POST', `/api/messages/conversation/${budi.id}/seen`, {
        token: ratna.token,
        body: { up_to: upTo },
      });
      const errors = { up_to: [BAD_FORMAT.message] };
      expect(statusAndBody(answer)).toEqual([422, { ...BAD_FORMAT, errors }]);
      expect((await list(ratna)).total_unread).toBe(1);
    },
  );
});
