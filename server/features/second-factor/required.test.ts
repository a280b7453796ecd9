import { describe, expect, it } from 'vitest';
import type { Call } from '#shared/api/calls/call.ts';
import { calls } from '#shared/api/calls.ts';
import { DAY_MS } from '#shared/durations.ts';
import { buildAdmin, buildTestUser, ownPassword, type SignedInUser } from '#server/testing/factories.ts';
import { askForExport, waitForExport } from '#server/testing/own-data.ts';
import { changeUser } from '#server/testing/rows.ts';
import { codeOf, confirmFactor, giveFactor, login, startFactor, ticketOf } from '#server/testing/second-factor.ts';
import { connectErrorMessage, openTab } from '#server/testing/sockets.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';

const TEXT = 'Pasang kode kedua dulu.';
const settings = {
  timeZone: 'Asia/Jakarta',
  corsOrigins: [],
  trustedProxies: null,
  rateLimits: true,
  adminsNeedFactor: true,
};

const askForSetupCode = (test: TestApp, { token }: SignedInUser, id: string, body: object = ownPassword) =>
  test.call('POST', `/api/admin/users/${id}/second-factor-code`, { token, body });

/** An admin with a second factor from before the office asked for it. */
async function buildOffice() {
  const test = await buildTestApp({ settings });
  const [ratna, dewi] = [buildAdmin(test), buildAdmin(test, { name: 'Dewi' })];
  const { start, confirm } = await setUpByHand(test, ratna);
  expect([start, confirm]).toEqual([200, 200]);
  return { test, ratna, dewi };
}

/** As the command line of the server's computer helps the first admin. */
async function setUpByHand(test: TestApp, admin: SignedInUser) {
  const { hashPassword } = await import('#server/accounts/passwords.ts');
  const codeHash = await hashPassword('ABCDEFHJKM');
  const insert = test.database.sqlite.prepare('insert into setup_codes values (?, ?, ?, ?) on conflict do nothing');
  insert.run(admin.id, codeHash, 'terminal', 0);
  const started = await startFactor(test, admin, { ...ownPassword, setup_code: 'abcde-fhjkm' });
  const data = started.body.data as { secret: string };
  const confirmed = await confirmFactor(test, admin, codeOf(test, data));
  test.clock.advance(60_000);
  return { start: started.status, confirm: confirmed.status };
}

describe('an office that asks administrators for a second factor', () => {
  it('lets one without it reach only its set-up, the own account and the logout', async () => {
    const test = await buildTestApp({ settings });
    const ratna = buildAdmin(test);
    const { token } = (await login(test, ratna, 'rahasia-admin')).body.data as { token: string };
    const open: string[] = [];
    for (const [key, { access }] of Object.entries<Call>(calls)) {
      if (access === 'public' || key === 'POST /auth/logout') continue;
      const [method = '', path = ''] = key.split(' ');
      const headers: Record<string, string> = method === 'GET' ? {} : { 'content-type': 'application/json' };
      const payload = method === 'GET' ? undefined : '{';
      const answer = await test.call(method, `/api${path.replaceAll(/\{\w+\}/g, 'x')}`, { token, headers, payload });
      if (answer.status !== 403 || answer.body.message !== TEXT) open.push(key);
    }
    expect(open).toEqual(['GET /auth/user', 'POST /auth/second-factor', 'POST /auth/second-factor/confirm']);
    expect(await connectErrorMessage(test, { token })).toBe(TEXT);
    expect(await test.call('GET', '/api/auth/user', { token })).toMatchObject({
      body: { data: { must_set_up_second_factor: true } },
    });
    expect((await test.call('POST', '/api/auth/logout', { token })).status).toBe(200);
  });

  it('opens no link that an old session has got', async () => {
    const { test, ratna } = await buildOffice();
    await askForExport(test, ratna, 'rahasia-admin');
    const url = (await waitForExport(test, ratna)).url ?? '';
    expect((await test.call('GET', url)).status).toBe(200);
    test.database.sqlite.exec('delete from second_factors');
    expect((await test.call('GET', url)).status).toBe(404);
  });

  it('ends the tabs of one who loses it', async () => {
    const { test, ratna } = await buildOffice();
    const tab = await openTab(test, ratna);
    test.database.sqlite.exec('delete from second_factors');
    tab.socket.emit('typing', { to_user_id: buildTestUser(test).id, typing: true } as never);
    expect(await tab.ended()).toBe('io server disconnect');
  });

  it('asks for the set-up code of a colleague beside the password', async () => {
    const { test, ratna, dewi } = await buildOffice();
    expect(await startFactor(test, dewi, ownPassword)).toMatchObject({
      status: 422,
      body: { errors: { setup_code: ['Isi kode pemasangan'] } },
    });
    expect(await startFactor(test, dewi, { ...ownPassword, setup_code: 'AAAAA-AAAAA' })).toMatchObject({
      status: 422,
      body: { errors: { setup_code: ['Kode pemasangan tidak berlaku. Minta yang baru.'] } },
    });
    const made = await askForSetupCode(test, ratna, dewi.id);
    expect(made).toMatchObject({
      status: 201,
      body: { data: { code: expect.stringMatching(/^.{5}-.{5}$/) as string } },
    });
    const { code } = made.body.data as { code: string };
    // A newer one ends it.
    const newer = (await askForSetupCode(test, ratna, dewi.id)).body.data as { code: string };
    expect((await startFactor(test, dewi, { ...ownPassword, setup_code: code })).status).toBe(422);
    await giveFactor(test, dewi, 'rahasia-admin', { setup_code: newer.code });
    expect((await test.call('GET', '/api/admin/users', { token: dewi.token })).status).toBe(200);
    ticketOf(await login(test, dewi, 'rahasia-admin'));
    expect((await askForSetupCode(test, ratna, dewi.id)).status).toBe(409);
  });

  it('takes a set-up code for a day, ten wrong ones in 15 minutes, and none of a maker who lost the role', async () => {
    const { test, ratna, dewi } = await buildOffice();
    const { code } = (await askForSetupCode(test, ratna, dewi.id)).body.data as { code: string };
    for (let round = 0; round < 10; round += 1)
      expect((await startFactor(test, dewi, { ...ownPassword, setup_code: 'AAAAA-AAAAA' })).status).toBe(422);
    expect((await startFactor(test, dewi, { ...ownPassword, setup_code: code })).status).toBe(429);
    test.clock.advance(DAY_MS);
    expect((await startFactor(test, dewi, { ...ownPassword, setup_code: code })).status).toBe(422);
    const again = (await askForSetupCode(test, ratna, dewi.id)).body.data as { code: string };
    changeUser(test, ratna.id, { isAdmin: false });
    expect((await startFactor(test, dewi, { ...ownPassword, setup_code: again.code })).status).toBe(422);
  });

  it('gives set-up codes by seasoned admins with a factor only, for admins without one', async () => {
    const { test, ratna, dewi } = await buildOffice();
    const budi = buildTestUser(test);
    expect((await askForSetupCode(test, ratna, budi.id)).status).toBe(409);
    expect((await askForSetupCode(test, ratna, ratna.id)).status).toBe(409);
    expect((await askForSetupCode(test, ratna, 'x')).status).toBe(404);
    expect((await askForSetupCode(test, dewi, ratna.id)).status).toBe(403);
    expect((await askForSetupCode(test, budi, dewi.id)).status).toBe(403);
    expect((await askForSetupCode(test, { ...budi, token: 'x' }, dewi.id)).status).toBe(401);
    expect(await askForSetupCode(test, ratna, dewi.id, {})).toMatchObject({
      body: { errors: { current_password: {} } },
    });
    changeUser(test, ratna.id, { adminSince: test.clock.now() });
    expect((await askForSetupCode(test, ratna, dewi.id)).status).toBe(403);
  });

  it('tells the other admins of a set-up code', async () => {
    const { test, ratna, dewi } = await buildOffice();
    const joko = buildAdmin(test, { name: 'Joko' });
    await setUpByHand(test, joko);
    await askForSetupCode(test, ratna, dewi.id);
    const notices = await test.call('GET', '/api/admin/notices', { token: joko.token });
    const text = 'Ibu Ratna membuat kode pemasangan kode kedua untuk admin Dewi';
    expect(notices.body.data).toMatchObject([{ text: expect.stringContaining(text) as string }]);
  });

  it('asks users for nothing, and an admin without the setting either', async () => {
    const { test } = await buildOffice();
    const budi = buildTestUser(test);
    expect((await test.call('GET', '/api/auth/sessions', { token: budi.token })).status).toBe(200);
    const without = await buildTestApp();
    const ratna = buildAdmin(without);
    expect((await without.call('GET', '/api/admin/users', { token: ratna.token })).status).toBe(200);
  });
});

it('a factor that was begun as a user does not count for an admin', async () => {
  const test = await buildTestApp({ settings });
  const siti = buildTestUser(test, { passwordHash: buildAdmin(test).passwordHash });
  const data = (await startFactor(test, siti, ownPassword)).body.data as { secret: string };
  changeUser(test, siti.id, { isAdmin: true });
  const { token } = (await login(test, siti, 'rahasia-admin')).body.data as { token: string };
  expect((await confirmFactor(test, { token }, codeOf(test, data))).status).toBe(409);
});
