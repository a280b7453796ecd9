import { describe, expect, it } from 'vitest';
import type { OfficeHours } from '#shared/api/office/office.ts';
import { buildChatApp } from '#server/testing/chat/chat-app.ts';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';

const hours = (close: string, changes: Partial<OfficeHours> = {}): OfficeHours => ({
  days: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, open: '08:00', close })),
  holidays: [],
  closed_today: false,
  ...changes,
});

async function save(test: TestApp, { token }: { token: string }, body: OfficeHours): Promise<void> {
  expect((await test.call('PUT', '/api/admin/office-hours', { token, body })).status).toBe(200);
}

describe('the event office', () => {
  it('tells all users of new hours, and admins nothing', async () => {
    const test = await buildTestApp();
    const [ratna, budi, siti] = [buildAdmin(test), buildTestUser(test), buildTestUser(test)];
    const [adminTab, ...userTabs] = await Promise.all([ratna, budi, siti].map((user) => openTab(test, user)));
    await save(test, ratna, hours('15:00'));
    for (const tab of userTabs) {
      expect(await tab.next('office')).toEqual({
        open: true,
        until: '2026-06-10T08:00:00.000Z',
        opens_at: null,
        user_years: [2025],
      });
    }
    await save(test, ratna, hours('15:00', { closed_today: true }));
    for (const tab of userTabs) {
      expect(await tab.next('office')).toEqual({
        open: false,
        until: null,
        opens_at: '2026-06-11T01:00:00.000Z',
        user_years: [2025],
      });
    }
    expect(adminTab?.payloadsOf('office')).toEqual([]);
  });

  it('stays silent when a change leaves what users see as it is', async () => {
    const test = await buildTestApp();
    const [ratna, budi] = [buildAdmin(test), buildTestUser(test)];
    const tab = await openTab(test, budi);
    await save(test, ratna, hours('15:00'));
    await save(test, ratna, hours('15:00', { holidays: [{ date: '2026-12-25', name: 'Natal' }] }));
    await waitForPendingEvents(test, tab);
    expect(tab.payloadsOf('office')).toHaveLength(1);
  });

  it('comes by itself when the time has come', async () => {
    const test = await buildTestApp();
    const [ratna, budi] = [buildAdmin(test), buildTestUser(test)];
    const tab = await openTab(test, budi);
    // A quarter of a second before the office closes, so that its timer waits for that time.
    test.clock.set(Date.parse('2026-06-10T08:00:00Z') - 250);
    await save(test, ratna, hours('15:00'));
    expect(await tab.next('office')).toMatchObject({ open: true });
    test.clock.advance(250);
    expect(await tab.next('office')).toEqual({
      open: false,
      until: null,
      opens_at: '2026-06-11T01:00:00.000Z',
      user_years: [2025],
    });
  });
});

describe('the open tax years', () => {
  it('reach open screens of users and admins when they change', async () => {
    const test = await buildTestApp();
    const [ratna, budi] = [buildAdmin(test), buildTestUser(test)];
    const [userTab, adminTab] = [await openTab(test, budi), await openTab(test, ratna)];
    const body = { user_years: [2025, 2026] };
    const saved = await test.call('PUT', '/api/admin/record-settings', { token: ratna.token, body });
    expect(saved.status).toBe(200);
    const state = { open: true, until: null, opens_at: null, user_years: [2026, 2025] };
    expect(await userTab.next('office')).toEqual(state);
    expect(await adminTab.next('office')).toEqual(state);
  });
});

it('GET /api/office says whether an admin is connected', async () => {
  const test = await buildTestApp();
  const [ratna, budi] = [buildAdmin(test), buildTestUser(test)];
  const isOnline = async () => (await test.call('GET', '/api/office', { token: budi.token })).body.data['admin_online'];
  expect(await isOnline()).toBe(false);
  await openTab(test, budi);
  expect(await isOnline()).toBe(false);
  await openTab(test, ratna);
  expect(await isOnline()).toBe(true);
});

describe('the event queue', () => {
  const places = (app: Awaited<ReturnType<typeof buildChatApp>>, users: readonly { token: string }[]) =>
    Promise.all(
      users.map(async ({ token }) => (await app.test.call('GET', '/api/office', { token })).body.data['ahead']),
    );

  it('tells each waiting user the own place when the office answers somebody before', async () => {
    const app = await buildChatApp();
    const { test } = app;
    const ratna = buildAdmin(test);
    const users = [buildTestUser(test), buildTestUser(test), buildTestUser(test)] as const;
    const tabs = await Promise.all([...users, ratna].map((user) => openTab(test, user)));
    for (const [index, user] of users.entries()) {
      test.clock.advance(1000);
      await app.send(user, ratna, `Pesan ${index}`);
      expect(await tabs[index]?.next('queue')).toEqual({ ahead: index });
    }
    expect(await places(app, users)).toEqual([0, 1, 2]);

    await app.send(ratna, users[0]);
    expect(await tabs[0]?.next('queue')).toEqual({ ahead: null });
    expect(await tabs[1]?.next('queue')).toEqual({ ahead: 0 });
    expect(await tabs[2]?.next('queue')).toEqual({ ahead: 1 });
    expect(await places(app, users)).toEqual([null, 0, 1]);
    // A second message neither moves the own place nor tells anybody anything.
    await app.send(users[1], ratna, 'Halo?');
    await waitForPendingEvents(test, ...tabs);
    expect(tabs.map((tab) => tab.payloadsOf('queue').length)).toEqual([2, 2, 2, 0]);
  });

  it('leaves out conversations that are dismissed, snoozed or of an admin', async () => {
    const app = await buildChatApp();
    const { test } = app;
    const [ratna, budi, siti, joko, last] = [
      buildAdmin(test),
      buildTestUser(test),
      buildTestUser(test),
      buildTestUser(test),
      buildTestUser(test),
    ];
    const ids: string[] = [];
    for (const user of [budi, siti, joko, last]) {
      test.clock.advance(1000);
      ids.push((await app.send(user, ratna)).id);
    }
    expect(await places(app, [last])).toEqual([3]);
    const act = (userId: string, what: string, body: unknown) =>
      test.call('POST', `/api/admin/conversations/${userId}/${what}`, { token: ratna.token, body });
    expect((await act(budi.id, 'dismiss', { up_to: ids[0] })).status).toBe(200);
    expect(await places(app, [budi, last])).toEqual([null, 2]);
    const until = new Date(test.clock.now() + 3_600_000).toISOString();
    expect((await act(siti.id, 'snooze', { up_to: ids[1], until })).status).toBe(200);
    expect(await places(app, [siti, last])).toEqual([null, 1]);
    test.database.sqlite.prepare('update users set is_admin = 1 where id = ?').run(joko.id);
    expect(await places(app, [last])).toEqual([0]);
    test.clock.advance(3_600_000);
    expect(await places(app, [siti, last])).toEqual([0, 1]);
  });

  it('tells all users when more than three wait, and when that is over', async () => {
    const app = await buildChatApp();
    const { test } = app;
    const [ratna, reader, ...users] = [
      buildAdmin(test),
      buildTestUser(test),
      buildTestUser(test),
      buildTestUser(test),
      buildTestUser(test),
      buildTestUser(test),
    ];
    const [tab, adminTab] = [await openTab(test, reader), await openTab(test, ratna)];
    const isFew = async () => (await test.call('GET', '/api/office', { token: reader.token })).body.data['few_waiting'];
    for (const user of users.slice(0, 3)) await app.send(user, ratna);
    expect(await isFew()).toBe(true);
    const [, , , last] = users;
    if (!last) throw new Error('four users wait');
    await app.send(last, ratna);
    expect(await tab.next('queue:length')).toEqual({ few_waiting: false });
    expect(await isFew()).toBe(false);
    await app.send(ratna, last);
    expect(await tab.next('queue:length')).toEqual({ few_waiting: true });
    expect(await isFew()).toBe(true);
    expect(tab.payloadsOf('queue:length')).toHaveLength(2);
    expect(adminTab.payloadsOf('queue:length')).toEqual([]);
  });

  it('gives the same place to waits that began at the same moment', async () => {
    const app = await buildChatApp();
    const [ratna, budi, siti] = [buildAdmin(app.test), buildTestUser(app.test), buildTestUser(app.test)];
    await app.send(budi, ratna);
    await app.send(siti, ratna);
    expect(await places(app, [budi, siti])).toEqual([0, 0]);
  });

  it('sends many changes of one second together', async () => {
    const app = await buildChatApp({
      settings: { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null, rateLimits: false },
    });
    const { test } = app;
    const ratna = buildAdmin(test);
    const before = Array.from({ length: 30 }, () => buildTestUser(test));
    for (const user of before) await app.send(user, ratna);
    test.clock.advance(1000);
    const last = buildTestUser(test);
    const tab = await openTab(test, last);
    await app.send(last, ratna);
    expect(await tab.next('queue')).toEqual({ ahead: 30 });
    for (const user of before) await app.send(ratna, user);
    for (let heard = await tab.next('queue'); heard.ahead !== 0;) heard = await tab.next('queue');
    // Thirty answers took a few seconds at most; one event a second.
    expect(tab.payloadsOf('queue').length).toBeLessThan(15);
  });
});

describe('what residents get', () => {
  it('names no admin, no colleague and no other resident, in the answer and in the events', async () => {
    const app = await buildChatApp();
    const { test } = app;
    const [ratna, budi, siti] = [
      buildAdmin(test, { name: 'Petugas-Rahasia' }),
      buildTestUser(test, { name: 'Warga-Budi' }),
      buildTestUser(test, { name: 'Warga-Siti' }),
    ];
    const tab = await openTab(test, siti);
    await app.send(budi, ratna, 'Isi-Budi');
    test.clock.advance(1000);
    await app.send(siti, ratna);
    await test.call('POST', `/api/admin/conversations/${siti.id}/claim`, { token: ratna.token });
    await save(test, ratna, hours('15:00', { holidays: [{ date: '2026-12-25', name: 'Libur-Internal' }] }));
    await tab.next('office');
    await tab.next('queue');
    const answer = await test.call('GET', '/api/office', { token: siti.token });
    const heard = JSON.stringify([
      answer.body,
      tab.payloadsOf('office'),
      tab.payloadsOf('queue'),
      tab.received().map(({ event }) => event),
    ]);
    for (const secret of ['Petugas', 'Budi', 'Libur-Internal', 'claimed', 'state', ratna.id, budi.id]) {
      expect(heard).not.toContain(secret);
    }
    expect(Object.keys(answer.body.data).toSorted()).toEqual([
      'admin_online',
      'ahead',
      'few_waiting',
      'median_ms',
      'open',
      'opens_at',
      'until',
      'user_years',
    ]);
  });
});
