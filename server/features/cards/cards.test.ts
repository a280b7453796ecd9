import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/durations.ts';
import { activate, askForCard, enter, giveCard, makeCardFor, PIN } from '#server/testing/cards.ts';
import { buildAdmin, buildTestUser, ownPassword } from '#server/testing/factories.ts';
import { storedSessions } from '#server/testing/rows.ts';
import { openTab } from '#server/testing/sockets.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';

async function buildOffice() {
  const test = await buildTestApp();
  const user = buildTestUser(test, { name: 'Mbah Karto', phone: '+6281374926058' });
  return { test, ratna: buildAdmin(test), user };
}
const ownUser = (test: TestApp, token: string) => test.call('GET', '/api/auth/user', { token });
const WRONG = { status: 401, body: { message: 'Kode atau PIN salah' } };

describe('a card', () => {
  it('lets its holder choose a PIN once and enter with it, however the code is written', async () => {
    const { test, ratna, user } = await buildOffice();
    expect((await test.call('GET', '/api/auth/card')).body.data).toEqual({ in_use: false });
    const card = await makeCardFor(test, ratna, user.id);
    expect(card).toEqual({
      code: expect.stringMatching(/^\w{4}-\w{4}$/),
      activation: expect.stringMatching(/^\w{5}-\w{5}$/),
      activation_expires_at: '2026-07-10T05:00:00.000Z',
      qr_url: `/masuk#${card.code}`,
    });
    expect((await test.call('GET', '/api/auth/card')).body.data).toEqual({ in_use: true });
    expect(await enter(test, card)).toMatchObject(WRONG);
    const first = await activate(test, card);
    expect(first).toMatchObject({ status: 200, body: { data: { user: { name: 'Mbah Karto' } } } });
    expect(await activate(test, card)).toMatchObject(WRONG);
    const entered = await enter(test, { code: card.code.toLowerCase().replace('-', ' ') });
    expect((await ownUser(test, entered.body.data.token)).status).toBe(200);
    expect(await enter(test, { code: card.code, pin: '402919' })).toMatchObject(WRONG);
    const sessions = await test.call('GET', '/api/auth/sessions', { token: entered.body.data.token });
    expect(sessions.raw.toString()).toContain('"entry":"card"');
  });

  it.each([
    ['123456', 422],
    ['374926', 422],
    ['402918', 200],
  ])(
    'takes the PIN %s with %d: one that is easy to guess or part of the own number is refused',
    async (pin, status) => {
      const { test, ratna, user } = await buildOffice();
      const card = await makeCardFor(test, ratna, user.id);
      const answer = await activate(test, card, { pin });
      expect(answer.status).toBe(status);
      if (status === 422) expect(answer.body.errors).toEqual({ pin: ['Pilih PIN yang tidak mudah ditebak'] });
      // A refused PIN uses nothing up.
      expect((await activate(test, card)).status).toBe(status === 422 ? 200 : 401);
    },
  );

  it('ends with its sessions at once when the office makes a new one, so that a printed one from the bin opens nothing', async () => {
    const { test, ratna, user } = await buildOffice();
    const old = await giveCard(test, ratna, user.id);
    const tab = await openTab(test, { ...user, token: old.token });
    const next = await makeCardFor(test, ratna, user.id);
    expect(await tab.ended()).toBe('io server disconnect');
    expect((await ownUser(test, old.token)).status).toBe(401);
    // The session that did not come in by the card stays.
    expect((await ownUser(test, user.token)).status).toBe(200);
    expect(await enter(test, old)).toMatchObject(WRONG);
    expect(await activate(test, { ...old, activation: next.activation })).toMatchObject(WRONG);
    expect((await activate(test, next)).status).toBe(200);
  });

  it('ends with DELETE, and with the promotion of its account, which needs an e-mail address', async () => {
    const { test, ratna, user } = await buildOffice();
    const path = `/api/admin/users/${user.id}`;
    const first = await giveCard(test, ratna, user.id);
    expect((await test.call('DELETE', `${path}/card`, { token: ratna.token })).status).toBe(200);
    expect((await ownUser(test, first.token)).status).toBe(401);
    expect((await test.call('DELETE', `${path}/card`, { token: ratna.token })).body.message).toBe(
      'Akun ini belum memakai kartu',
    );
    const second = await giveCard(test, ratna, user.id);
    const promotion = { token: ratna.token, body: { is_admin: true, ...ownPassword } };
    expect((await test.call('PUT', path, promotion)).status).toBe(200);
    expect((await ownUser(test, second.token)).status).toBe(401);
    expect(await enter(test, second)).toMatchObject(WRONG);
    expect(storedSessions(test).filter(({ entry }) => entry === 'card')).toEqual([]);
    expect(await askForCard(test, ratna, user.id)).toMatchObject({
      status: 409,
      body: { message: 'Kartu hanya untuk warga' },
    });
  });

  it('appears in the own log of its holder and as a line at the next entry, and in the audit without its codes', async () => {
    const { test, ratna, user } = await buildOffice();
    const card = await giveCard(test, ratna, user.id);
    await enter(test, card);
    const log = await test.call('GET', '/api/auth/security-log', { token: card.token });
    expect(log.body.data).toMatchObject([
      { event: 'card.used', by_name: 'Mbah Karto' },
      { event: 'card.activated', by_name: 'Mbah Karto' },
      { event: 'card.made', by_name: 'Petugas' },
    ]);
    const notices = await test.call('GET', '/api/auth/notices', { token: card.token });
    expect(notices.body.data).toMatchObject([
      {
        kind: 'card.made',
        text: 'Kantor membuat kartu untuk akun Anda, 10 Jun 2026 12.00. Bukan Anda yang meminta? Hubungi kantor.',
      },
    ]);
    const audit = await test.call('GET', '/api/admin/audit?action=user.card', { token: ratna.token });
    expect(audit.body.data).toMatchObject({ data: [{ changes: [{ field: 'card', from: false, to: true }] }] });
  });

  it('takes its activation no more after 30 days, nor after ten wrong ones', async () => {
    const { test, ratna, user } = await buildOffice();
    const late = await makeCardFor(test, ratna, user.id);
    test.clock.advance(30 * DAY_MS);
    expect(await activate(test, late)).toMatchObject(WRONG);
    const fresh = buildAdmin(test);
    const card = await makeCardFor(test, fresh, user.id);
    for (let round = 0; round < 10; round += 1)
      expect(await activate(test, { ...card, activation: '22222-22222' })).toMatchObject(WRONG);
    expect(await activate(test, card, { address: '10.0.0.2' })).toMatchObject(WRONG);
    const shown = await test.call('GET', `/api/admin/users/${user.id}`, { token: fresh.token });
    expect(shown.body.data).toMatchObject({ card: { activated_at: null, is_blocked: true } });
  });

  it('brings a request for a way back in to its account, by its code', async () => {
    const { test, ratna, user } = await buildOffice();
    const card = await giveCard(test, ratna, user.id);
    await test.call('POST', '/api/auth/recovery', { body: { identifier: card.code.toLowerCase() } });
    const open = await test.call('GET', '/api/admin/recoveries', { token: ratna.token });
    expect(open.body.data).toMatchObject([{ identifier_kind: 'card', users: [{ id: user.id }] }]);
    // A new card that its holder activates is the way in that was asked for.
    await giveCard(test, ratna, user.id);
    expect((await test.call('GET', '/api/admin/recoveries', { token: ratna.token })).body.data).toEqual([]);
  });

  it('stays with a deactivated account but opens nothing, and goes with a deleted one', async () => {
    const { test, ratna, user } = await buildOffice();
    const card = await giveCard(test, ratna, user.id);
    const toggle = () => test.call('PUT', `/api/admin/users/${user.id}/toggle-status`, { token: ratna.token });
    await toggle();
    expect((await enter(test, card)).status).toBe(403);
    expect(await askForCard(test, ratna, user.id)).toMatchObject({ status: 409 });
    await toggle();
    expect((await enter(test, { code: card.code, pin: PIN })).status).toBe(200);
    expect((await test.call('DELETE', `/api/admin/users/${user.id}`, { token: ratna.token })).status).toBe(200);
    expect(await enter(test, card)).toMatchObject(WRONG);
  });
});

describe('a card for an account that was an administrator within 24 hours', () => {
  it('needs another seasoned administrator with the own password, and is told to all others', async () => {
    const { test, ratna } = await buildOffice();
    const dewi = buildAdmin(test, { name: 'Dewi' });
    const joko = buildAdmin(test, { name: 'Joko', adminSince: test.clock.now() });
    const demotion = { token: ratna.token, body: { is_admin: false, ...ownPassword } };
    expect((await test.call('PUT', `/api/admin/users/${dewi.id}`, demotion)).status).toBe(200);
    expect((await askForCard(test, joko, dewi.id, ownPassword)).body.message).toMatch(/^Anda baru dapat melakukan ini/);
    expect((await askForCard(test, ratna, dewi.id)).status).toBe(422);
    expect((await askForCard(test, ratna, dewi.id, ownPassword)).status).toBe(201);
    const told = await test.call('GET', '/api/admin/notices', { token: joko.token });
    expect(told.raw.toString()).toContain('Ibu Ratna membuat kartu untuk admin Dewi');
  });
});
