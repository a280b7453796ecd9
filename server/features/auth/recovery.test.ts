import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/durations.ts';
import { PHONE_PROVEN_MS } from '#shared/limits.ts';
import { makeCardFor } from '#server/testing/cards.ts';
import { buildAdmin, buildSession, buildTestUser, cheapHash } from '#server/testing/factories.ts';
import { complete, makeCodeFor, NEW_PASSWORD } from '#server/testing/recovery.ts';
import { changeUser, storedSessions } from '#server/testing/rows.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';

const ASKED = 'Jika akun itu ada, kantor akan menghubungi Anda atau memberi kode di loket.';
const WRONG = { status: 422, body: { message: 'Kode tidak berlaku. Minta kode baru di kantor.' } };
const PHONE = '+6281234567890';
const settings = { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null, rateLimits: false };

async function buildOffice(overrides: Parameters<typeof buildTestApp>[0] = {}) {
  const test = await buildTestApp(overrides);
  return { test, ratna: buildAdmin(test), budi: buildTestUser(test, { passwordHash: cheapHash('rahasia-1') }) };
}
const ask = (test: TestApp, identifier: unknown) => test.call('POST', '/api/auth/recovery', { body: { identifier } });
const openRequests = async (test: TestApp, { token }: { token: string }) =>
  (await test.call('GET', '/api/admin/recoveries?state=open', { token })).body.data as { id: string }[];

describe('a request for a way back in', () => {
  it('reaches the office once, by e-mail address or phone, and says when it was asked last', async () => {
    const { test, ratna, budi } = await buildOffice();
    changeUser(test, budi.id, { phone: PHONE, phoneSince: 0 });
    const tabs = [await openTab(test, ratna), await openTab(test, budi)] as const;
    expect(await ask(test, ` ${budi.email.toUpperCase()} `)).toMatchObject({ status: 200, body: { message: ASKED } });
    test.clock.advance(MINUTE_MS);
    await ask(test, '0812-3456-7890');
    const [request, ...others] = await openRequests(test, ratna);
    expect(others).toEqual([]);
    const { id, name, email } = budi;
    const user = { id, name, email, has_email: true, phone: PHONE, phone_proves: false, way_made_at: null };
    expect(request).toEqual({
      id: request?.id,
      _id: request?.id,
      users: [user],
      identifier_kind: 'phone',
      created_at: '2026-06-10T05:00:00.000Z',
      last_seen_at: '2026-06-10T05:01:00.000Z',
    });
    await waitForPendingEvents(test, ...tabs);
    expect(tabs.map((tab) => tab.payloadsOf('recovery:changed'))).toEqual([[{}, {}], []]);
  });

  it('says whether a call to the number proves whose account it is', async () => {
    const { test, budi } = await buildOffice();
    changeUser(test, budi.id, { phone: PHONE, phoneSince: 1 });
    test.clock.advance(PHONE_PROVEN_MS);
    await ask(test, budi.email);
    const { token } = buildAdmin(test);
    const proves = async () => {
      const answer = await test.call('GET', `/api/admin/users/${budi.id}`, { token });
      const [request] = await openRequests(test, { token });
      const { users } = request as unknown as { users: { phone_proves: boolean }[] };
      return [answer.body.data, users[0]].map((account) => (account as { phone_proves: boolean }).phone_proves);
    };
    expect(await proves()).toEqual([false, false]);
    test.clock.advance(1);
    expect(await proves()).toEqual([true, true]);
    buildTestUser(test, { phone: PHONE, phoneSince: test.context.operatingNow() });
    expect(await proves()).toEqual([false, false]);
  });

  it('says when the office made a code or a card for it that is not used yet, and colleagues hear of that', async () => {
    const { test, ratna, budi } = await buildOffice();
    const madeAt = async () => {
      const [request] = await openRequests(test, ratna);
      return (request as unknown as { users: { way_made_at: string | null }[] }).users[0]?.way_made_at;
    };
    await ask(test, budi.email);
    test.clock.advance(MINUTE_MS);
    const tab = await openTab(test, buildAdmin(test));
    await makeCodeFor(test, ratna, budi.id);
    await tab.next('recovery:changed');
    test.clock.advance(MINUTE_MS);
    expect(await madeAt()).toBe('2026-06-10T05:01:00.000Z');
    await test.call('DELETE', `/api/admin/users/${budi.id}/recovery-code`, { token: ratna.token });
    expect(await madeAt()).toBeNull();
    await makeCardFor(test, ratna, budi.id);
    await tab.next('recovery:changed');
    expect(await madeAt()).toBe('2026-06-10T05:02:00.000Z');
    test.clock.advance(DAY_MS);
    expect(await madeAt()).toBe('2026-06-10T05:02:00.000Z');
  });

  it('by the phone of a family lists its accounts, the active ones alone', async () => {
    const { test, ratna } = await buildOffice();
    const family = [{ name: 'Ani' }, { name: 'Budi' }, { name: 'Cici', isActive: false }].map((one) =>
      buildTestUser(test, { ...one, phone: PHONE, phoneSince: 0 }),
    );
    await ask(test, PHONE);
    const [request] = await openRequests(test, ratna);
    expect(request).toMatchObject({ users: [{ id: family[0]?.id }, { id: family[1]?.id }] });
  });

  it('for what nobody has, or for an inactive account, is answered alike and reaches nobody', async () => {
    const { test, ratna } = await buildOffice();
    buildTestUser(test, { email: 'mati@contoh.id', isActive: false });
    const tab = await openTab(test, ratna);
    for (const identifier of ['tidak-ada@contoh.id', '081200000000', 'K7M2-9QXA', '???', 'mati@contoh.id'])
      expect(await ask(test, identifier)).toMatchObject({ status: 200, body: { message: ASKED } });
    await waitForPendingEvents(test, tab);
    expect(tab.payloadsOf('recovery:changed')).toEqual([]);
    expect(await openRequests(test, ratna)).toEqual([]);
    expect(await ask(test, ' ')).toMatchObject({ status: 422 });
  });

  it('ends after 7 days of operating time without another one, or when an admin puts it away', async () => {
    const { test, ratna, budi } = await buildOffice();
    await ask(test, budi.email);
    test.clock.jump(30 * DAY_MS);
    const [request] = await openRequests(test, ratna);
    const path = `/api/admin/recoveries/${request?.id}`;
    expect((await test.call('DELETE', path, { token: budi.token })).status).toBe(403);
    expect((await test.call('DELETE', path, { token: ratna.token })).status).toBe(200);
    expect(await test.call('DELETE', path, { token: ratna.token })).toMatchObject({
      status: 404,
      body: { message: 'Permintaan tidak ditemukan' },
    });
    await ask(test, budi.email);
    test.clock.advance(7 * DAY_MS - 1);
    const later = buildAdmin(test);
    expect(await openRequests(test, later)).toHaveLength(1);
    test.clock.advance(1);
    expect(await openRequests(test, later)).toEqual([]);
  });

  it('a request for a way back in is limited to 5 an hour for one identifier, however it is written, and 60 for one address', async () => {
    const { test } = await buildOffice();
    const statuses: number[] = [];
    for (const identifier of ['A@b.id', 'a@b.id', ' a@B.id', 'a@b.id', 'a@b.id', 'a@b.id'])
      statuses.push((await ask(test, identifier)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    for (let count = 5; count < 60; count += 1) expect((await ask(test, `x${count}@b.id`)).status).toBe(200);
    expect((await ask(test, 'letzter@b.id')).status).toBe(429);
    test.clock.advance(HOUR_MS);
    expect((await ask(test, 'a@b.id')).status).toBe(200);
  });
});

describe('a code with a new password', () => {
  it('opens the account, ends all other sessions, locks and the request, and stands in the own log', async () => {
    const { test, ratna, budi } = await buildOffice();
    const [tab, office] = [await openTab(test, budi), await openTab(test, ratna)];
    await ask(test, budi.email);
    const login = (password: string) => test.call('POST', '/api/auth/login', { body: { email: budi.email, password } });
    for (let round = 0; round < 10; round += 1) await login('salah');
    const code = await makeCodeFor(test, ratna, budi.id);
    const typed = ` ${code.toLowerCase().replace('-', ' ')} `;
    const answer = await complete(test, typed);
    expect(answer).toMatchObject({ status: 200, body: { message: 'Login berhasil' } });
    const data = answer.body.data as { token: string; user: { id: string }; device_token: string };
    expect(data.user.id).toBe(budi.id);
    expect(await tab.ended()).toBe('io server disconnect');
    expect((await test.call('GET', '/api/auth/user', { token: budi.token })).status).toBe(401);
    expect((await login('rahasia-1')).status).toBe(401);
    expect((await login(NEW_PASSWORD.password)).status).toBe(200);
    const own = await test.call('GET', '/api/auth/security-log', { token: data.token });
    expect(own.body.data).toMatchObject([
      { event: 'password.changed', by_name: budi.name, how: 'code' },
      { event: 'recovery_code.used', by_name: budi.name, how: 'counter' },
      { event: 'recovery_code.made', by_name: 'Petugas', how: 'counter' },
    ]);
    expect(
      storedSessions(test)
        .filter(({ userId }) => userId === budi.id)
        .map(({ entry }) => entry),
    ).toEqual(['code', 'password']);
    expect(await openRequests(test, ratna)).toEqual([]);
    await waitForPendingEvents(test, office);
    // The request, the code, and its use.
    expect(office.payloadsOf('recovery:changed')).toHaveLength(3);
  });

  it('checks the new password as a registration does, and keeps the code meanwhile', async () => {
    const { test, ratna, budi } = await buildOffice();
    const code = await makeCodeFor(test, ratna, budi.id);
    const short = { password: 'pendek', password_confirmation: 'lain' };
    expect(await complete(test, code, '10.0.0.1', short)).toMatchObject({
      status: 422,
      body: { errors: { password: ['Password minimal 8 karakter'], password_confirmation: ['Password harus sama'] } },
    });
    expect((await complete(test, code)).status).toBe(200);
  });

  it('that is wrong counts for its address: after ten the right one is not looked at for 15 minutes', async () => {
    const { test, ratna, budi } = await buildOffice({ settings });
    const code = await makeCodeFor(test, ratna, budi.id);
    for (let round = 0; round < 10; round += 1) expect(await complete(test, 'AAAA-AAAA')).toMatchObject(WRONG);
    expect((await complete(test, code)).status).toBe(429);
    expect((await complete(test, 'AAAA-AAAA')).status).toBe(429);
    test.clock.advance(15 * MINUTE_MS);
    expect((await complete(test, code)).status).toBe(200);
  });

  it('opens nothing when it is no text, empty, cut or longer', async () => {
    const { test, ratna, budi } = await buildOffice();
    const code = await makeCodeFor(test, ratna, budi.id);
    for (const wrong of [null, 7, {}, '', code.slice(0, 8), `${code}2`, code.slice(0, 2), 'x'.repeat(51)])
      expect(await complete(test, wrong)).toMatchObject(WRONG);
    expect((await complete(test, code)).status).toBe(200);
  });
});

describe('the own number', () => {
  const put = (test: TestApp, token: string, body: object) => test.call('PUT', '/api/auth/user', { token, body });

  it('needs the own password, ends other sessions, stands in the own log, and is in no other answer', async () => {
    const { test, ratna, budi } = await buildOffice();
    const other = buildSession(test, budi.id);
    const body = { phone: '0812-3456-7890' };
    expect(await put(test, budi.token, body)).toMatchObject({
      status: 422,
      body: { errors: { current_password: ['Masukkan password Anda'] } },
    });
    expect(await put(test, budi.token, { ...body, current_password: 'salah' })).toMatchObject({
      status: 422,
      body: { message: 'Password salah' },
    });
    const right = { ...body, phone_consent: true, current_password: 'rahasia-1' };
    expect(await put(test, budi.token, right)).toMatchObject({
      status: 200,
      body: { data: { name: budi.name, phone: PHONE, phone_consent: true } },
    });
    expect((await test.call('GET', '/api/auth/user', { token: other.token })).status).toBe(401);
    const log = await test.call('GET', '/api/auth/security-log', { token: budi.token });
    expect(log.body.data).toMatchObject([{ event: 'phone.changed', how: 'password' }]);
    // Name and consent need no password.
    expect(await put(test, budi.token, { name: 'Budi Baru', phone_consent: false, phone: PHONE })).toMatchObject({
      status: 200,
      body: { data: { name: 'Budi Baru', phone_consent: false } },
    });
    expect(JSON.stringify((await test.call('GET', '/api/admin/users', { token: ratna.token })).body)).not.toContain(
      PHONE,
    );
    expect(JSON.stringify((await test.call('GET', '/api/admin/audit', { token: ratna.token })).body)).not.toContain(
      PHONE,
    );
  });

  it('of an admin is told to all others', async () => {
    const { test, ratna } = await buildOffice();
    const dewi = buildAdmin(test, { name: 'Dewi' });
    const body = { phone: '081234567890', current_password: 'rahasia-admin' };
    expect((await put(test, dewi.token, body)).status).toBe(200);
    const notices = await test.call('GET', '/api/admin/notices', { token: ratna.token });
    expect(notices.body.data).toMatchObject([{ text: `Dewi mengubah nomor HP admin Dewi (${dewi.email})` }]);
  });
});
