import { describe, expect, it } from 'vitest';
import { buildAdmin, buildPerson, buildSession } from '#server/testing/factories.ts';
import { openTab, settle } from '#server/testing/sockets.ts';
import { buildTestApp } from '#server/testing/test-app.ts';

describe('presence', () => {
  it('greets residents with whether the office is there, administrators with who is', async () => {
    const test = await buildTestApp();
    const [admin, budi, siti] = [buildAdmin(test), buildPerson(test), buildPerson(test)];
    const budisTab = await openTab(test, budi);
    await openTab(test, siti);
    const desk = await openTab(test, admin);
    expect(budisTab.all('presence')[0]).toEqual({ admin_online: false });
    expect(desk.all('presence')).toEqual([{ online_user_ids: [budi.id, siti.id] }]);
    const late = await openTab(test, budi);
    expect(late.all('presence')).toEqual([{ admin_online: true }]);
  });

  it('tells of a resident’s first tab and last tab, and only the office', async () => {
    const test = await buildTestApp();
    const [admin, budi, siti] = [buildAdmin(test), buildPerson(test), buildPerson(test)];
    const desk = await openTab(test, admin);
    const sitisTab = await openTab(test, siti);
    await settle(test, desk, sitisTab);
    desk.forget();
    sitisTab.forget();
    const phone = await openTab(test, budi);
    const laptop = await openTab(test, { token: buildSession(test, budi.id).token });
    phone.close();
    await settle(test, laptop, desk);
    expect(desk.all('presence')).toEqual([{ user_id: budi.id, online: true }]);
    laptop.close();
    await desk.next('presence');
    expect(await desk.next('presence')).toEqual({ user_id: budi.id, online: false });
    expect(test.context.presence.isOnline(budi.id)).toBe(false);
    await settle(test, sitisTab);
    expect(sitisTab.heard()).toEqual([]);
  });

  it('tells every resident when the first administrator comes and the last one goes, and no more', async () => {
    const test = await buildTestApp();
    const [ratna, dewi, budi] = [buildAdmin(test), buildAdmin(test), buildPerson(test)];
    const tab = await openTab(test, budi);
    tab.forget();
    const desks = [await openTab(test, ratna), await openTab(test, ratna), await openTab(test, dewi)];
    await settle(test, tab);
    expect(tab.all('presence')).toEqual([{ admin_online: true }]);
    tab.forget();
    for (const desk of desks) {
      expect(tab.heard()).toEqual([]);
      desk.close();
      await settle(test, ...desks, tab);
    }
    expect(await tab.next('presence')).toEqual({ admin_online: false });
  });

  it('counts an administrator who was a resident a moment ago once, in the new role', async () => {
    const test = await buildTestApp();
    const admin = buildAdmin(test);
    const budi = buildPerson(test, { name: 'Budi' });
    const desk = await openTab(test, admin);
    await openTab(test, budi);
    expect(await desk.next('presence')).toEqual({ user_id: budi.id, online: true });
    test.database.sqlite.prepare('update users set is_admin = 1 where id = ?').run(budi.id);
    test.context.publish.endUser(budi.id);
    expect(await desk.next('presence')).toEqual({ user_id: budi.id, online: false });
    const newDesk = await openTab(test, budi);
    expect(newDesk.all('presence')).toEqual([{ online_user_ids: [] }]);
  });
});
