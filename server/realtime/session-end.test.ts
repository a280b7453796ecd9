import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildAdmin, buildTestUser, buildSession, type SignedInUser } from '#server/testing/factories.ts';
import {
  openTab,
  connectErrorMessage,
  emitUnchecked,
  waitForPendingEvents,
  type Tab,
} from '#server/testing/sockets.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';

const ENDED = { message: 'Sesi Anda telah berakhir. Silakan login kembali.' };

async function startTestServer() {
  const test = await buildTestApp();
  const [ratna, dewi, budi] = [buildAdmin(test), buildAdmin(test, { name: 'Dewi' }), buildTestUser(test)];
  const send = async (from: { token: string }, to: SignedInUser, content: string) =>
    test.call('POST', '/api/messages/send', { token: from.token, body: { to_user_id: to.id, content } });
  const sql = (statement: string, ...values: unknown[]) => test.database.sqlite.prepare(statement).run(...values);
  return { test, ratna, dewi, budi, send, sql };
}

// The regular check of all sessions must not influence these tests, except the test of that check.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** The tab got `session:ended` once as its last event, and the server closed it. */
async function expectEnded(tab: Tab): Promise<void> {
  expect(await tab.ended()).toBe('io server disconnect');
  expect(tab.received().at(-1)).toEqual({ event: 'session:ended', payload: ENDED });
  expect(tab.payloadsOf('session:ended')).toHaveLength(1);
}

describe('a session that ends', () => {
  it('closes at logout its own tabs and no other session of the account', async () => {
    const { test, ratna, budi, send } = await startTestServer();
    const phone = buildSession(test, budi.id);
    const tabs = [await openTab(test, budi), await openTab(test, budi)];
    const phoneTab = await openTab(test, phone);
    const adminTab = await openTab(test, ratna);
    expect((await test.call('POST', '/api/auth/logout', { token: budi.token })).status).toBe(200);
    for (const tab of tabs) await expectEnded(tab);
    await send(ratna, budi, 'Untuk yang masih masuk');
    expect(await phoneTab.next('message:new')).toMatchObject({ content: 'Untuk yang masih masuk' });
    expect(tabs.flatMap((tab) => tab.payloadsOf('message:new'))).toEqual([]);
    expect(await connectErrorMessage(test, { token: budi.token })).toBe('unauthorized');
    await waitForPendingEvents(test, adminTab);
    // Still online by the phone.
    expect(adminTab.payloadsOf('presence').at(-1)).not.toEqual({ user_id: budi.id, online: false });
  });

  it('closes a socket over polling, too', async () => {
    const { test, budi } = await startTestServer();
    const tab = await openTab(test, budi, { transports: ['polling'] });
    await test.call('POST', '/api/auth/logout', { token: budi.token });
    await expectEnded(tab);
  });

  const endings: [string, (testServer: Awaited<ReturnType<typeof startTestServer>>) => void][] = [
    ['deactivation', ({ sql, dewi }) => sql('update users set is_active = 0 where id = ?', dewi.id)],
    ['deletion', ({ sql, dewi }) => sql('delete from users where id = ?', dewi.id)],
    ['demotion', ({ sql, dewi }) => sql('update users set is_admin = 0 where id = ?', dewi.id)],
  ];
  it.each(endings)('closes at %s every tab of the account at once', async (_name, change) => {
    const testServer = await startTestServer();
    const { test, ratna, dewi, budi, send } = testServer;
    const tabs = [
      await openTab(test, dewi),
      await openTab(test, buildSession(test, dewi.id), { transports: ['polling'] }),
    ];
    const adminTab = await openTab(test, ratna);
    change(testServer);
    test.context.publish.endUser(dewi.id);
    for (const tab of tabs) await expectEnded(tab);
    await send(budi, ratna, 'Rahasia Budi');
    expect(await adminTab.next('message:new')).toMatchObject({ content: 'Rahasia Budi' });
    expect(tabs.flatMap((tab) => tab.payloadsOf('message:new'))).toEqual([]);
  });

  it('returns after a demotion as a user: without events for admins, with the own conversation only', async () => {
    const { test, ratna, dewi, budi, send, sql } = await startTestServer();
    const previousTab = await openTab(test, dewi);
    sql('update users set is_admin = 0 where id = ?', dewi.id);
    test.context.publish.endUser(dewi.id);
    await expectEnded(previousTab);
    const tab = await openTab(test, dewi);
    expect(tab.payloadsOf('presence')).toEqual([{ admin_online: false }]);
    await send(budi, ratna, 'Rahasia Budi');
    await send(ratna, dewi, 'Selamat datang di sisi ini');
    await waitForPendingEvents(test, tab);
    expect(tab.payloadsOf('message:new').map(({ content }) => content)).toEqual(['Selamat datang di sisi ini']);
    const forbidden = await test.call('GET', `/api/messages/conversation/${budi.id}`, { token: dewi.token });
    expect(forbidden.status).toBe(403);
  });
});

describe('a session whose end was not published', () => {
  const clientEvents = [
    ['typing', { typing: true }],
    ['delivered', { up_to: '1' }],
    ['viewing', { user_id: null }],
  ] as const;
  it.each(clientEvents)('ends at the next event %s, which has no effect', async (event, payload) => {
    const { test, ratna, budi, sql } = await startTestServer();
    const tab = await openTab(test, budi);
    const other = await openTab(test, budi);
    const adminTab = await openTab(test, ratna);
    sql('delete from sessions where id = ?', budi.sessionId);
    adminTab.clearReceived();
    emitUnchecked(tab, event, payload);
    await expectEnded(tab);
    await expectEnded(other);
    expect(await adminTab.next('presence')).toEqual({ user_id: budi.id, online: false });
    expect(adminTab.payloadsOf('typing')).toEqual([]);
  });

  it('ends when it expired or was idle for too long', async () => {
    const { test, budi, ratna } = await startTestServer();
    const tab = await openTab(test, budi);
    const adminTab = await openTab(test, ratna);
    test.clock.advance(7 * 24 * 60 * 60 * 1000 + 1);
    tab.socket.emit('typing', { typing: true });
    await expectEnded(tab);
    expect(adminTab.payloadsOf('typing')).toEqual([]);
  });

  it('ends when the role has changed', async () => {
    const { test, dewi, budi, sql } = await startTestServer();
    const adminTab = await openTab(test, dewi);
    const tab = await openTab(test, budi);
    sql('update users set is_admin = 0 where id = ?', dewi.id);
    adminTab.socket.emit('typing', { user_id: budi.id, typing: true });
    await expectEnded(adminTab);
    await waitForPendingEvents(test, tab);
    expect(tab.payloadsOf('typing')).toEqual([]);
  });

  it('ends within ten seconds even when the client sends nothing', async () => {
    const { test, budi, ratna, sql } = await startTestServer();
    const tabs = await Promise.all(Array.from({ length: 20 }, async () => openTab(test, ratna)));
    const tab = await openTab(test, budi);
    sql('delete from sessions where id = ?', budi.sessionId);
    vi.advanceTimersByTime(11_000);
    await expectEnded(tab);
    expect(tabs.every(({ socket }) => socket.connected)).toBe(true);
  });

  it('drops the event and keeps the socket when the database does not answer', async () => {
    const { test, budi, ratna } = await startTestServer();
    const tab = await openTab(test, budi);
    const adminTab = await openTab(test, ratna);
    await withBrokenSessions(test, async () => {
      tab.socket.emit('typing', { typing: true });
      await waitForPendingEvents(test, tab, adminTab);
      expect(adminTab.payloadsOf('typing')).toEqual([]);
      expect(await connectErrorMessage(test, { token: budi.token })).toBe('unavailable');
    });
    tab.socket.emit('typing', { typing: true });
    expect(await adminTab.next('typing')).toMatchObject({ user_id: budi.id });
  });
});

/** Simulates a database error: every check of a session throws. */
async function withBrokenSessions(test: TestApp, run: () => Promise<void>): Promise<void> {
  test.expectErrorLog(/could not be checked/);
  test.database.sqlite.exec('alter table sessions rename to sessions_away');
  await run();
  test.database.sqlite.exec('alter table sessions_away rename to sessions');
}
