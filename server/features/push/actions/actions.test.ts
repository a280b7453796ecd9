import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#shared/durations.ts';
import { buildChatApp } from '#server/testing/chat/chat-app.ts';
import { buildAdmin, buildSession, buildTestUser, type SignedInUser, ownPassword } from '#server/testing/factories.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';
import type { Answer } from '#server/testing/test-app.ts';
import { createActionTokens, type PushAction } from './action-tokens.ts';

const REFUSED = {
  success: false,
  message: 'Tombol notifikasi ini sudah tidak berlaku. Buka aplikasi untuk melanjutkan.',
};

/** Wati and an office of two; the office has written to Budi once, and Budi to the office. */
async function buildOffice() {
  const chat = await buildChatApp();
  const { test, send } = chat;
  const [ratna, sari] = [buildAdmin(test), buildAdmin(test, { name: 'Sari' })];
  const [budi, wati] = [buildTestUser(test, { name: 'Budi' }), buildTestUser(test)];
  const tokens = createActionTokens(test.context);
  const question = await send(budi, ratna, 'Kapan buka?');
  const answer = await send(ratna, budi, 'Pukul delapan');
  /** The token in a push about a message of Budi's conversation. */
  const tokenOf = (who: SignedInUser, messageId: string, changes: Partial<PushAction> = {}): string =>
    tokens.issue({
      sessionId: who.sessionId,
      isAdmin: who.isAdmin,
      userId: budi.id,
      messageId: Number(messageId),
      ...changes,
    });
  const act = (body: object): Promise<Answer> => test.call('POST', '/api/push/actions', { body });
  const read = (action_token: string): Promise<Answer> => act({ action: 'read', action_token });
  const reply = (action_token: string, content: string, client_id: string = randomUUID()): Promise<Answer> =>
    act({ action: 'reply', action_token, content, client_id });
  const textsOf = async (): Promise<string[]> =>
    (await chat.history(ratna, budi.id)).messages.map((each) => each.content);
  return { ...chat, ratna, sari, budi, wati, question, answer, tokens, tokenOf, read, reply, act, textsOf };
}
type Office = Awaited<ReturnType<typeof buildOffice>>;

describe('the buttons of a notification', () => {
  it('mark as read up to the message of the notification, and never further', async () => {
    const { test, send, ratna, budi, answer, tokenOf, read, list } = await buildOffice();
    const newer = await send(ratna, budi, 'Satu lagi');
    const tab = await openTab(test, ratna);
    expect(await read(tokenOf(budi, answer._id))).toMatchObject({ status: 200, body: { data: { unread: 1 } } });
    expect((await list(budi)).total_unread).toBe(1);
    // Again, and with the newer one.
    expect((await read(tokenOf(budi, answer._id))).body.data).toEqual({ unread: 1 });
    expect((await read(tokenOf(budi, newer._id))).body.data).toEqual({ unread: 0 });
    expect((await read(tokenOf(budi, answer._id))).body.data).toEqual({ unread: 0 });
    await waitForPendingEvents(test, tab);
    expect(tab.payloadsOf('conversation:seen').map(({ by, up_to }) => [by, up_to])).toEqual([
      ['user', answer._id],
      ['user', newer._id],
    ]);
  });

  it('work for a user while no admin is active, and count all conversations for an admin', async () => {
    const { test, send, ratna, wati, budi, question, answer, tokenOf, read, reply } = await buildOffice();
    await send(wati, ratna, 'Permisi');
    expect((await read(tokenOf(ratna, question._id))).body.data).toEqual({ unread: 1 });
    test.database.sqlite.exec('update users set is_active = 0 where is_admin = 1');
    expect((await reply(tokenOf(budi, answer._id), 'Halo?')).status).toBe(404);
    expect((await read(tokenOf(budi, answer._id))).body.data).toEqual({ unread: 0 });
  });

  it('answer once in this conversation, and mark as read', async () => {
    const { history, ratna, budi, question, answer, tokenOf, reply, textsOf } = await buildOffice();
    const clientId = randomUUID();
    for (const time of ['first', 'again'])
      expect(await reply(tokenOf(budi, answer._id), ' Terima kasih ', clientId), time).toMatchObject({
        status: 200,
        body: { message: 'Pesan terkirim', data: { unread: 0 } },
      });
    expect((await reply(tokenOf(ratna, question._id), 'Sama-sama')).status).toBe(200);
    expect(await textsOf()).toEqual(['Kapan buka?', 'Pukul delapan', 'Terima kasih', 'Sama-sama']);
    const { messages } = await history(budi, ratna.id);
    expect(messages.slice(2).map((message) => [message.sender_id, message.from_admin])).toEqual([
      [budi.id, false],
      [ratna.id, true],
    ]);
  });

  it('refuse the answer of an admin whose colleague has answered, and leave the conversation unread', async () => {
    const { send, list, ratna, sari, budi, tokenOf, reply, textsOf } = await buildOffice();
    const second = await send(budi, ratna, 'Apakah Sabtu buka?');
    await send(sari, budi, 'Ya');
    const refused = await reply(tokenOf(ratna, second._id), 'Tidak');
    expect([refused.status, refused.body.message]).toEqual([409, 'Sari sudah membalas. Baca dulu sebelum mengirim.']);
    expect(await textsOf()).not.toContain('Tidak');
    expect((await list(ratna)).total_unread).toBe(2);
  });

  it('refuse texts that no message may have, and change nothing', async () => {
    const { act, budi, answer, tokenOf, textsOf, list } = await buildOffice();
    const action_token = tokenOf(budi, answer._id);
    const reply = { action: 'reply', action_token, content: 'Halo' };
    for (const [field, body] of [
      ['content', { ...reply, content: '  ' }],
      ['content', { ...reply, content: 'a'.repeat(2001) }],
      ['client_id', { ...reply, client_id: 'ada spasi' }],
      ['action', { action_token, action: 'delete' }],
      ['action_token', { action: 'read' }],
    ] as const) {
      const answered = await act(body);
      expect([answered.status, Object.keys(answered.body.errors ?? {})], JSON.stringify(body)).toEqual([422, [field]]);
    }
    expect((await act({ ...reply, content: 'a'.repeat(20_000) })).status).toBe(413);
    expect(await textsOf()).toHaveLength(2);
    expect((await list(budi)).total_unread).toBe(1);
  });

  type Attack = (office: Office) => Promise<string> | string;
  const byAdmin = async ({ test, sari }: Office, method: string, path: string, body?: unknown): Promise<void> => {
    const answer = await test.call(method, `/api/${path}`, {
      token: sari.token,
      ...(body === undefined ? {} : { body }),
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  const refusesToken = async (office: Office, token: string, reason: string): Promise<void> => {
    const { test, ratna, read, reply } = office;
    const counted = office.countStored();
    const before = test.database.sqlite.prepare('select * from conversations order by user_id').all();
    for (const answer of [await read(token), await reply(token, 'Jahat')])
      expect([answer.status, answer.body], reason).toEqual([403, REFUSED]);
    expect(test.database.sqlite.prepare('select * from conversations order by user_id').all(), reason).toEqual(before);
    expect(office.countStored(), reason).toBe(counted);
    // It opens nothing else either.
    expect((await test.call('GET', '/api/auth/user', { token: office.tokenOf(ratna, '1') })).status).toBe(401);
  };
  it.each<[string, Attack]>([
    [
      'after the sign-out',
      async ({ test, budi, answer, tokenOf }) => {
        await test.call('POST', '/api/auth/logout', { token: budi.token });
        return tokenOf(budi, answer._id);
      },
    ],
    [
      'after the sign-out, beside another session of the same person',
      async ({ test, budi, answer, tokenOf }) => {
        const { token, sessionId } = buildSession(test, budi.id);
        await test.call('POST', '/api/auth/logout', { token });
        return tokenOf(budi, answer._id, { sessionId });
      },
    ],
    [
      'after a week without any use',
      ({ test, budi, answer, tokenOf }) => {
        const token = tokenOf(budi, answer._id);
        test.clock.advance(7 * DAY_MS + 1);
        return token;
      },
    ],
    [
      'after a week, of a session that is used',
      async ({ test, budi, answer, tokenOf }) => {
        const token = tokenOf(budi, answer._id);
        for (let day = 0; day < 8; day += 1) {
          test.clock.advance(DAY_MS);
          await test.call('GET', '/api/auth/user', { token: budi.token });
          await test.context.write(() => null);
        }
        return token;
      },
    ],
    [
      'after the deactivation',
      async (office) => {
        await byAdmin(office, 'PUT', `admin/users/${office.budi.id}/toggle-status`);
        return office.tokenOf(office.budi, office.answer._id);
      },
    ],
    [
      'of a user who has become an admin',
      async (office) => {
        await byAdmin(office, 'PUT', `admin/users/${office.budi.id}`, { is_admin: true, ...ownPassword });
        return office.tokenOf(office.budi, office.answer._id);
      },
    ],
    [
      'of an admin who has become a user',
      async (office) => {
        await byAdmin(office, 'PUT', `admin/users/${office.ratna.id}`, { is_admin: false, ...ownPassword });
        return office.tokenOf(office.ratna, office.question._id);
      },
    ],
    [
      'for a message of a deleted history',
      async (office) => {
        await byAdmin(office, 'DELETE', `messages/conversation/${office.budi.id}`);
        return office.tokenOf(office.budi, office.answer._id);
      },
    ],
    [
      'of a deleted account',
      async (office) => {
        await byAdmin(office, 'DELETE', `admin/users/${office.budi.id}`);
        return office.tokenOf(office.budi, office.answer._id);
      },
    ],
    [
      'for the conversation of a deleted account',
      async (office) => {
        await byAdmin(office, 'DELETE', `admin/users/${office.budi.id}`);
        return office.tokenOf(office.ratna, office.question._id);
      },
    ],
  ])('refuse a token %s', async (reason, attack) => {
    const office = await buildOffice();
    await refusesToken(office, await attack(office), reason);
  });

  it('refuse a token for anything else than it was made for, and every other text', async () => {
    const office = await buildOffice();
    const attacks: [string, Attack][] = [
      [
        'for a message of another conversation',
        async ({ send, wati, ratna, budi, tokenOf }) => {
          const { _id } = await send(wati, ratna, 'Rahasia');
          return tokenOf(budi, _id);
        },
      ],
      ['for a message that is still to come', ({ budi, tokenOf }) => tokenOf(budi, '999999')],
      [
        'for a conversation that is not the own one',
        async ({ send, wati, ratna, budi, tokenOf }) => {
          const { _id } = await send(wati, ratna, 'Rahasia');
          return tokenOf(budi, _id, { userId: wati.id });
        },
      ],
      [
        'of a user with the role of an admin',
        ({ budi, question, tokenOf }) => tokenOf(budi, question._id, { isAdmin: true }),
      ],
      [
        'that was changed',
        ({ tokens, budi, ratna, answer, tokenOf }) => {
          const [content = ''] = tokenOf(ratna, answer._id).split('.');
          const [, signature = ''] = tokenOf(budi, answer._id).split('.');
          expect(tokens.read(`${content}.${signature}`)).toBeNull();
          return `${content}.${signature}`;
        },
      ],
      [
        'that another secret signed',
        ({ test, budi, answer }) => {
          const foreign = createActionTokens({ secret: 'x'.repeat(40), now: test.clock.now });
          return foreign.issue({
            sessionId: budi.sessionId,
            isAdmin: false,
            userId: budi.id,
            messageId: Number(answer._id),
          });
        },
      ],
      ['that is the token of the session', ({ budi }) => budi.token],
      ['that is nothing', () => ''],
      ['that is no text', () => '\0.\u{1F600}'],
    ];
    for (const [reason, attack] of attacks) await refusesToken(office, await attack(office), reason);
  });

  it('refuse a flood from one person, and do nothing for one without a token', async () => {
    const { test, ratna, budi, question, answer, tokenOf, read } = await buildOffice();
    const token = tokenOf(budi, answer._id);
    for (let count = 0; count < 40; count += 1) expect((await read(`${token}x`)).status).toBe(403);
    for (let count = 0; count < 30; count += 1) expect((await read(token)).status).toBe(200);
    const refused = await read(tokenOf({ ...budi, ...buildSession(test, budi.id) }, answer._id));
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
    expect((await read(tokenOf(ratna, question._id))).status).toBe(200);
    test.clock.advance(MINUTE_MS);
    expect((await read(token)).status).toBe(200);
  });
});
