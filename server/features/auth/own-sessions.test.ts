import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OwnSession } from '#shared/api/auth.ts';
import { buildAdmin, buildTestUser, buildSession } from '#server/testing/factories.ts';
import { queryPlans } from '#server/testing/query-plan.ts';
import { storedSessions } from '#server/testing/rows.ts';
import { openTab, connectErrorMessage, waitForPendingEvents, type Tab } from '#server/testing/sockets.ts';
import { deleteOtherSessions } from '#server/accounts/user-queries.ts';
import { buildTestApp, type Answer } from '#server/testing/test-app.ts';
import { listLiveSessions } from './account-queries.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';

// The sweep of ended sessions is off: a second later it would close the sockets that the code under test forgot.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const ENDED = 'Sesi Anda telah berakhir. Silakan login kembali.';
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const sessionsOf = (answer: Answer): OwnSession[] => {
  const page: { data: OwnSession[] } = answer.body.data;
  return page.data;
};

async function buildAppWithUsers() {
  const test = await buildTestApp();
  const [budi, wati] = [buildTestUser(test), buildTestUser(test)];
  const list = ({ token }: { token: string }) => test.call('GET', '/api/auth/sessions', { token });
  const end = ({ token }: { token: string }, id: string) => test.call('DELETE', `/api/auth/sessions/${id}`, { token });
  const endOthers = ({ token }: { token: string }) => test.call('DELETE', '/api/auth/sessions', { token });
  const statusOf = async (session: { token: string }) => (await list(session)).status;
  return { test, budi, wati, list, end, endOthers, statusOf };
}

async function expectEnded(tab: Tab): Promise<void> {
  expect(await tab.ended()).toBe('io server disconnect');
  expect(tab.received().at(-1)).toEqual({ event: 'session:ended', payload: { message: ENDED } });
}

describe('GET /api/auth/sessions', () => {
  it('lists only the own sessions with device and times: the current one first, then by last use', async () => {
    const { test } = await buildAppWithUsers();
    const password = 'rahasia-1';
    const account = { name: 'Siti', email: 'siti@contoh.id', password, password_confirmation: password };
    const requestOptions = (agent: string) => ({ body: account, headers: { 'user-agent': agent } });
    const tokenOf = (answer: Answer) => (answer.body.data as { token: string }).token;
    const desktop = tokenOf(await test.call('POST', '/api/auth/register', requestOptions('Firefox di kantor')));
    test.clock.advance(MINUTE);
    const phone = tokenOf(await test.call('POST', '/api/auth/login', requestOptions('Chrome di telepon')));
    test.clock.advance(MINUTE);
    await test.call('POST', '/api/auth/login', requestOptions('Tablet'));

    const answer = await test.call('GET', '/api/auth/sessions', { token: phone });
    expect(answer).toMatchObject({
      status: 200,
      body: { success: true, message: 'Daftar sesi', data: { total: 3, per_page: 3, current_page: 1, last_page: 1 } },
    });
    const [current, ...others] = sessionsOf(answer);
    expect(current).toEqual({
      id: storedSessions(test).find(({ userAgent }) => userAgent === 'Chrome di telepon')?.id,
      _id: current?.id,
      current: true,
      created_at: '2026-06-10T05:01:00.000Z',
      createdAt: '2026-06-10T05:01:00.000Z',
      last_seen_at: '2026-06-10T05:01:00.000Z',
      lastSeenAt: '2026-06-10T05:01:00.000Z',
      user_agent: 'Chrome di telepon',
      address: '127.0.0.1',
      has_notifications: false,
      entry: 'password',
    });
    expect(others.map(({ user_agent, current: isCurrent }) => [user_agent, isCurrent])).toEqual([
      ['Tablet', false],
      ['Firefox di kantor', false],
    ]);
    expect(sessionsOf(await test.call('GET', '/api/auth/sessions', { token: desktop }))[0]).toMatchObject({
      user_agent: 'Firefox di kantor',
      current: true,
    });
    expect(answer.raw.toString()).not.toContain(phone);
  });

  it('leaves out sessions that no longer count', async () => {
    const { test, budi, list } = await buildAppWithUsers();
    const idle = buildSession(test, budi.id);
    test.clock.advance(6 * DAY);
    await list(budi);
    await test.context.write(() => null);
    expect(sessionsOf(await list(budi)).map(({ id }) => id)).toEqual([budi.sessionId, idle.sessionId]);
    test.clock.advance(DAY);
    expect(sessionsOf(await list(budi)).map(({ id }) => id)).toEqual([budi.sessionId]);
    // The time of the last use is stored after the answer.
    await test.context.write(() => null);
  });

  itOnSqlite('reads and deletes by the index of the account', async () => {
    const { test, budi } = await buildAppWithUsers();
    const [plan] = await queryPlans(test, (orm) =>
      listLiveSessions(orm, budi.id, { currentId: budi.sessionId, nowMs: 0, idleSinceMs: 0 }),
    );
    expect(plan).toContain('SEARCH sessions USING INDEX sessions_user (user_id=?)');
    await test.context.write((tx) => deleteOtherSessions(tx, budi.id, budi.sessionId));
    const steps = test.database.sqlite
      .prepare<unknown[], { detail: string }>('explain query plan delete from sessions where user_id = ? and id <> ?')
      .all('x', 'x');
    expect(steps[0]?.detail).toContain('sessions_user (user_id=?)');
  });
});

describe('DELETE /api/auth/sessions', () => {
  it('ends all other sessions of the account and closes their tabs, but none of another account', async () => {
    const { test, budi, wati, endOthers, statusOf } = await buildAppWithUsers();
    const [phone, tablet] = [buildSession(test, budi.id), buildSession(test, budi.id)];
    const endedTabs = [await openTab(test, phone), await openTab(test, tablet, { transports: ['polling'] })];
    const [own, other] = [await openTab(test, budi), await openTab(test, wati)];
    const answer = await endOthers(budi);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true, message: 'Semua sesi lain telah diakhiri', data: {} });
    for (const tab of endedTabs) await expectEnded(tab);
    for (const session of [phone, tablet]) {
      expect(await statusOf(session)).toBe(401);
      expect(await connectErrorMessage(test, { token: session.token })).toBe('unauthorized');
    }
    await waitForPendingEvents(test, own, other);
    expect([own, other].flatMap((tab) => tab.payloadsOf('session:ended'))).toEqual([]);
    for (const session of [budi, wati]) expect(await statusOf(session)).toBe(200);
    // Without other sessions the call succeeds too.
    expect((await endOthers(budi)).status).toBe(200);
  });

  it('keeps one session when two sessions call it at once', async () => {
    const { test, budi, endOthers, statusOf } = await buildAppWithUsers();
    const phone = buildSession(test, budi.id);
    const answers = await Promise.all([endOthers(budi), endOthers(phone)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 401]));
    expect(await Promise.all([budi, phone].map(statusOf))).toEqual(answers.map(({ status }) => status));
  });
});

describe('DELETE /api/auth/sessions/:id', () => {
  it('ends that session and closes its tabs, but no others', async () => {
    const { test, budi, end, statusOf } = await buildAppWithUsers();
    const [phone, tablet] = [buildSession(test, budi.id), buildSession(test, budi.id)];
    const [phoneTab, tabletTab] = [await openTab(test, phone), await openTab(test, tablet)];
    const answer = await end(budi, phone.sessionId);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true, message: 'Sesi telah diakhiri', data: {} });
    await expectEnded(phoneTab);
    expect(await Promise.all([budi, phone, tablet].map(statusOf))).toEqual([200, 401, 200]);
    await waitForPendingEvents(test, tabletTab);
    expect(tabletTab.payloadsOf('session:ended')).toEqual([]);
  });

  it('ends the current session too', async () => {
    const { test, budi, end, statusOf } = await buildAppWithUsers();
    const tab = await openTab(test, budi);
    expect((await end(budi, budi.sessionId)).status).toBe(200);
    await expectEnded(tab);
    expect(await statusOf(budi)).toBe(401);
  });

  it('answers the same 404 for a missing session and for one of another user, and ends neither', async () => {
    const { test, budi, wati, end, statusOf } = await buildAppWithUsers();
    const ratna = buildAdmin(test);
    const tab = await openTab(test, wati);
    const missing = { success: false, message: 'Sesi tidak ditemukan' };
    for (const [currentUser, id] of [
      [budi, wati.sessionId],
      [ratna, wati.sessionId],
      [budi, 'x'],
      [budi, '%'],
      [budi, budi.id],
    ] as const) {
      const answer = await end(currentUser, encodeURIComponent(id));
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 404, body: missing });
    }
    await waitForPendingEvents(test, tab);
    expect(tab.payloadsOf('session:ended')).toEqual([]);
    expect(await statusOf(wati)).toBe(200);
    const phone = buildSession(test, budi.id);
    const twice = await Promise.all([end(budi, phone.sessionId), end(budi, phone.sessionId)]);
    expect(new Set(twice.map(({ status }) => status))).toEqual(new Set([200, 404]));
  });
});
