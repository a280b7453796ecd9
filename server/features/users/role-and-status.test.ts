import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UserAnswer } from '#shared/api/users.ts';
import {
  buildAdmin,
  buildTestUser,
  buildRecord,
  buildSession,
  ownPassword,
  type SignedInUser,
} from '#server/testing/factories.ts';
import { changeUser, storedSessions, storedUsers } from '#server/testing/rows.ts';
import { openTab, connectErrorMessage, waitForPendingEvents, type Tab } from '#server/testing/sockets.ts';
import { buildTestApp, type Answer } from '#server/testing/test-app.ts';
import { createUserService, type OwnPassword } from './service.ts';

// The sweep of ended sessions is off: a second later it would close the sockets that the code under test forgot.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const ENDED = 'Sesi Anda telah berakhir. Silakan login kembali.';
const FORBIDDEN = { status: 403, body: { success: false, message: 'Anda tidak memiliki akses' } };
const OWN_ACCOUNT = 'Anda tidak dapat menghapus, menonaktifkan, atau menurunkan akun sendiri';
const LAST_ADMIN = 'Minimal harus ada satu admin aktif';

const confirmed: OwnPassword = {
  password: 'benar',
  source: { address: '127.0.0.1', deviceToken: undefined, signal: new AbortController().signal },
};

const userOf = (answer: Answer): UserAnswer => answer.body.data;

async function buildAppWithAdmin() {
  const test = await buildTestApp();
  const ratna = buildAdmin(test);
  const edit = (currentUser: SignedInUser, { id }: SignedInUser, body: object) =>
    test.call('PUT', `/api/admin/users/${id}`, { token: currentUser.token, body: { ...ownPassword, ...body } });
  const toggle = (currentUser: SignedInUser, { id }: SignedInUser) =>
    test.call('PUT', `/api/admin/users/${id}/toggle-status`, { token: currentUser.token, body: ownPassword });
  const remove = (currentUser: SignedInUser, { id }: SignedInUser) =>
    test.call('DELETE', `/api/admin/users/${id}`, { token: currentUser.token, body: ownPassword });
  const userCallStatus = async ({ token }: { token: string }) =>
    (await test.call('GET', '/api/tax-records', { token })).status;
  const adminCallStatus = async ({ token }: { token: string }) =>
    (await test.call('GET', '/api/admin/users', { token })).status;
  const activeAdmins = () => storedUsers(test).filter(({ isAdmin, isActive }) => isAdmin && isActive);
  return { test, ratna, edit, toggle, remove, userCallStatus, adminCallStatus, activeAdmins };
}

/** Expects `session:ended` as the last event, then the end of the connection by the server. */
async function expectEnded(tab: Tab): Promise<void> {
  expect(await tab.ended()).toBe('io server disconnect');
  expect(tab.received().at(-1)).toEqual({ event: 'session:ended', payload: { message: ENDED } });
}

describe('the own account of an admin', () => {
  it.each<[string, (testServer: Awaited<ReturnType<typeof buildAppWithAdmin>>) => Promise<Answer>]>([
    ['delete', ({ remove, ratna }) => remove(ratna, ratna)],
    ['deactivate', ({ edit, ratna }) => edit(ratna, ratna, { is_active: false })],
    ['toggle', ({ toggle, ratna }) => toggle(ratna, ratna)],
    ['demote', ({ edit, ratna }) => edit(ratna, ratna, { is_admin: false })],
    ['rename and demote', ({ edit, ratna }) => edit(ratna, ratna, { name: 'Baru', is_admin: false })],
  ])('cannot %s itself, with or without another admin', async (_name, runAction) => {
    const testServer = await buildAppWithAdmin();
    for (const others of [0, 1]) {
      if (others === 1) buildAdmin(testServer.test);
      const answer = await runAction(testServer);
      expect(answer.status).toBe(409);
      expect(answer.body).toEqual({ success: false, message: OWN_ACCOUNT });
    }
    expect(storedUsers(testServer.test).find(({ id }) => id === testServer.ratna.id)).toMatchObject({
      name: testServer.ratna.name,
      isAdmin: true,
      isActive: true,
      updatedAt: testServer.ratna.updatedAt,
    });
    expect(await testServer.adminCallStatus(testServer.ratna)).toBe(200);
  });

  it('can rename itself and keeps its session and tabs', async () => {
    const { test, ratna, edit, adminCallStatus } = await buildAppWithAdmin();
    const tab = await openTab(test, ratna);
    const body = { name: 'Ratna Baru', email: 'baru@kantor.id', is_admin: true, is_active: true };
    expect(await edit(ratna, ratna, body)).toMatchObject({ status: 200, body: { data: body } });
    await waitForPendingEvents(test, tab);
    expect(tab.socket.connected).toBe(true);
    expect(await adminCallStatus(ratna)).toBe(200);
  });
});

describe('the last active admin', () => {
  it.each<
    [
      string,
      (testServer: Awaited<ReturnType<typeof buildAppWithAdmin>>, a: SignedInUser, b: SignedInUser) => Promise<Answer>,
    ]
  >([
    ['demote', ({ edit }, a, b) => edit(a, b, { is_admin: false })],
    ['deactivate', ({ edit }, a, b) => edit(a, b, { is_active: false })],
    ['toggle', ({ toggle }, a, b) => toggle(a, b)],
    ['delete', ({ remove }, a, b) => remove(a, b)],
  ])('remains when two admins %s each other at the same moment', async (name, runAction) => {
    const testServer = await buildAppWithAdmin();
    const { test, ratna, activeAdmins, adminCallStatus } = testServer;
    const dewi = buildAdmin(test, { name: 'Dewi' });
    const answers = await Promise.all([runAction(testServer, ratna, dewi), runAction(testServer, dewi, ratna)]);
    expect(activeAdmins()).toHaveLength(1);
    const winner = [ratna, dewi].find(({ id }) => id === activeAdmins()[0]?.id) as SignedInUser;
    expect(await adminCallStatus(winner)).toBe(200);
    if (winner === dewi) answers.reverse();
    const [won, lost] = answers.map(({ status }) => status);
    expect(won).toBe(200);
    // 403 for a lost role, 401 for a lost session, 409 when only the winner was left before the own right was checked again.
    expect([name === 'demote' ? 403 : 401, 409]).toContain(lost);
  });

  it('remains when each admin of a ring demotes the next one', async () => {
    const { test, ratna, edit, activeAdmins } = await buildAppWithAdmin();
    const admins = [ratna, ...Array.from({ length: 5 }, () => buildAdmin(test))];
    const answers = await Promise.all(
      admins.map((admin, at) => edit(admin, admins[(at + 1) % admins.length] as SignedInUser, { is_admin: false })),
    );
    const demoted = answers.filter(({ status }) => status === 200).length;
    expect(activeAdmins()).toHaveLength(admins.length - demoted);
    expect(activeAdmins().length).toBeGreaterThan(0);
    for (const { status } of answers) expect([200, 403, 409]).toContain(status);
  });

  it('remains even if the caller is no longer a stored admin', async () => {
    const { test, ratna, activeAdmins } = await buildAppWithAdmin();
    const noOperation = async () => {};
    const users = createUserService(test.context, {
      removeFiles: noOperation,
      notifyInbox: noOperation,
      dropExport: noOperation,
      requireOwnPassword: async () => 'password',
    });
    const unknownAdmin = { ...ratna, id: 'unknown-admin' };
    await expect(users.remove(unknownAdmin, ratna.id, confirmed)).rejects.toMatchObject({
      status: 409,
      message: LAST_ADMIN,
    });
    await expect(users.toggleActive(unknownAdmin, ratna.id, confirmed)).rejects.toMatchObject({
      status: 409,
      message: LAST_ADMIN,
    });
    await expect(users.update(unknownAdmin, ratna.id, { is_admin: false }, confirmed)).rejects.toThrow(LAST_ADMIN);
    expect(activeAdmins()).toHaveLength(1);
  });

  it('does not prevent the deletion of an inactive admin', async () => {
    const { test, ratna, edit, remove } = await buildAppWithAdmin();
    const inactiveAdmin = buildAdmin(test, { isActive: false });
    expect((await edit(ratna, inactiveAdmin, { is_admin: false })).status).toBe(200);
    expect((await remove(ratna, buildAdmin(test, { isActive: false }))).status).toBe(200);
  });
});

describe('a deactivated user', () => {
  it('loses all sessions at once and needs an activation and a new login', async () => {
    const { test, ratna, toggle, userCallStatus } = await buildAppWithAdmin();
    const [budi, wati] = [buildTestUser(test), buildTestUser(test)];
    const phone = buildSession(test, budi.id);
    const tabs = [await openTab(test, budi), await openTab(test, phone, { transports: ['polling'] })];
    const [adminTab, other] = [await openTab(test, ratna), await openTab(test, wati)];
    const off = await toggle(ratna, budi);
    expect(off).toMatchObject({ status: 200, body: { message: 'User dinonaktifkan', data: { is_active: false } } });
    expect(off.raw.toString()).not.toMatch(/argon2|password/i);
    for (const tab of tabs) await expectEnded(tab);
    expect(storedSessions(test).filter(({ userId }) => userId === budi.id)).toEqual([]);
    expect(await test.call('GET', '/api/auth/user', { token: budi.token })).toMatchObject({
      status: 401,
      body: { success: false, message: ENDED },
    });
    expect(await connectErrorMessage(test, { token: phone.token })).toBe('unauthorized');

    const on = await toggle(ratna, budi);
    expect(on).toMatchObject({ status: 200, body: { message: 'User diaktifkan', data: { is_active: true } } });
    // The old tokens stay invalid.
    for (const session of [budi, phone]) expect(await userCallStatus(session)).toBe(401);
    expect(await userCallStatus(buildSession(test, budi.id))).toBe(200);

    await waitForPendingEvents(test, adminTab, other);
    expect([adminTab, other].flatMap((tab) => tab.payloadsOf('session:ended'))).toEqual([]);
    expect(await userCallStatus(wati)).toBe(200);
  });

  it('gets 404 for an image by an old link', async () => {
    const { test, ratna, edit } = await buildAppWithAdmin();
    const budi = buildTestUser(test);
    const file = '0b8f7e4c-6f5e-4d55-9d3c-0e6f3a1b2c3d.png';
    const record = buildRecord(test, budi.id, { proofFile: file });
    const shown = await test.call('GET', `/api/tax-records/${record.id}`, { token: budi.token });
    const { payment_proof: link } = shown.body.data as { payment_proof: string };
    expect(link).toContain(file);
    await edit(ratna, budi, { is_active: false });
    expect((await test.call('GET', link)).status).toBe(404);
  });

  it('changes twice when two admins switch at the same moment', async () => {
    const { test, ratna, toggle } = await buildAppWithAdmin();
    const [dewi, budi] = [buildAdmin(test), buildTestUser(test)];
    const answers = await Promise.all([toggle(ratna, budi), toggle(dewi, budi)]);
    expect(new Set(answers.map((answer) => userOf(answer).is_active))).toEqual(new Set([false, true]));
    expect(storedUsers(test).find(({ id }) => id === budi.id)?.isActive).toBe(true);
  });
});

describe('a user whose role changes', () => {
  it('keeps only the rights of a user after a demotion, with the same token, and loses the tabs of an admin', async () => {
    const { test, ratna, edit, userCallStatus, adminCallStatus } = await buildAppWithAdmin();
    const [dewi, budi] = [buildAdmin(test), buildTestUser(test)];
    const tab = await openTab(test, dewi);
    const adminTab = await openTab(test, ratna);
    expect(userOf(await edit(ratna, dewi, { is_admin: false }))).toMatchObject({ is_admin: false, role: 'user' });
    await expectEnded(tab);
    expect(await test.call('GET', '/api/admin/users', { token: dewi.token })).toMatchObject(FORBIDDEN);
    expect([await userCallStatus(dewi), await adminCallStatus(dewi)]).toEqual([200, 403]);
    // The conversation is in the inbox now.
    expect(await adminTab.next('unread')).toEqual({ user_id: dewi.id, unread_count: 0, total_unread: 0 });
    const newTab = await openTab(test, dewi);
    await test.call('POST', '/api/messages/send', {
      token: budi.token,
      body: { to_user_id: ratna.id, content: 'Hai' },
    });
    await adminTab.next('message:new');
    await waitForPendingEvents(test, newTab);
    expect(newTab.payloadsOf('message:new')).toEqual([]);
  });

  it('becomes an admin with the same token after a promotion, and leaves the inbox', async () => {
    const { test, ratna, edit, adminCallStatus } = await buildAppWithAdmin();
    const budi = buildTestUser(test);
    await test.call('POST', '/api/messages/send', {
      token: budi.token,
      body: { to_user_id: ratna.id, content: 'Hai' },
    });
    const tab = await openTab(test, budi);
    const adminTab = await openTab(test, ratna);
    adminTab.clearReceived();
    expect(await edit(ratna, budi, { is_admin: true })).toMatchObject({
      status: 200,
      body: { data: { role: 'admin' } },
    });
    await expectEnded(tab);
    expect(await adminCallStatus(budi)).toBe(200);
    expect(await adminTab.next('conversation:deleted')).toEqual({ user_id: budi.id });
    expect(await adminTab.next('unread')).toMatchObject({ user_id: budi.id, total_unread: 0 });
  });

  it.each<[string, Partial<SignedInUser>, number, string]>([
    ['demoted', { isAdmin: false }, 403, FORBIDDEN.body.message],
    ['deactivated', { isActive: false }, 401, ENDED],
  ])('creates no account when the admin is %s while the password is hashed', async (_name, change, status, message) => {
    const { test, ratna } = await buildAppWithAdmin();
    const users = createUserService(test.context, {
      removeFiles: async () => {},
      notifyInbox: async () => {},
      dropExport: async () => {},
      requireOwnPassword: async () => 'password',
    });
    const body = { name: 'Siti', email: 'siti@contoh.id', password: 'enam66', is_admin: true, is_active: true };
    const pending = users.create(ratna, body, confirmed);
    changeUser(test, ratna.id, change);
    await expect(pending).rejects.toMatchObject({ status, message });
    expect(storedUsers(test)).toHaveLength(1);
  });
});
