import { describe, expect, it } from 'vitest';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { openTab, type Tab, waitForPendingEvents } from '#server/testing/sockets.ts';
import { buildTestApp } from '#server/testing/test-app.ts';

const namesOf = (tab: Tab): string[] => tab.payloadsOf('note:changed').map(({ user_id }) => user_id);

describe('events to all admins', () => {
  it('come once and in order to many sockets, beside events to one of them', async () => {
    const test = await buildTestApp();
    const { publish } = test.context;
    const [ratna, dewi] = [buildAdmin(test), buildAdmin(test, { name: 'Dewi' })];
    const user = buildTestUser(test);
    const userTab = await openTab(test, user);
    // With that many sockets the feed rests between two writes.
    const open = (count: number) => Promise.all(Array.from({ length: count }, () => openTab(test, ratna)));
    const ofRatna = [...(await open(19)), await openTab(test, ratna, { transports: ['polling'] })];
    const ofDewi = await Promise.all(Array.from({ length: 20 }, () => openTab(test, dewi)));
    const expected: { ratna: string[]; dewi: string[] } = { ratna: [], dewi: [] };
    for (let index = 0; index < 60; index += 1) {
      const name = `${index}`;
      if (index % 7 === 3) {
        publish.toUser(ratna.id, 'note:changed', { user_id: name });
      } else if (index % 11 === 5) {
        publish.toUserAndAdmins(ratna.id, 'note:changed', { user_id: name }, dewi.id);
      } else {
        publish.toAdmins('note:changed', { user_id: name });
        expected.dewi.push(name);
      }
      expected.ratna.push(name);
      if (index % 4 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    for (const tab of ofRatna) await expect.poll(() => namesOf(tab)).toEqual(expected.ratna);
    for (const tab of ofDewi) await expect.poll(() => namesOf(tab)).toEqual(expected.dewi);
    await waitForPendingEvents(test, userTab);
    expect(namesOf(userTab)).toEqual([]);
  });

  it('come once to an admin who is the user that they are about', async () => {
    const test = await buildTestApp();
    const ratna = buildAdmin(test);
    const tab = await openTab(test, ratna);
    test.context.publish.toUserAndAdmins(ratna.id, 'note:changed', { user_id: 'sendiri' });
    await waitForPendingEvents(test, tab);
    expect(namesOf(tab)).toEqual(['sendiri']);
  });

  it.each(['websocket', 'polling'] as const)('arrive whole whatever their length is, by %s', async (transport) => {
    const test = await buildTestApp();
    const tab = await openTab(test, buildAdmin(test), { transports: [transport] });
    const names = [1, 40, 125, 126, 300, 65_500, 65_535, 70_000].map((length) => 'é'.repeat(length));
    for (const name of names) test.context.publish.toAdmins('note:changed', { user_id: name });
    await expect.poll(() => namesOf(tab)).toEqual(names);
  });

  it('come before the end of the session that follows them', async () => {
    const test = await buildTestApp();
    const ratna = buildAdmin(test);
    const tab = await openTab(test, ratna);
    tab.clearReceived();
    test.context.publish.toAdmins('note:changed', { user_id: 'catatan' });
    test.context.publish.endUser(ratna.id);
    test.context.publish.toAdmins('note:changed', { user_id: 'sesudahnya' });
    await tab.ended();
    expect(tab.received().map(({ event }) => event)).toEqual(['note:changed', 'session:ended']);
  });
});
