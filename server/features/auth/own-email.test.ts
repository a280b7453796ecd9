import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/durations.ts';
import {
  buildAdmin,
  buildSession,
  buildTestUser,
  cheapHash,
  ownPassword,
  type SignedInUser,
} from '#server/testing/factories.ts';
import { storedUsers } from '#server/testing/rows.ts';
import { openTab } from '#server/testing/sockets.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';

/** The own e-mail address, as its owner changes it (R-ACCESS-17), and as the office takes the change back (R-ACCESS-18). */

const PASSWORD = 'rahasia-1';
const OLD = 'budi@contoh.id';
const NEW = 'budi.baru@contoh.id';
const NOTICES = '/api/admin/notices';
type Line = { id: string; text: string; actions: string[]; actor: { id: string } };

async function buildOffice() {
  const test = await buildTestApp();
  const [ratna, dewi] = [buildAdmin(test), buildAdmin(test, { name: 'Dewi', email: 'dewi@kantor.id' })];
  const budi = buildTestUser(test, { name: 'Budi', email: OLD, passwordHash: cheapHash(PASSWORD) });
  return { test, ratna, dewi, budi };
}
const put = (test: TestApp, { token }: { token: string }, email: unknown, password: string | undefined = PASSWORD) =>
  test.call('PUT', '/api/auth/user', { token, body: { email, current_password: password } });
const emailOf = (test: TestApp, { id }: { id: string }) => storedUsers(test).find((user) => user.id === id)?.email;
const linesOf = async (test: TestApp, { token }: { token: string }) =>
  (await test.call('GET', NOTICES, { token })).body.data as Line[];
const revert = (test: TestApp, { token }: { token: string }, id: string | undefined, body: object = {}) =>
  test.call('POST', `${NOTICES}/${id}/revert`, { token, body });
const register = (test: TestApp, email: string) =>
  test.call('POST', '/api/auth/register', {
    body: { name: 'Tetangga', email, password: 'rahasia-2', password_confirmation: 'rahasia-2' },
  });
const requestsOf = async (test: TestApp, { token }: { token: string }) =>
  (await test.call('GET', '/api/admin/recoveries', { token })).body.data as { users: { id: string }[] }[];

describe('another own address', () => {
  it('needs the own password, ends all other sessions and stands in the own log; the login takes it alone', async () => {
    const { test, budi } = await buildOffice();
    const phone = buildSession(test, budi.id);
    const tab = await openTab(test, phone);
    for (const [email, password, message] of [
      [NEW, '', 'Masukkan password Anda'],
      [NEW, 'salah', 'Password salah'],
      ['bukan email', PASSWORD, 'Email harus valid'],
      ['w-48217735@tanpa-email.invalid', PASSWORD, 'Email harus valid'],
      ['dewi@kantor.id', PASSWORD, 'Email sudah terdaftar'],
    ])
      expect(await put(test, budi, email, password)).toMatchObject({ status: 422, body: { message } });
    expect(emailOf(test, budi)).toBe(OLD);
    const changed = await put(test, budi, ` ${NEW.toUpperCase()} `);
    expect(changed).toMatchObject({ status: 200, body: { data: { id: budi.id, email: NEW, name: 'Budi' } } });
    expect(await tab.ended()).toBe('io server disconnect');
    const statusOf = async ({ token }: { token: string }) =>
      (await test.call('GET', '/api/auth/user', { token })).status;
    expect([await statusOf(budi), await statusOf(phone)]).toEqual([200, 401]);
    const log = await test.call('GET', '/api/auth/security-log', { token: budi.token });
    expect(log.body.data).toMatchObject([{ event: 'email.changed', by_name: 'Budi', how: 'password' }]);
    const login = (email: string) => test.call('POST', '/api/auth/login', { body: { email, password: PASSWORD } });
    expect([(await login(OLD)).status, (await login(NEW)).status]).toEqual([401, 200]);
  });

  it('changes nothing when it is sent back as it was', async () => {
    const { test, ratna, budi } = await buildOffice();
    const body = { email: OLD, name: 'Budi S.' };
    expect((await test.call('PUT', '/api/auth/user', { token: budi.token, body })).status).toBe(200);
    expect(await linesOf(test, ratna)).toEqual([]);
  });

  it('lets the former one ask for a way back in for 7 days, which nobody else can take meanwhile', async () => {
    const { test, ratna, budi } = await buildOffice();
    await put(test, budi, NEW);
    expect(await register(test, OLD)).toMatchObject({ status: 422, body: { message: 'Email sudah terdaftar' } });
    const taken = await test.call('PUT', '/api/admin/users/' + buildTestUser(test).id, {
      token: ratna.token,
      body: { email: OLD },
    });
    expect(taken.status).toBe(422);
    await test.call('POST', '/api/auth/recovery', { body: { identifier: OLD } });
    expect(await requestsOf(test, ratna)).toMatchObject([{ users: [{ id: budi.id }] }]);
    test.clock.advance(7 * DAY_MS);
    await test.call('POST', '/api/auth/recovery', { body: { identifier: OLD } });
    expect(await requestsOf(test, buildSession(test, ratna.id))).toEqual([]);
    expect((await register(test, OLD)).status).toBe(201);
  });

  it('can be chosen five times in 7 days', async () => {
    const { test, budi } = await buildOffice();
    for (let round = 1; round <= 5; round += 1) expect((await put(test, budi, `b${round}@contoh.id`)).status).toBe(200);
    test.clock.advance(6 * DAY_MS);
    const sixth = await put(test, buildSession(test, budi.id), 'b6@contoh.id');
    expect(sixth).toMatchObject({ status: 429, headers: { 'retry-after': '86400' } });
    test.clock.advance(DAY_MS);
    expect((await put(test, buildSession(test, budi.id), 'b6@contoh.id')).status).toBe(200);
  });
});

describe('the line about it', () => {
  it('reaches every admin at once and for 7 days, until each has put it away', async () => {
    const { test, ratna, dewi, budi } = await buildOffice();
    const tab = await openTab(test, dewi);
    await put(test, budi, NEW);
    expect(await tab.next('notice:new')).toEqual({ actor_id: budi.id });
    const [line] = await linesOf(test, dewi);
    expect(line).toMatchObject({
      kind: 'user.updated',
      actor: { id: budi.id, name: 'Budi' },
      text: 'Alamat akun Budi berubah',
      created_at: '2026-06-10T05:00:00.000Z',
      actions: ['revert'],
    });
    expect((await test.call('POST', `${NOTICES}/${line?.id}/seen`, { token: dewi.token })).status).toBe(200);
    expect(await linesOf(test, dewi)).toEqual([]);
    expect(await linesOf(test, ratna)).toHaveLength(1);
    await put(test, budi, 'budi.lagi@contoh.id');
    expect(await linesOf(test, dewi)).toHaveLength(1);
    test.clock.advance(7 * DAY_MS);
    expect(await linesOf(test, buildSession(test, ratna.id))).toEqual([]);
    expect((await revert(test, buildSession(test, ratna.id), line?.id)).status).toBe(404);
  });

  it('does not put away what admins did, nor push it out of the list', async () => {
    const { test, ratna, dewi } = await buildOffice();
    for (let round = 0; round < 12; round += 1) {
      const user = buildTestUser(test, { name: `Warga ${round}`, passwordHash: cheapHash(PASSWORD) });
      await put(test, user, `baru${round}@contoh.id`);
    }
    const joko = { name: 'Joko', email: 'joko@kantor.id', password: 'rahasia-joko', is_admin: true, ...ownPassword };
    expect((await test.call('POST', '/api/admin/users', { token: ratna.token, body: joko })).status).toBe(201);
    const lines = await linesOf(test, dewi);
    expect(lines.map(({ text }) => text)).toEqual([
      ...[9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((round) => `Alamat akun Warga ${round} berubah`),
      'Ibu Ratna membuat akun admin Joko (joko@kantor.id)',
    ]);
    await test.call('POST', `${NOTICES}/${lines[0]?.id}/seen`, { token: dewi.token });
    expect((await linesOf(test, dewi)).map(({ text }) => text)).toEqual([
      'Alamat akun Warga 11 berubah',
      'Alamat akun Warga 10 berubah',
      'Ibu Ratna membuat akun admin Joko (joko@kantor.id)',
    ]);
  });
});

describe('the change taken back by the office', () => {
  it('gives the former address again, ends all sessions, and the taken address asks for nothing any more', async () => {
    const { test, ratna, dewi, budi } = await buildOffice();
    await put(test, budi, NEW);
    await put(test, budi, 'pencuri@contoh.id');
    const tab = await openTab(test, budi);
    const first = (await linesOf(test, ratna)).at(-1);
    for (const [caller, status] of [
      [budi, 403],
      [{ token: '' }, 401],
    ] as const)
      expect((await revert(test, caller, first?.id)).status).toBe(status);
    for (const id of ['x', 'a99', '1']) expect((await revert(test, ratna, id)).status).toBe(404);
    expect(await revert(test, ratna, first?.id)).toMatchObject({ status: 200 });
    expect(await tab.ended()).toBe('io server disconnect');
    expect(emailOf(test, budi)).toBe(OLD);
    expect([await linesOf(test, ratna), await linesOf(test, dewi)]).toEqual([[], []]);
    for (const identifier of [NEW, 'pencuri@contoh.id'])
      await test.call('POST', '/api/auth/recovery', { body: { identifier } });
    expect(await requestsOf(test, ratna)).toEqual([]);
    expect((await revert(test, ratna, first?.id)).status).toBe(404);
    const log = await test.call('GET', '/api/auth/security-log', { token: buildSession(test, budi.id).token });
    expect((log.body.data as { by_name: string }[])[0]).toMatchObject({ event: 'email.changed', by_name: 'Petugas' });
    const audit = await test.call('GET', '/api/admin/audit?action=user.updated', { token: ratna.token });
    expect((audit.body.data as { data: object[] }).data[0]).toMatchObject({ actor: { id: ratna.id } });
  });
});

it('takes the line away when an admin gives the former address back in the form of the account', async () => {
  const { test, ratna, budi } = await buildOffice();
  await put(test, budi, NEW);
  const body = { email: OLD };
  expect((await test.call('PUT', `/api/admin/users/${budi.id}`, { token: ratna.token, body })).status).toBe(200);
  expect(await linesOf(test, ratna)).toEqual([]);
});

describe('the own address of an admin', () => {
  const otherSession = async (test: TestApp, admin: SignedInUser) => buildSession(test, admin.id);
  it.each([
    ['Akun Saya', 'PUT', () => '/api/auth/user'],
    ['the list of users', 'PUT', ({ id }: SignedInUser) => `/api/admin/users/${id}`],
  ] as const)(
    'by %s ends other sessions, and all others are told and may take it back',
    async (_name, method, path) => {
      const { test, ratna, dewi } = await buildOffice();
      const other = await otherSession(test, dewi);
      const body = { email: 'dewi.baru@kantor.id', ...ownPassword };
      expect((await test.call(method, path(dewi), { token: dewi.token, body })).status).toBe(200);
      expect((await test.call('GET', '/api/auth/user', { token: other.token })).status).toBe(401);
      expect((await linesOf(test, ratna)).map(({ text }) => text)).toEqual([
        'Alamat akun Dewi berubah',
        'Dewi mengubah email admin Dewi (dewi@kantor.id) dari dewi@kantor.id menjadi dewi.baru@kantor.id',
      ]);
      expect(await linesOf(test, dewi)).toEqual([]);
      const [line] = await linesOf(test, ratna);
      expect((await revert(test, dewi, line?.id, ownPassword)).status).toBe(404);
      expect((await revert(test, ratna, line?.id)).status).toBe(422);
      expect(
        (await revert(test, buildAdmin(test, { adminSince: test.clock.now() }), line?.id, ownPassword)).status,
      ).toBe(403);
      expect((await revert(test, ratna, line?.id, ownPassword)).status).toBe(200);
      expect(emailOf(test, dewi)).toBe('dewi@kantor.id');
    },
  );
});
