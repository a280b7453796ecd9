import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  buildAdmin,
  buildTestUser,
  buildSession,
  ownPassword,
  cheapHash,
  type SignedInUser,
} from '#server/testing/factories.ts';
import { changeUser, removeUser, storedSessions, storedUsers } from '#server/testing/rows.ts';
import { openTab, connectErrorMessage, waitForPendingEvents, type Tab } from '#server/testing/sockets.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import { createUserService, type OwnPassword } from './service.ts';

// The sweep of ended sessions is off: a second later it would close the sockets that the code under test forgot.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const ENDED = 'Sesi Anda telah berakhir. Silakan login kembali.';
const OWN_ACCOUNT = 'Password Anda sendiri diganti di Akun Saya';
const NEW = 'sandi-baru';
const OLD = 'sandi-lama';
const confirmed: OwnPassword = {
  password: 'benar',
  source: { address: '127.0.0.1', deviceToken: undefined, signal: new AbortController().signal },
};
const oldHash = cheapHash(OLD);

async function buildAppWithUsers() {
  const test = await buildTestApp();
  const ratna = buildAdmin(test);
  const budi = buildTestUser(test, { name: 'Budi', email: 'budi@contoh.id', passwordHash: oldHash });
  const reset = (
    { token }: { token?: string },
    { id }: { id: string },
    body: unknown = { password: NEW, ...ownPassword },
  ) => test.call('PUT', `/api/admin/users/${id}/password`, { token, body });
  const login = async (email: string, password: string) =>
    (await test.call('POST', '/api/auth/login', { body: { email, password } })).status;
  const hashOf = ({ id }: { id: string }) => storedUsers(test).find((row) => row.id === id)?.passwordHash;
  const auditEntries = () =>
    test.database.sqlite.prepare('select * from audit_entries').all() as Record<string, unknown>[];
  const users = createUserService(test.context, {
    removeFiles: async () => {},
    notifyInbox: async () => {},
    dropExport: async () => {},
    requireOwnPassword: async () => 'password',
  });
  return { test, ratna, budi, reset, login, hashOf, auditEntries, users };
}

/** Expects `session:ended` as the last event, then the end of the connection by the server. */
async function expectEnded(tab: Tab): Promise<void> {
  expect(await tab.ended()).toBe('io server disconnect');
  expect(tab.received().at(-1)).toEqual({ event: 'session:ended', payload: { message: ENDED } });
}

describe('PUT /api/admin/users/:id/password', () => {
  it('replaces the old password and changes nothing else of the account', async () => {
    const { test, ratna, budi, reset, login } = await buildAppWithUsers();
    const answer = await reset(ratna, budi);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true, message: 'Password user berhasil diganti', data: {} });
    expect(await login(budi.email, OLD)).toBe(401);
    expect(await login(budi.email, NEW)).toBe(200);
    const { token: _token, sessionId: _session, passwordHash: _hash, ...unchanged } = budi;
    const before = { ...unchanged, passwordChangedAt: test.clock.now() };
    // `updated_at` stays too, so an open form gets no conflict.
    expect(storedUsers(test).find(({ id }) => id === budi.id)).toMatchObject(before);
  });

  it('ends all sessions and tabs of the account at once, and none of another account', async () => {
    const { test, ratna, budi, reset } = await buildAppWithUsers();
    const wati = buildTestUser(test);
    const phone = buildSession(test, budi.id);
    const endedTabs = [await openTab(test, budi), await openTab(test, phone, { transports: ['polling'] })];
    const [adminTab, other] = [await openTab(test, ratna), await openTab(test, wati)];
    await reset(ratna, budi);
    for (const tab of endedTabs) await expectEnded(tab);
    expect(storedSessions(test).filter(({ userId }) => userId === budi.id)).toEqual([]);
    for (const { token } of [budi, phone]) {
      expect(await test.call('GET', '/api/auth/user', { token })).toMatchObject({
        status: 401,
        body: { success: false, message: ENDED },
      });
      expect(await connectErrorMessage(test, { token })).toBe('unauthorized');
    }
    await waitForPendingEvents(test, adminTab, other);
    expect([adminTab, other].flatMap((tab) => tab.payloadsOf('session:ended'))).toEqual([]);
    for (const { token } of [ratna, wati]) {
      expect((await test.call('GET', '/api/auth/user', { token })).status).toBe(200);
    }
  });

  it('works for admins and inactive accounts, without activating them', async () => {
    const { test, ratna, reset, login } = await buildAppWithUsers();
    const dewi = buildAdmin(test, { name: 'Dewi' });
    const inactiveUser = buildTestUser(test, { isActive: false });
    for (const user of [dewi, inactiveUser]) expect((await reset(ratna, user)).status).toBe(200);
    expect(await login(dewi.email, NEW)).toBe(200);
    expect(await login(inactiveUser.email, NEW)).toBe(403);
  });

  it('makes an audit entry with actor and account, without any password', async () => {
    const { ratna, budi, reset, hashOf, auditEntries } = await buildAppWithUsers();
    await reset(ratna, budi);
    const entries = auditEntries();
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      action: 'password.changed',
      actor_id: ratna.id,
      actor_name: 'Ibu Ratna',
      subject_id: budi.id,
      subject_label: 'Budi (budi@contoh.id)',
      changes: '[]',
    });
    expect(JSON.stringify(entries)).not.toMatch(/argon2|sandi-/);
    expect(hashOf(budi)).toMatch(/^\$argon2id\$/);
  });

  it('clears the limit of wrong passwords', async () => {
    const { ratna, budi, reset, login } = await buildAppWithUsers();
    for (let turn = 0; turn < 10; turn += 1) expect(await login(budi.email, 'lupa-lagi')).toBe(401);
    expect(await login(budi.email, 'lupa-lagi')).toBe(429);
    await reset(ratna, budi);
    expect(await login(budi.email, NEW)).toBe(200);
  });

  it('leaves one of two passwords that are given at the same moment', async () => {
    const { test, ratna, budi, reset, login } = await buildAppWithUsers();
    const dewi = buildAdmin(test);
    const answers = await Promise.all([
      reset(ratna, budi, { password: 'dari-ratna' }),
      reset(dewi, budi, { password: 'dari-dewi' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const loginStatuses = [await login(budi.email, 'dari-ratna'), await login(budi.email, 'dari-dewi')];
    expect(loginStatuses.toSorted((a, b) => a - b)).toEqual([200, 401]);
  });
});

describe('a refused new password', () => {
  it('answers 401 or 403 to anyone but an admin, before any look-up', async () => {
    const { test, ratna, budi, reset, hashOf, auditEntries } = await buildAppWithUsers();
    const wati = buildTestUser(test);
    const ended = { status: 401, body: { success: false, message: ENDED } };
    const forbidden = { status: 403, body: { success: false, message: 'Anda tidak memiliki akses' } };
    for (const [target, body] of [
      [budi, { password: NEW }],
      [{ id: 'x' }, { password: NEW }],
      [ratna, {}],
    ] as const) {
      expect(await reset({}, target, body)).toMatchObject(ended);
      expect(await reset(buildAdmin(test, { isActive: false }), target, body)).toMatchObject(ended);
      for (const user of [budi, wati]) expect(await reset(user, target, body)).toMatchObject(forbidden);
    }
    expect(hashOf(budi)).toBe(oldHash);
    expect(auditEntries()).toEqual([]);
  });

  it('answers 404 for an unknown account', async () => {
    const { ratna, budi, reset, hashOf } = await buildAppWithUsers();
    const missing = { success: false, message: 'User tidak ditemukan' };
    for (const id of ['x', '%25', budi.sessionId, `${budi.id}x`]) {
      const answer = await reset(ratna, { id });
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 404, body: missing });
    }
    expect(hashOf(budi)).toBe(oldHash);
  });

  it('answers 409 for the own account, which keeps its password and session', async () => {
    const { test, ratna, reset, hashOf, auditEntries } = await buildAppWithUsers();
    const before = hashOf(ratna);
    const answer = await reset(ratna, ratna);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 409,
      body: { success: false, message: OWN_ACCOUNT },
    });
    expect(hashOf(ratna)).toBe(before);
    expect((await test.call('GET', '/api/admin/users', { token: ratna.token })).status).toBe(200);
    expect(auditEntries()).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['a missing password', {}, 'Password wajib diisi'],
    ['an empty password', { password: '' }, 'Password wajib diisi'],
    ['a number', { password: 123_456 }, 'Password wajib diisi'],
    ['null', { password: null }, 'Password wajib diisi'],
    ['five characters', { password: 'abcde' }, 'Password minimal 6 karakter'],
    ['201 characters', { password: 'a'.repeat(201) }, 'Password maksimal 200 karakter'],
  ])('answers 422 for %s', async (_name, body, message) => {
    const { ratna, budi, reset, hashOf, auditEntries, test } = await buildAppWithUsers();
    const answer = await reset(ratna, budi, body);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 422,
      body: { success: false, message, errors: { password: [message] } },
    });
    expect(hashOf(budi)).toBe(oldHash);
    expect(auditEntries()).toEqual([]);
    expect((await test.call('GET', '/api/auth/user', { token: budi.token })).status).toBe(200);
  });

  it('accepts six characters, also blanks, without trimming them', async () => {
    const { ratna, budi, reset, login } = await buildAppWithUsers();
    expect((await reset(ratna, budi, { password: ' enam ' })).status).toBe(200);
    expect(await login(budi.email, ' enam ')).toBe(200);
    expect(await login(budi.email, 'enam')).toBe(401);
  });
});

describe('a new password whose hash is being computed', () => {
  it.each<[string, Partial<SignedInUser>, number, string]>([
    ['demoted', { isAdmin: false }, 403, 'Anda tidak memiliki akses'],
    ['deactivated', { isActive: false }, 401, ENDED],
  ])('is not stored when the admin is %s meanwhile', async (_name, change, status, message) => {
    const { test, ratna, budi, users, hashOf, auditEntries } = await buildAppWithUsers();
    const tab = await openTab(test, budi);
    const pending = users.resetPassword(ratna, budi.id, { password: NEW }, confirmed);
    changeUser(test, ratna.id, change);
    await expect(pending).rejects.toMatchObject({ status, message });
    expect(hashOf(budi)).toBe(oldHash);
    expect(auditEntries()).toEqual([]);
    await waitForPendingEvents(test, tab);
    expect(tab.payloadsOf('session:ended')).toEqual([]);
  });

  it('answers 404 when the account is deleted meanwhile', async () => {
    const { test, ratna, budi, users, auditEntries } = await buildAppWithUsers();
    const pending = users.resetPassword(ratna, budi.id, { password: NEW }, confirmed);
    removeUser(test, budi.id);
    await expect(pending).rejects.toMatchObject({ status: 404, message: 'User tidak ditemukan' });
    expect(storedUsers(test).map(({ id }: { id: string }) => id)).toEqual([ratna.id]);
    expect(auditEntries()).toEqual([]);
  });

  it('also ends a session that began with the old password meanwhile', async () => {
    const { test, ratna, budi, reset, login } = await buildAppWithUsers();
    const [answer, status] = await Promise.all([reset(ratna, budi), login(budi.email, OLD)]);
    expect(answer.status).toBe(200);
    expect([200, 401]).toContain(status);
    expect(storedSessions(test).filter(({ userId }) => userId === budi.id)).toEqual([]);
  });
});
