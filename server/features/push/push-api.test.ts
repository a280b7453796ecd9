import { createECDH } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#shared/durations.ts';
import type { PushPayload } from '#shared/push.ts';
import { describeOnSqlite } from '#server/testing/on-sqlite.ts';
import { buildAdmin, buildSession, buildTestUser, type SignedInUser, ownPassword } from '#server/testing/factories.ts';
import { buildSubscriptionBody, PUSH_ORIGIN, pushSettings, storedSubscriptions } from '#server/testing/push.ts';
import { type Answer, buildTestApp, type TestApp } from '#server/testing/test-app.ts';
import { startPushService } from '#server/testing/network/push-service.ts';
import { buildPushApp as buildDeliveryApp } from '#server/testing/chat/push-app.ts';
import type { PushDeps } from './register.ts';
import type { PushOutcome, PushTarget } from './sending/push.ts';
import { createVapidKeySource } from './vapid-keys.ts';

const SUBSCRIPTION = '/api/push/subscription';
const PREFERENCES = '/api/push/preferences';

async function buildPushApp(push: Partial<PushDeps> = {}) {
  const test = await buildTestApp({ settings: pushSettings, push });
  const put = (who: { token: string }, body: unknown): Promise<Answer> =>
    test.call('PUT', SUBSCRIPTION, { token: who.token, body });
  const subscribe = async (who: { token: string }, body = buildSubscriptionBody()) => {
    expect(await put(who, body)).toMatchObject({ status: 200, body: { success: true, data: {} } });
    return body;
  };
  /** Session and endpoint of all subscriptions. */
  const stored = (): string[][] => storedSubscriptions(test).map(({ sessionId, endpoint }) => [sessionId, endpoint]);
  return { test, put, subscribe, stored, budi: buildTestUser(test), wati: buildTestUser(test) };
}

describe('push subscriptions', () => {
  it('need a signed-in caller, before anything else is looked at', async () => {
    const { test } = await buildPushApp();
    const calls = [
      ['GET', '/api/push/key'],
      ['PUT', SUBSCRIPTION],
      ['DELETE', SUBSCRIPTION],
      ['GET', PREFERENCES],
      ['PUT', PREFERENCES],
      ['POST', '/api/push/test'],
    ] as const;
    for (const [method, url] of calls)
      for (const token of [undefined, 'x'])
        expect((await test.call(method, url, { token, body: { endpoint: 'x' } })).status, url).toBe(401);
  });

  it('belong to a session: a new one replaces the old one, and ends alone', async () => {
    const { test, subscribe, stored, budi } = await buildPushApp();
    const phone = buildSession(test, budi.id);
    await subscribe(budi);
    const second = await subscribe(budi);
    const other = await subscribe(phone);
    expect(stored()).toEqual([
      [budi.sessionId, second.endpoint],
      [phone.sessionId, other.endpoint],
    ]);
    const listed = (await test.call('GET', '/api/auth/sessions', { token: budi.token })).body as {
      data: { data?: { has_notifications: boolean }[] };
    };
    expect(listed.data.data?.map((session) => session.has_notifications)).toEqual([true, true]);
    // Owed messages stay owed when the page subscribes again at its next start, and when the browser has a new address.
    test.database.sqlite.exec('update push_subscriptions set owed_after_id = 7');
    for (const body of [second, buildSubscriptionBody()]) {
      await subscribe(budi, body);
      expect(storedSubscriptions(test).map(({ owedAfterId }) => owedAfterId)).toEqual([7, 7]);
    }
    for (const time of ['first', 'again'])
      expect((await test.call('DELETE', SUBSCRIPTION, { token: budi.token })).status, time).toBe(200);
    expect(stored()).toEqual([[phone.sessionId, other.endpoint]]);
  });

  it('move with the browser to whoever is signed in there, and to nobody who only knows the endpoint', async () => {
    const { put, subscribe, stored, budi, wati } = await buildPushApp();
    const phone = await subscribe(budi);
    const { endpoint } = phone;
    for (const body of [buildSubscriptionBody(endpoint), { ...phone, keys: buildSubscriptionBody().keys }])
      expect(await put(wati, body)).toMatchObject({
        status: 422,
        body: { errors: { endpoint: ['Alamat layanan notifikasi peramban ini tidak dapat dipakai'] } },
      });
    // Other letters for the same address.
    const inOtherLetters = endpoint.replace('https://push', 'https://PUSH').replace('.id/', '.id:443/./');
    expect((await put(wati, buildSubscriptionBody(inOtherLetters))).status).toBe(422);
    expect(stored()).toEqual([[budi.sessionId, endpoint]]);
    await subscribe(wati, phone);
    expect(stored()).toEqual([[wati.sessionId, endpoint]]);
    // The one before takes its own new one, and ends only that.
    const next = await subscribe(budi);
    expect(new Map(stored() as [string, string][])).toEqual(
      new Map([
        [budi.sessionId, next.endpoint],
        [wati.sessionId, endpoint],
      ]),
    );
  });

  it('get 422 for an endpoint that no push can reach, also by a name that leads into the office', async () => {
    const asked: string[] = [];
    const { test, put, subscribe, stored, budi } = await buildPushApp({
      resolveName: async (name) => {
        asked.push(name);
        return name === 'kantor.contoh.id' ? ['93.184.215.14', '192.168.1.10'] : [];
      },
    });
    const { keys } = buildSubscriptionBody();
    const refused = [
      ...['https://127.0.0.1/a', 'http://push.contoh.id/a', 'https://kantor.contoh.id/a', ''].map((endpoint) => ({
        field: 'endpoint',
        body: { endpoint, keys },
      })),
      { field: 'endpoint', body: { keys } },
      { field: 'endpoint', body: { endpoint: 7, keys } },
      { field: 'keys', body: { endpoint: `${PUSH_ORIGIN}/a` } },
      { field: 'keys', body: { endpoint: `${PUSH_ORIGIN}/a`, keys: { ...keys, auth: 'pendek' } } },
      { field: 'keys', body: { endpoint: `${PUSH_ORIGIN}/a`, keys: { ...keys, p256dh: keys.auth } } },
    ];
    for (const { field, body } of refused) {
      const answer = await put(budi, body);
      expect([answer.status, Object.keys(answer.body.errors ?? {})], JSON.stringify(body)).toEqual([422, [field]]);
    }
    expect(asked).toEqual(['kantor.contoh.id']);
    expect(stored()).toEqual([]);
    // Without internet nobody knows where a name leads; each connection checks it.
    test.clock.advance(MINUTE_MS);
    await subscribe(budi, buildSubscriptionBody('https://tanpa-internet.contoh.id/a'));
    expect(stored()).toHaveLength(1);
  });

  type Ending = (user: SignedInUser, ratna: SignedInUser, test: TestApp) => Promise<Answer>;
  const byAdmin =
    (method: string, path: string, body?: unknown): Ending =>
    async ({ id }, { token }, { call }) =>
      call(method, `/api/admin/users/${id}${path}`, { token, ...(body === undefined ? {} : { body }) });
  it.each<[string, Ending]>([
    ['sign-out', async ({ token }, _ratna, { call }) => call('POST', '/api/auth/logout', { token })],
    [
      'an end from another device',
      async ({ id, sessionId }, _ratna, test) => {
        const { token } = buildSession(test, id);
        return test.call('DELETE', `/api/auth/sessions/${sessionId}`, { token });
      },
    ],
    ['deactivation', byAdmin('PUT', '/toggle-status')],
    [
      'a new password',
      byAdmin('PUT', '/password', { password: 'rahasia-baru', password_confirmation: 'rahasia-baru' }),
    ],
    ['another role', byAdmin('PUT', '', { is_admin: true, ...ownPassword })],
    ['deletion', byAdmin('DELETE', '')],
  ])('end with %s', async (_reason, end) => {
    const { test, subscribe, stored, budi, wati } = await buildPushApp();
    await subscribe(budi);
    const { endpoint } = await subscribe(wati);
    const answer = await end(budi, buildAdmin(test), test);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(stored()).toEqual([[wati.sessionId, endpoint]]);
  });

  it('end with the oldest of too many sessions, and with a session that nobody used for long', async () => {
    const { test, subscribe, stored, put, budi } = await buildPushApp();
    const account = { email: 'tono@contoh.id', password: 'rahasia-saya' };
    const names = { name: 'Tono', password_confirmation: account.password };
    const { data } = (await test.call('POST', '/api/auth/register', { body: { ...account, ...names } })).body as {
      data: { token?: string; user?: { id: string } };
    };
    await subscribe({ token: data.token ?? '' });
    for (let count = 0; count < 19; count += 1) buildSession(test, data.user?.id ?? '');
    expect(stored()).toHaveLength(1);
    const signIn = async () => expect((await test.call('POST', '/api/auth/login', { body: account })).status).toBe(200);
    await signIn();
    expect(stored()).toEqual([]);

    const body = await subscribe(budi);
    test.clock.advance(7 * DAY_MS + 1);
    expect((await put(budi, body)).status).toBe(401);
    await signIn();
    expect(stored()).toEqual([]);
  });

  it('get 429 after a flood, which asks no name server and stores nothing', async () => {
    const { test, put, stored, budi, wati } = await buildPushApp({ resolveName: async () => ['10.0.0.1'] });
    const body = buildSubscriptionBody('https://kantor.contoh.id/a');
    for (let count = 0; count < 30; count += 1) expect((await put(budi, body)).status).toBe(422);
    const refused = await put(budi, body);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
    const preferences = { enabled: true, preview: true, quiet_hours: null };
    expect((await test.call('PUT', PREFERENCES, { token: budi.token, body: preferences })).status).toBe(429);
    // A person who wants no notifications is never refused.
    expect((await test.call('DELETE', SUBSCRIPTION, { token: budi.token })).status).toBe(200);
    expect((await put(wati, body)).status).toBe(422);
    expect(stored()).toEqual([]);
    test.clock.advance(MINUTE_MS);
    expect((await put(budi, buildSubscriptionBody())).status).toBe(200);
  });
});

describe('push preferences', () => {
  const quiet_hours = { from: '21:30', to: '05:05' };

  it('hold for a person on all devices; without a choice everything is pushed', async () => {
    const { test, budi, wati } = await buildPushApp();
    const read = async ({ token }: { token: string }) => (await test.call('GET', PREFERENCES, { token })).body.data;
    const change = (body: unknown) => test.call('PUT', PREFERENCES, { token: budi.token, body });
    const none = { enabled: true, preview: true, quiet_hours: null };
    expect(await read(budi)).toEqual(none);
    const chosen = { enabled: false, preview: false, quiet_hours };
    expect(await change(chosen)).toMatchObject({ status: 200, body: { data: chosen } });
    expect(await read(buildSession(test, budi.id))).toEqual(chosen);
    expect(await read(wati)).toEqual(none);
    for (const part of [{ from: '00:00', to: '23:59' }, null]) {
      const changed = { ...none, quiet_hours: part };
      expect(await change(changed)).toMatchObject({ status: 200, body: { data: changed } });
    }
    for (const [field, body] of [
      ['enabled', { ...none, enabled: 'ya' }],
      ['preview', { enabled: true, quiet_hours: null }],
      ['quiet_hours', { enabled: true, preview: true }],
      ...['24:00', '7:00', '07:60', '', null, 5].map((from) => [
        'quiet_hours',
        { ...none, quiet_hours: { from, to: '05:00' } },
      ]),
      ['quiet_hours', { ...none, quiet_hours: { from: '05:00', to: '05:00' } }],
    ] as const) {
      const answer = await change(body);
      expect([answer.status, Object.keys(answer.body.errors ?? {})], JSON.stringify(body)).toEqual([422, [field]]);
    }
    expect(await read(budi)).toEqual(none);
    test.database.sqlite.exec('delete from users');
    expect(test.database.sqlite.prepare('select count(*) from push_preferences').pluck().get()).toBe(0);
  });
});

describe('a test notification', () => {
  async function buildTestedApp(outcome: PushOutcome) {
    const sent: { target: PushTarget; payload: PushPayload }[] = [];
    const app = await buildPushApp({
      send: async (target, payload) => {
        sent.push({ target, payload });
        return outcome;
      },
    });
    const send = (who: { token: string }) => app.test.call('POST', '/api/push/test', { token: who.token });
    return { ...app, sent, send };
  }

  it('goes to the device of this session only, whatever its person chose', async () => {
    const { test, subscribe, send, sent, budi, wati } = await buildTestedApp({ kind: 'sent' });
    const phone = buildSession(test, budi.id);
    await subscribe(phone);
    await subscribe(wati);
    expect(await send(budi)).toMatchObject({
      status: 404,
      body: { message: 'Notifikasi belum dinyalakan di perangkat ini' },
    });
    const body = { enabled: false, preview: false, quiet_hours: { from: '00:00', to: '23:59' } };
    await test.call('PUT', PREFERENCES, { token: phone.token, body });
    const { endpoint, keys } = await subscribe(budi);
    expect(await send(budi)).toMatchObject({ status: 200, body: { data: { result: 'sent', status: null } } });
    expect(sent).toEqual([
      {
        target: expect.objectContaining({ endpoint, ...keys }),
        payload: {
          title: 'Notifikasi percobaan',
          body: 'Notifikasi di perangkat ini bekerja.',
          user_id: '',
          receiver_id: budi.id,
          url: '/account',
          tag: 'pbb-percobaan',
          unread: 0,
          message_id: String(test.clock.now()),
        },
      },
    ]);
    const admin = buildAdmin(test);
    await subscribe(admin);
    await send(admin);
    expect(sent.at(-1)?.payload.url).toBe('/admin/settings');
    for (let count = 0; count < 4; count += 1) expect((await send(budi)).status).toBe(200);
    expect((await send(budi)).status).toBe(429);
    expect((await send(phone)).status).toBe(429);
    expect((await send(wati)).status).toBe(200);
  });

  it('waits for a slow push service only so often at the same time', async () => {
    const { promise: isAnswered, resolve: answer } = Promise.withResolvers<PushOutcome>();
    let waiting = 0;
    const { test, subscribe } = await buildPushApp({
      send: () => {
        waiting += 1;
        return isAnswered;
      },
    });
    const people = Array.from({ length: 20 }, () => buildTestUser(test));
    const last = buildTestUser(test);
    for (const person of [...people, last]) await subscribe(person);
    const send = ({ token }: { token: string }) => test.call('POST', '/api/push/test', { token });
    const slow = people.map(send);
    await expect.poll(() => waiting).toBe(20);
    const refused = await send(last);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2']);
    answer({ kind: 'sent' });
    expect(new Set((await Promise.all(slow)).map(({ status }) => status))).toEqual(new Set([200]));
    expect((await send(last)).status).toBe(200);
  });

  it('says what the push service answered, and ends what that has ended', async () => {
    const service = await startPushService();
    onTestFinished(() => service.close());
    const { test, subscribe } = await buildDeliveryApp(service);
    const budi = buildTestUser(test);
    const phone = await subscribe(budi);
    const send = async (): Promise<unknown[]> => {
      test.clock.advance(MINUTE_MS);
      const { status, body, raw } = await test.call('POST', '/api/push/test', { token: budi.token });
      // Nothing of the push service itself is told.
      expect(raw.toString()).not.toMatch(/127\.0\.0\.1|ECONN|layanan rahasia/);
      const { result, status: said } = (body.data ?? {}) as { result?: string; status?: number | null };
      return [status, result, said, body.message];
    };
    expect(await send()).toEqual([200, 'sent', null, expect.stringMatching(/^Notifikasi percobaan terkirim/)]);
    expect(service.payloadsOf(phone)).toMatchObject([{ title: 'Notifikasi percobaan', receiver_id: budi.id }]);
    const body = 'layanan rahasia';
    service.answerNext(
      { status: 503, body },
      { status: 403, body },
      { status: 302, headers: { location: `${service.origin}/lain` }, body },
      // The connection that was kept, and the new one.
      'reset',
      'reset',
      { status: 410, body },
    );
    expect(await send()).toEqual([200, 'busy', 503, expect.stringMatching(/sedang sibuk \(503\)/)]);
    expect(await send()).toEqual([200, 'refused', 403, expect.stringMatching(/menolak kiriman \(403\)/)]);
    expect(await send()).toEqual([200, 'refused', 302, expect.stringMatching(/menolak kiriman \(302\)/)]);
    expect(await test.pushes.status()).toMatchObject({ sent: 1, failed: 2, reaches_out: true });
    expect(await send()).toEqual([200, 'unreachable', null, expect.stringMatching(/sambungan internet/)]);
    expect(storedSubscriptions(test)).toHaveLength(1);
    expect(await send()).toEqual([200, 'ended', null, expect.stringMatching(/sudah berakhir/)]);
    expect(storedSubscriptions(test)).toEqual([]);
    expect((await send()).at(0)).toBe(404);
    expect(service.refused).toEqual([]);
  });
});

describeOnSqlite('the key of push notifications', () => {
  it('exists once, for its owner only, and changes when its file is damaged', async () => {
    const { test, budi } = await buildPushApp();
    const read = async () =>
      ((await test.call('GET', '/api/push/key', { token: budi.token })).body.data as { public_key: string }).public_key;
    const dataDir = dirname(test.proofsDir);
    const file = join(dataDir, 'push-keys.json');
    expect(existsSync(file)).toBe(false);
    const publicKey = await read();
    expect(await read()).toBe(publicKey);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { private_key: privateKey } = JSON.parse(readFileSync(file, 'utf8')) as { private_key: string };
    const pair = createECDH('prime256v1');
    pair.setPrivateKey(privateKey, 'base64url');
    expect(pair.getPublicKey('base64url')).toBe(publicKey);
    expect(JSON.stringify(await test.call('GET', '/api/docs/openapi.json'))).not.toContain(privateKey);

    let damaged = 0;
    const open = () => createVapidKeySource(dataDir, null, () => void (damaged += 1)).read();
    expect(await open()).toEqual({ publicKey, privateKey });
    const other = createECDH('prime256v1').generateKeys('base64url');
    for (const text of ['', '{', 'null', '{}', JSON.stringify({ public_key: other, private_key: privateKey })]) {
      writeFileSync(file, text);
      const made = await open();
      expect([made.publicKey, made.privateKey].map((key) => Buffer.from(key, 'base64url').length)).toEqual([65, 32]);
      expect(made.publicKey).not.toBe(publicKey);
      expect(await open()).toEqual(made);
    }
    expect(damaged).toBe(5);
  });

  it('that cannot be kept turns nothing on', async () => {
    const { test, put, stored, budi } = await buildPushApp({ dataDir: '/proc/tidak-ada' });
    test.expectErrorLog(/request failed/);
    expect((await put(budi, buildSubscriptionBody())).status).toBe(500);
    expect(stored()).toEqual([]);
    expect((await test.call('GET', '/api/auth/user', { token: budi.token })).status).toBe(200);
  });
});
