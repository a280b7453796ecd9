import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/durations.ts';
import { buildAdmin, buildTestUser, cheapHash, ownPassword } from '#server/testing/factories.ts';
import { askForCode, complete, makeCodeFor } from '#server/testing/recovery.ts';
import { changeUser } from '#server/testing/rows.ts';
import { openTab } from '#server/testing/sockets.ts';
import { buildTestApp } from '#server/testing/test-app.ts';

/** Attempts to take over an account by the ways back into it; each fails, or leaves lines that the attacker cannot remove. */

async function buildOffice() {
  const test = await buildTestApp();
  const budi = buildTestUser(test, { name: 'Budi', passwordHash: cheapHash('rahasia-1') });
  return { test, clerk: buildAdmin(test, { name: 'Joko' }), dewi: buildAdmin(test, { name: 'Dewi' }), budi };
}

describe('a malicious clerk alone', () => {
  it("does not take a user's account over unseen: sessions end, the own log and the audit keep it", async () => {
    const { test, clerk, dewi, budi } = await buildOffice();
    const tab = await openTab(test, budi);
    const { token } = (await complete(test, await makeCodeFor(test, clerk, budi.id))).body.data as { token: string };
    expect(await tab.ended()).toBe('io server disconnect');
    const [line] = (await test.call('GET', '/api/auth/notices', { token })).body.data as { id: string }[];
    await test.call('POST', `/api/auth/notices/${line?.id}/seen`, { token });
    // The owner comes back by another clerk and reads all of it.
    const again = await complete(test, await makeCodeFor(test, dewi, budi.id), '10.0.0.2');
    const owner = again.body.data as { token: string };
    const log = await test.call('GET', '/api/auth/security-log', { token: owner.token });
    expect((log.body.data as { event: string }[]).map(({ event }) => event)).toEqual([
      'password.changed',
      'recovery_code.used',
      'recovery_code.made',
      'password.changed',
      'recovery_code.used',
      'recovery_code.made',
    ]);
    const audit = await test.call('GET', '/api/admin/audit?action=user.recovery_code', { token: dewi.token });
    expect(audit.body.data).toMatchObject({ data: [{ actor: { name: 'Dewi' } }, { actor: { name: 'Joko' } }] });
  });

  it('does not open the account of an admin by demoting it first, nor by making an accomplice', async () => {
    const { test, clerk, dewi } = await buildOffice();
    changeUser(test, clerk.id, { adminSince: test.clock.now() });
    const tooEarly = {
      status: 403,
      body: { message: 'Anda baru dapat melakukan ini mulai 11 Juni 2026 pukul 12.00.' },
    };
    expect(await askForCode(test, clerk, dewi.id, ownPassword)).toMatchObject(tooEarly);
    const demotion = { is_admin: false, ...ownPassword };
    await test.call('PUT', `/api/admin/users/${dewi.id}`, { token: clerk.token, body: demotion });
    expect(await askForCode(test, clerk, dewi.id, ownPassword)).toMatchObject(tooEarly);
    const reset = { password: 'rahasia-joko', ...ownPassword };
    const path = `/api/admin/users/${dewi.id}/password`;
    expect(await test.call('PUT', path, { token: clerk.token, body: reset })).toMatchObject(tooEarly);
  });

  it('does not make codes for later: they end with the role', async () => {
    const { test, clerk, dewi, budi } = await buildOffice();
    const code = await makeCodeFor(test, clerk, budi.id);
    const body = { is_active: false, ...ownPassword };
    await test.call('PUT', `/api/admin/users/${clerk.id}`, { token: dewi.token, body });
    expect((await complete(test, code)).status).toBe(422);
  });
});

describe("a malicious clerk with the owner's phone in hand", () => {
  it('cannot call a check by phone what is none: the number must have been the account own for 7 days', async () => {
    const { test, clerk, budi } = await buildOffice();
    const phone = '+6281234567890';
    const stolen = { phone: '081299998888', current_password: 'rahasia-1' };
    changeUser(test, budi.id, { phone, phoneSince: 0 });
    test.clock.advance(6 * DAY_MS);
    expect((await test.call('PUT', '/api/auth/user', { token: budi.token, body: stolen })).status).toBe(200);
    test.clock.advance(2 * DAY_MS);
    const later = buildAdmin(test, { id: `${clerk.id}x` });
    expect((await askForCode(test, later, budi.id, { checked: 'phone' })).status).toBe(409);
  });
});

describe('a neighbour who knows number and bill', () => {
  it('gets nothing by asking: no code, no message, no word on whether the account exists', async () => {
    const { test, clerk, budi } = await buildOffice();
    const tab = await openTab(test, budi);
    const ask = (identifier: string) => test.call('POST', '/api/auth/recovery', { body: { identifier } });
    const [known, unknown] = [await ask(budi.email), await ask('tidak-ada@contoh.id')];
    expect(known.raw.equals(unknown.raw)).toBe(true);
    expect(tab.received().filter(({ event }) => event !== 'presence')).toEqual([]);
    expect((await test.call('GET', '/api/auth/user', { token: budi.token })).status).toBe(200);
    const open = await test.call('GET', '/api/admin/recoveries', { token: clerk.token });
    expect(open.body.data).toHaveLength(1);
  });

  it('does not lock anybody out by wrong codes: they count for the own address alone', async () => {
    const { test, clerk, budi } = await buildOffice();
    const code = await makeCodeFor(test, clerk, budi.id);
    for (let round = 0; round < 11; round += 1) await complete(test, `${code}X`, '10.0.9.9');
    expect((await complete(test, code, '10.0.9.9')).status).toBe(429);
    expect((await complete(test, code, '10.0.0.2')).status).toBe(200);
  });
});

describe('a stolen session', () => {
  it('of a user gives the account no other number, however often it guesses the password', async () => {
    const { test, budi } = await buildOffice();
    const put = (current_password: string) =>
      test.call('PUT', '/api/auth/user', { token: budi.token, body: { phone: '081299998888', current_password } });
    for (let round = 0; round < 5; round += 1) expect((await put(`salah-${round}`)).status).toBe(422);
    expect((await put('rahasia-1')).status).toBe(429);
    const login = { email: budi.email, password: 'rahasia-1' };
    expect((await test.call('POST', '/api/auth/login', { body: login })).status).toBe(200);
  });

  it('of an admin makes no code for an admin', async () => {
    const { test, clerk, dewi } = await buildOffice();
    expect((await askForCode(test, clerk, dewi.id)).status).toBe(422);
    expect((await askForCode(test, clerk, clerk.id, ownPassword)).status).toBe(409);
  });
});
