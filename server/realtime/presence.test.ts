import { describe, expect, it } from 'vitest';
import { buildAdmin, buildTestUser, buildSession } from '#server/testing/factories.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';
import { buildTestApp } from '#server/testing/test-app.ts';

describe('presence', () => {
  it('sends users at connect whether an admin is online, and admins the online users', async () => {
    const test = await buildTestApp();
    const [admin, budi, siti] = [buildAdmin(test), buildTestUser(test), buildTestUser(test)];
    const budisTab = await openTab(test, budi);
    await openTab(test, siti);
    const adminTab = await openTab(test, admin);
    expect(budisTab.payloadsOf('presence')[0]).toEqual({ admin_online: false });
    expect(adminTab.payloadsOf('presence')).toEqual([{ online_user_ids: [budi.id, siti.id] }]);
    const laterTab = await openTab(test, budi);
    expect(laterTab.payloadsOf('presence')).toEqual([{ admin_online: true }]);
  });

  it('sends each admin the users who are online at that moment, whoever came and went before', async () => {
    const test = await buildTestApp();
    const admin = buildAdmin(test);
    const [budi, siti] = [buildTestUser(test), buildTestUser(test)];
    const budisTab = await openTab(test, budi);
    const first = await openTab(test, admin);
    const second = await openTab(test, admin);
    await openTab(test, siti);
    const third = await openTab(test, admin);
    budisTab.close();
    const left = { user_id: budi.id, online: false };
    await expect.poll(() => third.payloadsOf('presence')).toContainEqual(left);
    const fourth = await openTab(test, admin);
    const lists = [first, second, third, fourth].map((tab) => tab.payloadsOf('presence')[0]);
    expect(lists).toEqual(
      [[budi.id], [budi.id], [budi.id, siti.id], [siti.id]].map((ids) => ({ online_user_ids: ids })),
    );
  });

  it('publishes a user’s first tab and last tab to admins only', async () => {
    const test = await buildTestApp();
    const [admin, budi, siti] = [buildAdmin(test), buildTestUser(test), buildTestUser(test)];
    const adminTab = await openTab(test, admin);
    const sitisTab = await openTab(test, siti);
    await waitForPendingEvents(test, adminTab, sitisTab);
    adminTab.clearReceived();
    sitisTab.clearReceived();
    const phone = await openTab(test, budi);
    const laptop = await openTab(test, { token: buildSession(test, budi.id).token });
    phone.close();
    await waitForPendingEvents(test, laptop, adminTab);
    expect(adminTab.payloadsOf('presence')).toEqual([{ user_id: budi.id, online: true }]);
    laptop.close();
    await adminTab.next('presence');
    expect(await adminTab.next('presence')).toEqual({ user_id: budi.id, online: false });
    expect(test.context.presence.isOnline(budi.id)).toBe(false);
    await waitForPendingEvents(test, sitisTab);
    expect(sitisTab.received()).toEqual([]);
  });

  it('publishes the first admin’s arrival and the last one’s leaving to every user, and no other change', async () => {
    const test = await buildTestApp();
    const [ratna, dewi, budi] = [buildAdmin(test), buildAdmin(test), buildTestUser(test)];
    const tab = await openTab(test, budi);
    tab.clearReceived();
    const adminTabs = [await openTab(test, ratna), await openTab(test, ratna), await openTab(test, dewi)];
    await waitForPendingEvents(test, tab);
    expect(tab.payloadsOf('presence')).toEqual([{ admin_online: true }]);
    tab.clearReceived();
    for (const adminTab of adminTabs) {
      expect(tab.received()).toEqual([]);
      adminTab.close();
      await waitForPendingEvents(test, ...adminTabs, tab);
    }
    expect(await tab.next('presence')).toEqual({ admin_online: false });
  });

  it('counts a user who became an admin once, in the new role', async () => {
    const test = await buildTestApp();
    const admin = buildAdmin(test);
    const budi = buildTestUser(test, { name: 'Budi' });
    const adminTab = await openTab(test, admin);
    await openTab(test, budi);
    expect(await adminTab.next('presence')).toEqual({ user_id: budi.id, online: true });
    test.database.sqlite.prepare('update users set is_admin = 1 where id = ?').run(budi.id);
    test.context.publish.endUser(budi.id);
    expect(await adminTab.next('presence')).toEqual({ user_id: budi.id, online: false });
    const newAdminTab = await openTab(test, budi);
    expect(newAdminTab.payloadsOf('presence')).toEqual([{ online_user_ids: [] }]);
  });
});
