import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { verifyPassword } from '#server/accounts/passwords.ts';
import { buildAdmin, buildTestUser, buildSession, cheapHash, type SignedInUser } from '#server/testing/factories.ts';
import { changeUser, storedSessions, storedUsers } from '#server/testing/rows.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';
import { buildTestApp, type Answer, type TestApp } from '#server/testing/test-app.ts';
import { createAccountService } from './account-service.ts';
import { createPasswordCheck } from './password-check.ts';

// The sweep of ended sessions is off: a second later it would close the sockets that the code under test forgot.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const OLD = 'rahasia-lama';
const NEW = 'rahasia-baru';
const MINUTE = 60_000;
const ENDED = { success: false, message: 'Sesi Anda telah berakhir. Silakan login kembali.' };
const change = { current_password: OLD, password: NEW, password_confirmation: NEW };
const WRONG = {
  success: false,
  message: 'Password lama salah',
  errors: { current_password: ['Password lama salah'] },
};
const passwordHash = cheapHash(OLD);

const login = ({ call }: TestApp, email: string, password: string) =>
  call('POST', '/api/auth/login', { body: { email, password } });
const changePassword = ({ call }: TestApp, token: string, body: unknown = change) =>
  call('PUT', '/api/auth/password', { token, body });
const changePasswordWrongly = (test: TestApp, token: string) =>
  changePassword(test, token, { ...change, current_password: 'salah' });
const statusOf = async ({ call }: TestApp, { token }: { token: string }) =>
  (await call('GET', '/api/auth/user', { token })).status;
const stored = (test: TestApp, { id }: { id: string }) => storedUsers(test).find((row) => row.id === id);

it.each([
  ['PUT', '/api/auth/user'],
  ['PUT', '/api/auth/password'],
  ['GET', '/api/auth/sessions'],
  ['DELETE', '/api/auth/sessions'],
  ['DELETE', '/api/auth/sessions/x'],
])('%s %s answers 401 without a session, before it checks anything else', async (method, url) => {
  const test = await buildTestApp();
  const broken = method === 'PUT' ? { payload: '{', headers: { 'content-type': 'application/json' } } : {};
  for (const token of [undefined, 'a.b.c', buildTestUser(test, { isActive: false }).token]) {
    const answer = await test.call(method, url, { token, ...broken });
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 401, body: ENDED });
  }
});

describe('the change of the own name', () => {
  it.each([
    ['a user', buildTestUser],
    ['an admin', buildAdmin],
  ] as const)('stores the new name of %s', async (_role, build) => {
    const test = await buildTestApp();
    const user = build(test, { name: 'Budi' });
    const other = buildTestUser(test, { name: 'Wati' });
    test.clock.advance(1000);
    const extra = { id: other.id, is_admin: !user.isAdmin, is_active: false, role: 'admin' };
    const body = { ...extra, name: ' Budi Santoso ' };
    const answer = await test.call('PUT', '/api/auth/user', { token: user.token, body });
    expect(answer).toMatchObject({
      status: 200,
      body: { success: true, message: 'Profil berhasil diperbarui', data: { id: user.id, name: 'Budi Santoso' } },
    });
    expect(stored(test, user)).toEqual({
      ...userOf(user),
      name: 'Budi Santoso',
      updatedAt: test.clock.now(),
    });
    expect(stored(test, other)).toEqual(userOf(other));
    expect((await test.call('GET', '/api/auth/user', { token: user.token })).body.data).toEqual(answer.body.data);
    // The same name again is no change, so no open form gets a conflict.
    test.clock.advance(1000);
    const again = await test.call('PUT', '/api/auth/user', { token: user.token, body });
    expect(again).toMatchObject({ status: 200, body: { data: answer.body.data } });
  });

  it.each([
    [{}, 'Nama wajib diisi'],
    [{ name: ' ' }, 'Nama wajib diisi'],
    [{ name: null }, 'Nama wajib diisi'],
    [{ name: 'x'.repeat(256) }, 'Nama maksimal 255 karakter'],
  ])('answers 422 for %j', async (body, message) => {
    const test = await buildTestApp();
    const user = buildTestUser(test);
    const answer = await test.call('PUT', '/api/auth/user', { token: user.token, body });
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({ success: false, message, errors: { name: [message] } });
    expect(stored(test, user)?.name).toBe(user.name);
  });

  it('shows in the next message, and closes no tab', async () => {
    const test = await buildTestApp();
    const [ratna, budi] = [buildAdmin(test), buildTestUser(test)];
    const [adminTab, own] = [await openTab(test, ratna), await openTab(test, budi)];
    await test.call('PUT', '/api/auth/user', { token: budi.token, body: { name: 'Budi Baru' } });
    await test.call('POST', '/api/messages/send', {
      token: budi.token,
      body: { to_user_id: ratna.id, content: 'Hai' },
    });
    expect(await adminTab.next('message:new')).toMatchObject({ sender_name: 'Budi Baru' });
    await waitForPendingEvents(test, own);
    expect(own.socket.connected).toBe(true);
  });

  it('answers 409 to an admin whose form was loaded before the change', async () => {
    const test = await buildTestApp();
    const [ratna, budi] = [buildAdmin(test), buildTestUser(test)];
    const updated_at = new Date(budi.updatedAt).toISOString();
    await test.call('PUT', '/api/auth/user', { token: budi.token, body: { name: 'Budi Baru' } });
    const body = { name: 'Dari kantor', updated_at };
    expect((await test.call('PUT', `/api/admin/users/${budi.id}`, { token: ratna.token, body })).status).toBe(409);
    expect(stored(test, budi)?.name).toBe('Budi Baru');
  });
});

describe('the change of the own password', () => {
  it('ends all other sessions and keeps the own one', async () => {
    const test = await buildTestApp();
    const [budi, wati] = [buildTestUser(test, { passwordHash }), buildTestUser(test, { passwordHash })];
    const [phone, old] = [buildSession(test, budi.id), buildSession(test, budi.id)];
    const own = await openTab(test, budi);
    const phoneTabs = [await openTab(test, phone), await openTab(test, phone, { transports: ['polling'] })];
    const other = await openTab(test, wati);
    const answer = await changePassword(test, budi.token);
    expect(answer.status).toBe(200);
    const data = { device_token: expect.stringMatching(/^[\w-]+\.[\w-]+$/) };
    expect(answer.body).toEqual({ success: true, message: 'Password berhasil diubah', data });

    for (const tab of phoneTabs) {
      expect(await tab.ended()).toBe('io server disconnect');
      expect(tab.received().at(-1)).toEqual({ event: 'session:ended', payload: { message: ENDED.message } });
    }
    const left = storedSessions(test).filter(({ userId }) => userId === budi.id);
    expect(left.map(({ id }) => id)).toEqual([budi.sessionId]);
    for (const session of [phone, old]) expect(await statusOf(test, session)).toBe(401);
    for (const session of [budi, wati]) expect(await statusOf(test, session)).toBe(200);
    await waitForPendingEvents(test, own, other);
    expect([own, other].flatMap((tab) => tab.payloadsOf('session:ended'))).toEqual([]);
    expect([own, other].every(({ socket }) => socket.connected)).toBe(true);

    expect((await login(test, budi.email, OLD)).status).toBe(401);
    expect((await login(test, budi.email, NEW)).status).toBe(200);
    expect(stored(test, wati)?.passwordHash).toBe(passwordHash);
  });

  it('answers 422 when the old password is wrong', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test, { passwordHash });
    const phone = buildSession(test, budi.id);
    for (const current_password of ['salah', `${OLD} `, OLD.toUpperCase(), NEW]) {
      const answer = await changePassword(test, budi.token, { ...change, current_password });
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 422, body: WRONG });
    }
    expect(stored(test, budi)).toEqual(userOf(budi));
    expect(await statusOf(test, phone)).toBe(200);
  });

  it.each<[object, Record<string, string>]>([
    [
      { current_password: undefined, password: undefined, password_confirmation: undefined },
      {
        current_password: 'Password lama wajib diisi',
        password: 'Password wajib diisi',
        password_confirmation: 'Konfirmasi password wajib diisi',
      },
    ],
    [{ current_password: '' }, { current_password: 'Password lama wajib diisi' }],
    [{ password: '' }, { password: 'Password wajib diisi', password_confirmation: 'Password harus sama' }],
    [{ password: 'tujuh77', password_confirmation: 'tujuh77' }, { password: 'Password minimal 8 karakter' }],
    [{ password_confirmation: '' }, { password_confirmation: 'Konfirmasi password wajib diisi' }],
    [{ password_confirmation: 'rahasia-lain' }, { password_confirmation: 'Password harus sama' }],
    [
      { password: 'x'.repeat(201), password_confirmation: 'x'.repeat(201) },
      { password: 'Password maksimal 200 karakter' },
    ],
    [{ current_password: ['x'] }, { current_password: 'Password lama wajib diisi' }],
  ])('answers 422 for %j before it checks the old password', async (invalidFields, messageByField) => {
    const test = await buildTestApp();
    const budi = buildTestUser(test, { passwordHash });
    const errors = Object.fromEntries(Object.entries(messageByField).map(([field, text]) => [field, [text]]));
    for (let round = 0; round < 11; round += 1) {
      const answer = await changePassword(test, budi.token, { ...change, ...invalidFields });
      expect(answer.status).toBe(422);
      expect(answer.body).toEqual({ success: false, message: Object.values(messageByField)[0], errors });
    }
    expect(stored(test, budi)).toEqual(userOf(budi));
  });

  it('answers 429 after ten wrong passwords in 15 minutes, also to the right one', async () => {
    const test = await buildTestApp();
    const [budi, wati] = [buildTestUser(test, { passwordHash }), buildTestUser(test, { passwordHash })];
    const phone = buildSession(test, budi.id);
    const answers = await Promise.all(Array.from({ length: 14 }, () => changePasswordWrongly(test, budi.token)));
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
    // The limit counts for all sessions of the account; another account is not affected.
    for (const { token } of [budi, phone]) {
      const refused = await changePassword(test, token);
      expect(refused.status).toBe(429);
      expect(refused.body).toEqual({
        success: false,
        message: 'Terlalu banyak percobaan. Coba lagi dalam 900 detik.',
      });
      expect(refused.headers['retry-after']).toBe('900');
    }
    expect((await changePassword(test, wati.token)).status).toBe(200);
    // The login from this address counts with them.
    expect((await login(test, budi.email, OLD)).status).toBe(429);
    test.clock.advance(15 * MINUTE);
    expect((await changePassword(test, budi.token)).status).toBe(200);
  });

  it('clears the count of wrong passwords after a right one', async () => {
    const test = await buildTestApp();
    const { token } = buildTestUser(test, { passwordHash });
    for (let round = 0; round < 9; round += 1) await changePasswordWrongly(test, token);
    expect((await changePassword(test, token)).status).toBe(200);
    const back = { current_password: NEW, password: OLD, password_confirmation: OLD };
    for (let round = 0; round < 9; round += 1) expect((await changePasswordWrongly(test, token)).status).toBe(422);
    expect((await changePassword(test, token, back)).status).toBe(200);
  });

  it('accepts only one of two simultaneous changes', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test, { passwordHash });
    const wanted = ['pilihan-satu', 'pilihan-dua'];
    const answers = await Promise.all(
      wanted.map((password) =>
        changePassword(test, budi.token, { ...change, password, password_confirmation: password }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]));
    expect(answers.find(({ status }) => status === 422)?.body).toEqual(WRONG);
    const winningPassword = wanted[answers.findIndex(({ status }) => status === 200)] ?? '';
    expect(await verifyPassword(winningPassword, stored(test, budi)?.passwordHash ?? '')).toBe(true);
  });

  it('keeps exactly one session when two sessions change the password at once', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test, { passwordHash });
    const phone = buildSession(test, budi.id);
    const answers = await Promise.all([changePassword(test, budi.token), changePassword(test, phone.token)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 401]));
    const statuses = await Promise.all([budi, phone].map((session) => statusOf(test, session)));
    expect(statuses).toEqual(answers.map(({ status }) => status));
  });

  it('answers 401 where another session has changed the password since the request was let in', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test, { passwordHash });
    const phone = buildSession(test, budi.id);
    expect((await changePassword(test, phone.token)).status).toBe(200);
    const account = createAccountService(test.context, createPasswordCheck(test.context));
    const late = account.changePassword({ ...budi }, change, { address: '127.0.0.1' });
    await expect(late).rejects.toMatchObject({ status: 401 });
    const edit = { email: 'baru@contoh.id', current_password: change.current_password };
    for (let tries = 0; tries < 6; tries += 1) {
      const lateEdit = account.changeOwn({ ...budi }, edit, { address: '127.0.0.1' });
      await expect(lateEdit).rejects.toMatchObject({ status: 401 });
    }
    expect((await changePassword(test, phone.token, { ...change, current_password: change.password })).status).toBe(
      200,
    );
  });

  it.each<[string, (test: TestApp, budi: SignedInUser) => void | Promise<Answer>, number]>([
    ['signed out', ({ call }, { token }) => call('POST', '/api/auth/logout', { token }), 401],
    ['deactivated', (test, { id }) => changeUser(test, id, { isActive: false }), 401],
    ['given a new password', (test, { id }) => changeUser(test, id, { passwordHash: 'other' }), 422],
  ])(
    'changes nothing for an account that is %s while the password is checked',
    async (_what, changeMeanwhile, status) => {
      const test = await buildTestApp();
      const budi = buildTestUser(test, { passwordHash });
      const passwords = createPasswordCheck(test.context);
      const isRight: typeof passwords.isRight = async (attempt) => {
        await changeMeanwhile(test, budi);
        return passwords.isRight(attempt);
      };
      const account = createAccountService(test.context, { ...passwords, isRight });
      const pending = account.changePassword({ ...budi }, change, { address: '127.0.0.1' });
      await expect(pending).rejects.toMatchObject({ status });
      expect([passwordHash, 'other']).toContain(stored(test, budi)?.passwordHash);
    },
  );
});

function userOf({ token: _token, sessionId: _sessionId, ...user }: SignedInUser) {
  return user;
}
