import { describe, expect, it } from 'vitest';
import { buildAdmin, buildTestUser, cheapHash, ownPassword, type SignedInUser } from '#server/testing/factories.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';

const AT = '2026-06-10T05:00:00.000Z';
const at = AT;
const newPassword = { password: 'rahasia-baru' };

async function buildOffice() {
  const test = await buildTestApp();
  return { test, ratna: buildAdmin(test), budi: buildTestUser(test, { passwordHash: cheapHash('rahasia-1') }) };
}
const read = async (test: TestApp, path: string, { token }: { token: string }): Promise<unknown> =>
  (await test.call('GET', `/api/auth/${path}`, { token })).body.data;
/** A reset ends the session, so the account signs in with its new password. */
async function resetAndSignIn(test: TestApp, { token }: SignedInUser, { id, email }: SignedInUser) {
  const reset = await test.call('PUT', `/api/admin/users/${id}/password`, { token, body: newPassword });
  expect(reset.status).toBe(200);
  const login = await test.call('POST', '/api/auth/login', { body: { email, ...newPassword } });
  return login.body.data as { token: string };
}

describe('the own log', () => {
  it("says what was done, the newest first; users read 'Petugas' as the name of an admin", async () => {
    const { test, ratna, budi } = await buildOffice();
    const change = { current_password: 'rahasia-1', password: 'rahasia-2', password_confirmation: 'rahasia-2' };
    expect((await test.call('PUT', '/api/auth/password', { token: budi.token, body: change })).status).toBe(200);
    const session = await resetAndSignIn(test, ratna, budi);
    const body = { email: 'budi.baru@contoh.id' };
    await test.call('PUT', `/api/admin/users/${budi.id}`, { token: ratna.token, body });
    expect(await read(test, 'security-log', session)).toEqual([
      { at, event: 'email.changed', by_name: 'Petugas', how: null },
      { at, event: 'password.changed', by_name: 'Petugas', how: null },
      { at, event: 'password.changed', by_name: budi.name, how: 'password' },
    ]);
    expect(await read(test, 'security-log', ratna)).toEqual([]);
    expect((await test.call('GET', '/api/auth/security-log')).status).toBe(401);
  });

  it('names the admin to admins', async () => {
    const { test, ratna } = await buildOffice();
    const dewi = buildAdmin(test, { name: 'Dewi' });
    const body = { email: 'dewi.baru@kantor.id', ...ownPassword };
    expect((await test.call('PUT', `/api/admin/users/${dewi.id}`, { token: ratna.token, body })).status).toBe(200);
    expect(await read(test, 'security-log', dewi)).toEqual([
      { at, event: 'email.changed', by_name: ratna.name, how: null },
    ]);
  });

  it('cannot be changed or deleted before the account goes, and goes with it', async () => {
    const { test, ratna, budi } = await buildOffice();
    await resetAndSignIn(test, ratna, budi);
    const { sqlite } = test.database;
    for (const change of [
      'delete from security_log',
      "update security_log set by_name = 'x'",
      `delete from security_log where user_id = '${budi.id}'`,
    ])
      expect(() => sqlite.exec(change)).toThrow('the own log is append-only');
    const count = () => sqlite.prepare('select count(*) from security_log').pluck().get();
    expect(count()).toBe(1);
    const removed = await test.call('DELETE', `/api/admin/users/${budi.id}`, { token: ratna.token, body: {} });
    expect(removed.status).toBe(200);
    expect(count()).toBe(0);
  });
});

describe('a line about what the office did', () => {
  const path = '/api/auth/notices';
  it('a line about an act of the office is there at the next entry until it is put away, and says when and what to do', async () => {
    const { test, ratna, budi } = await buildOffice();
    const session = await resetAndSignIn(test, ratna, budi);
    const [line] = (await read(test, 'notices', session)) as [{ id: string }];
    expect(line).toEqual({
      id: line.id,
      _id: line.id,
      kind: 'password.changed',
      text: 'Kantor mengganti password akun Anda, 10 Jun 2026 12.00. Bukan Anda yang meminta? Hubungi kantor.',
      created_at: AT,
      actions: [],
    });
    // Another account does not put it away.
    expect((await test.call('POST', `${path}/${line.id}/seen`, { token: ratna.token })).status).toBe(200);
    expect(await read(test, 'notices', session)).toHaveLength(1);
    expect((await test.call('POST', `${path}/${line.id}/seen`, { token: session.token })).status).toBe(200);
    expect(await read(test, 'notices', session)).toEqual([]);
    expect(await read(test, 'security-log', session)).toHaveLength(1);
    // A later act is shown, although the id was put away in advance.
    await test.call('POST', `${path}/999999/seen`, { token: session.token });
    expect(await read(test, 'notices', await resetAndSignIn(test, ratna, budi))).toHaveLength(1);
  });

  it('shows the ten oldest first, so that none is put away unseen', async () => {
    const { test, ratna, budi } = await buildOffice();
    const session = await resetAndSignIn(test, ratna, budi);
    const code = `/api/admin/users/${budi.id}/recovery-code`;
    for (let time = 0; time < 10; time += 1)
      expect((await test.call('POST', code, { token: ratna.token, body: { checked: 'counter' } })).status).toBe(201);
    const lines = (await read(test, 'notices', session)) as { id: string; kind: string }[];
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)?.kind).toBe('password.changed');
    await test.call('POST', `${path}/${lines[0]?.id}/seen`, { token: session.token });
    expect(await read(test, 'notices', session)).toMatchObject([{ kind: 'recovery_code.made' }]);
  });

  it('leaves out what the account did itself, and an unknown one gets 404', async () => {
    const { test, budi } = await buildOffice();
    const body = { current_password: 'rahasia-1', password: 'rahasia-2', password_confirmation: 'rahasia-2' };
    await test.call('PUT', '/api/auth/password', { token: budi.token, body });
    expect(await read(test, 'notices', budi)).toEqual([]);
    const answer = await test.call('POST', `${path}/x/seen`, { token: budi.token });
    expect(answer).toMatchObject({ status: 404, body: { message: 'Pemberitahuan tidak ditemukan' } });
  });
});

it('says of each session by what it came in; those of before came in by a password', async () => {
  const { test, budi } = await buildOffice();
  const answer = await test.call('GET', '/api/auth/sessions', { token: budi.token });
  expect((answer.body.data as { data: { entry: string }[] }).data.map(({ entry }) => entry)).toEqual(['password']);
});
