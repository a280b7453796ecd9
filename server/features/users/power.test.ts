import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UserAnswer } from '#shared/api/users.ts';
import { buildAdmin, buildPerson, buildRecord, buildSession, type Person } from '#server/testing/factories.ts';
import { changeUser, storedSessions, storedUsers } from '#server/testing/rows.ts';
import { openTab, refusal, settle, type Tab } from '#server/testing/sockets.ts';
import { buildTestApp, type Answer } from '#server/testing/test-app.ts';
import { createUserService } from './service.ts';

// The sweep of dead sessions stands still: a second later it would end whatever was forgotten.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const ENDED = 'Sesi Anda telah berakhir. Silakan login kembali.';
const FORBIDDEN = { status: 403, body: { success: false, message: 'Anda tidak memiliki akses' } };
const OWN_ACCOUNT = 'Anda tidak dapat menghapus, menonaktifkan, atau menurunkan akun sendiri';
const LAST_ADMIN = 'Minimal harus ada satu admin aktif';

const one = (answer: Answer): UserAnswer => answer.body.data;

async function openOffice() {
  const test = await buildTestApp();
  const ratna = buildAdmin(test);
  const edit = (actor: Person, { id }: Person, body: object) =>
    test.call('PUT', `/api/admin/users/${id}`, { token: actor.token, body });
  const toggle = (actor: Person, { id }: Person) =>
    test.call('PUT', `/api/admin/users/${id}/toggle-status`, { token: actor.token });
  const remove = (actor: Person, { id }: Person) =>
    test.call('DELETE', `/api/admin/users/${id}`, { token: actor.token });
  const asUser = async ({ token }: { token: string }) => (await test.call('GET', '/api/tax-records', { token })).status;
  const asAdmin = async ({ token }: { token: string }) =>
    (await test.call('GET', '/api/admin/users', { token })).status;
  const activeAdmins = () => storedUsers(test).filter(({ isAdmin, isActive }) => isAdmin && isActive);
  return { test, ratna, edit, toggle, remove, asUser, asAdmin, activeAdmins };
}

/** It was told, then closed by the server, and nothing came after. */
async function expectEnded(tab: Tab): Promise<void> {
  expect(await tab.ended()).toBe('io server disconnect');
  expect(tab.heard().at(-1)).toEqual({ event: 'session:ended', payload: { message: ENDED } });
}

describe('one’s own account', () => {
  it.each<[string, (office: Awaited<ReturnType<typeof openOffice>>) => Promise<Answer>]>([
    ['delete', ({ remove, ratna }) => remove(ratna, ratna)],
    ['deactivate', ({ edit, ratna }) => edit(ratna, ratna, { is_active: false })],
    ['toggle', ({ toggle, ratna }) => toggle(ratna, ratna)],
    ['demote', ({ edit, ratna }) => edit(ratna, ratna, { is_admin: false })],
    ['rename and demote', ({ edit, ratna }) => edit(ratna, ratna, { name: 'Baru', is_admin: false })],
  ])('cannot %s itself, alone or not', async (_name, act) => {
    const office = await openOffice();
    for (const others of [0, 1]) {
      if (others === 1) buildAdmin(office.test);
      const answer = await act(office);
      expect(answer.status).toBe(409);
      expect(answer.body).toEqual({ success: false, message: OWN_ACCOUNT });
    }
    expect(storedUsers(office.test).find(({ id }) => id === office.ratna.id)).toMatchObject({
      name: office.ratna.name,
      isAdmin: true,
      isActive: true,
      updatedAt: office.ratna.updatedAt,
    });
    expect(await office.asAdmin(office.ratna)).toBe(200);
  });

  it('can be renamed by itself, and keeps its session and its tabs', async () => {
    const { test, ratna, edit, asAdmin } = await openOffice();
    const tab = await openTab(test, ratna);
    const body = { name: 'Ratna Baru', email: 'baru@kantor.id', is_admin: true, is_active: true };
    expect(await edit(ratna, ratna, body)).toMatchObject({ status: 200, body: { data: body } });
    await settle(test, tab);
    expect(tab.socket.connected).toBe(true);
    expect(await asAdmin(ratna)).toBe(200);
  });
});

describe('the last administrator', () => {
  it.each<[string, (office: Awaited<ReturnType<typeof openOffice>>, a: Person, b: Person) => Promise<Answer>]>([
    ['demote', ({ edit }, a, b) => edit(a, b, { is_admin: false })],
    ['deactivate', ({ edit }, a, b) => edit(a, b, { is_active: false })],
    ['toggle', ({ toggle }, a, b) => toggle(a, b)],
    ['delete', ({ remove }, a, b) => remove(a, b)],
  ])('remains when two %s each other at the same moment', async (name, act) => {
    const office = await openOffice();
    const { test, ratna, activeAdmins, asAdmin } = office;
    const dewi = buildAdmin(test, { name: 'Dewi' });
    const answers = await Promise.all([act(office, ratna, dewi), act(office, dewi, ratna)]);
    // Who lost the role may not ask any more; who lost the session has none.
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, name === 'demote' ? 403 : 401]));
    expect(activeAdmins()).toHaveLength(1);
    const winner = [ratna, dewi].find(({ id }) => id === activeAdmins()[0]?.id) as Person;
    expect(await asAdmin(winner)).toBe(200);
    expect(answers[winner === ratna ? 0 : 1]?.status).toBe(200);
  });

  it('remains of a whole ring in which everybody demotes the next', async () => {
    const { test, ratna, edit, activeAdmins } = await openOffice();
    const ring = [ratna, ...Array.from({ length: 5 }, () => buildAdmin(test))];
    const answers = await Promise.all(
      ring.map((admin, at) => edit(admin, ring[(at + 1) % ring.length] as Person, { is_admin: false })),
    );
    const demoted = answers.filter(({ status }) => status === 200).length;
    expect(activeAdmins()).toHaveLength(ring.length - demoted);
    expect(activeAdmins().length).toBeGreaterThan(0);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 403]));
  });

  it('stays even if somebody acted who is not among the administrators any more', async () => {
    const { test, ratna, activeAdmins } = await openOffice();
    const nobody = async () => {};
    const users = createUserService(test.context, {
      removeProofs: nobody,
      tellDesk: nobody,
      forgetAttempts: () => undefined,
    });
    const stranger = { ...ratna, id: 'somebody-else' };
    await expect(users.remove(stranger, ratna.id)).rejects.toMatchObject({ status: 409, message: LAST_ADMIN });
    await expect(users.toggleActive(stranger, ratna.id)).rejects.toMatchObject({ status: 409, message: LAST_ADMIN });
    await expect(users.update(stranger, ratna.id, { is_admin: false })).rejects.toThrow(LAST_ADMIN);
    expect(activeAdmins()).toHaveLength(1);
  });

  it('is not meant where an inactive administrator goes', async () => {
    const { test, ratna, edit, remove } = await openOffice();
    const away = buildAdmin(test, { isActive: false });
    expect((await edit(ratna, away, { is_admin: false })).status).toBe(200);
    expect((await remove(ratna, buildAdmin(test, { isActive: false }))).status).toBe(200);
  });
});

describe('who loses the account’s activity', () => {
  it('is out at once everywhere, and in again only after being activated and signing in anew', async () => {
    const { test, ratna, toggle, asUser } = await openOffice();
    const [budi, wati] = [buildPerson(test), buildPerson(test)];
    const phone = buildSession(test, budi.id);
    const tabs = [await openTab(test, budi), await openTab(test, phone, { transports: ['polling'] })];
    const [desk, other] = [await openTab(test, ratna), await openTab(test, wati)];
    const off = await toggle(ratna, budi);
    expect(off).toMatchObject({ status: 200, body: { message: 'User dinonaktifkan', data: { is_active: false } } });
    expect(off.raw.toString()).not.toMatch(/argon2|password/i);
    for (const tab of tabs) await expectEnded(tab);
    expect(storedSessions(test).filter(({ userId }) => userId === budi.id)).toEqual([]);
    expect(await test.call('GET', '/api/auth/user', { token: budi.token })).toMatchObject({
      status: 401,
      body: { success: false, message: ENDED },
    });
    expect(await refusal(test, { token: phone.token })).toBe('unauthorized');

    const on = await toggle(ratna, budi);
    expect(on).toMatchObject({ status: 200, body: { message: 'User diaktifkan', data: { is_active: true } } });
    // The old tokens stay dead.
    for (const session of [budi, phone]) expect(await asUser(session)).toBe(401);
    expect(await asUser(buildSession(test, budi.id))).toBe(200);

    await settle(test, desk, other);
    expect([desk, other].flatMap((tab) => tab.all('session:ended'))).toEqual([]);
    expect(await asUser(wati)).toBe(200);
  });

  it('sees no image by an old link any more', async () => {
    const { test, ratna, edit } = await openOffice();
    const budi = buildPerson(test);
    const file = '0b8f7e4c-6f5e-4d55-9d3c-0e6f3a1b2c3d.png';
    const record = buildRecord(test, budi.id, { proofFile: file });
    const shown = await test.call('GET', `/api/tax-records/${record.id}`, { token: budi.token });
    const { payment_proof: link } = shown.body.data as { payment_proof: string };
    expect(link).toContain(file);
    await edit(ratna, budi, { is_active: false });
    expect((await test.call('GET', link)).status).toBe(404);
  });

  it('of two who switch it at once ends where both were heard', async () => {
    const { test, ratna, toggle } = await openOffice();
    const [dewi, budi] = [buildAdmin(test), buildPerson(test)];
    const answers = await Promise.all([toggle(ratna, budi), toggle(dewi, budi)]);
    expect(new Set(answers.map((answer) => one(answer).is_active))).toEqual(new Set([false, true]));
    expect(storedUsers(test).find(({ id }) => id === budi.id)?.isActive).toBe(true);
  });
});

describe('who changes role', () => {
  it('by demotion may do what residents may, with the same token, and has no office tab any more', async () => {
    const { test, ratna, edit, asUser, asAdmin } = await openOffice();
    const [dewi, budi] = [buildAdmin(test), buildPerson(test)];
    const tab = await openTab(test, dewi);
    const desk = await openTab(test, ratna);
    expect(one(await edit(ratna, dewi, { is_admin: false }))).toMatchObject({ is_admin: false, role: 'user' });
    await expectEnded(tab);
    expect(await test.call('GET', '/api/admin/users', { token: dewi.token })).toMatchObject(FORBIDDEN);
    expect([await asUser(dewi), await asAdmin(dewi)]).toEqual([200, 403]);
    // Its conversation is on the desk now.
    expect(await desk.next('unread')).toEqual({ user_id: dewi.id, unread_count: 0, total_unread: 0 });
    const again = await openTab(test, dewi);
    await test.call('POST', '/api/messages/send', {
      token: budi.token,
      body: { to_user_id: ratna.id, content: 'Hai' },
    });
    await desk.next('message:new');
    await settle(test, again);
    expect(again.all('message:new')).toEqual([]);
  });

  it('by promotion is an administrator with the same token, and no conversation of the desk', async () => {
    const { test, ratna, edit, asAdmin } = await openOffice();
    const budi = buildPerson(test);
    await test.call('POST', '/api/messages/send', {
      token: budi.token,
      body: { to_user_id: ratna.id, content: 'Hai' },
    });
    const tab = await openTab(test, budi);
    const desk = await openTab(test, ratna);
    desk.forget();
    expect(await edit(ratna, budi, { is_admin: true })).toMatchObject({
      status: 200,
      body: { data: { role: 'admin' } },
    });
    await expectEnded(tab);
    expect(await asAdmin(budi)).toBe(200);
    expect(await desk.next('conversation:deleted')).toEqual({ user_id: budi.id });
    expect(await desk.next('unread')).toMatchObject({ user_id: budi.id, total_unread: 0 });
  });

  it.each<[string, Partial<Person>, number, string]>([
    ['demoted', { isAdmin: false }, 403, FORBIDDEN.body.message],
    ['deactivated', { isActive: false }, 401, ENDED],
  ])('while a new account’s password is being hashed, %s, makes no account', async (_name, change, status, message) => {
    const { test, ratna } = await openOffice();
    const users = createUserService(test.context, {
      removeProofs: async () => {},
      tellDesk: async () => {},
      forgetAttempts: () => undefined,
    });
    const body = { name: 'Siti', email: 'siti@contoh.id', password: 'enam66', is_admin: true, is_active: true };
    const pending = users.create(ratna, body);
    changeUser(test, ratna.id, change);
    await expect(pending).rejects.toMatchObject({ status, message });
    expect(storedUsers(test)).toHaveLength(1);
  });
});
