import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { openTab, type Tab, waitForPendingEvents } from '#server/testing/sockets.ts';
import { buildChatApp } from '#server/testing/chat/chat-app.ts';

/** Timers of Node may fire a millisecond before their time. */
const INTERVAL_MS = 249;
const USERS = ['Budi', 'Siti', 'Wati'];

/** The counts on a page after all its events: the unread messages of each conversation, and of all. */
function readCounts(tab: Tab): { total: number; byUser: Record<string, number> } {
  const shown = { total: 0, byUser: {} as Record<string, number> };
  for (const { event, payload } of tab.received()) {
    const changes = event === 'unread' ? [payload] : event === 'unread:changes' ? payload.changes : [];
    for (const { user_id, unread_count } of changes) shown.byUser[user_id] = unread_count;
    if (event === 'unread' || event === 'unread:changes') shown.total = payload.total_unread;
  }
  return shown;
}

async function buildAppWithAdmins() {
  const chat = await buildChatApp();
  const { test } = chat;
  const [ratna, dewi] = [buildAdmin(test), buildAdmin(test, { name: 'Dewi' })];
  const users = USERS.map((name) => buildTestUser(test, { name }));
  const tabs = {
    batches: await openTab(test, ratna, { readsUnreadChanges: true }),
    pollsBatches: await openTab(test, dewi, { readsUnreadChanges: true, transports: ['polling'] }),
    old: await openTab(test, ratna),
    oldPolls: await openTab(test, dewi, { transports: ['polling'] }),
  };
  return { chat, test, ratna, users, tabs };
}

describe('unread counts of admins', () => {
  it('come four times a second at most in a burst, and the last ones are right', async () => {
    const { chat, ratna, users, tabs } = await buildAppWithAdmins();
    const startedAt = performance.now();
    for (let round = 0; round < 12; round += 1) {
      await Promise.all(users.map((user) => chat.send(user, ratna, `Pesan ${round}`)));
      if (round === 6) await chat.see(ratna, users[0]?.id ?? '');
    }
    for (const tab of [tabs.batches, tabs.pollsBatches]) {
      await expect.poll(() => readCounts(tab).total).toBe(29);
      expect(readCounts(tab).byUser).toEqual({
        [users[0]?.id ?? '']: 5,
        [users[1]?.id ?? '']: 12,
        [users[2]?.id ?? '']: 12,
      });
      const elapsedMs = performance.now() - startedAt;
      const batches = tab.payloadsOf('unread:changes').length;
      expect(batches).toBeGreaterThan(1);
      expect((batches - 1) * INTERVAL_MS).toBeLessThanOrEqual(elapsedMs);
      expect(tab.payloadsOf('unread')).toEqual([]);
    }
  });

  it('come with every commit to pages that do not ask for batches', async () => {
    const { chat, test, ratna, users, tabs } = await buildAppWithAdmins();
    for (const user of users) for (let count = 0; count < 4; count += 1) await chat.send(user, ratna);
    await waitForPendingEvents(test, tabs.old, tabs.oldPolls);
    for (const tab of [tabs.old, tabs.oldPolls]) {
      expect(tab.payloadsOf('unread').map(({ total_unread }) => total_unread)).toEqual(
        Array.from({ length: 12 }, (_, index) => index + 1),
      );
      expect(tab.payloadsOf('unread:changes')).toEqual([]);
    }
  });

  it('never come to a user who asks for batches', async () => {
    const { chat, test, ratna, users, tabs } = await buildAppWithAdmins();
    const [budi = ratna, siti = ratna] = users;
    const tab = await openTab(test, budi, { readsUnreadChanges: true });
    tab.clearReceived();
    await chat.send(siti, ratna);
    await chat.send(ratna, budi);
    await expect.poll(() => readCounts(tabs.batches).total).toBe(1);
    await waitForPendingEvents(test, tab);
    expect(tab.payloadsOf('unread:changes')).toEqual([]);
    expect(tab.payloadsOf('unread')).toEqual([{ user_id: budi.id, unread_count: 1, total_unread: 1 }]);
  });

  it('equal a recount on every page after any actions, and every message comes once and in order', async () => {
    const { chat, test, ratna, users, tabs } = await buildAppWithAdmins();
    const pages = Object.values(tabs);
    const sentIds: string[] = [];
    const action = fc.record({
      user: fc.nat(USERS.length - 1),
      kind: fc.constantFrom('writes', 'is answered', 'is seen'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 20 }), async (actions) => {
        await Promise.all(
          actions.map(async ({ user: index, kind }) => {
            const user = users[index] ?? ratna;
            if (kind === 'is seen') return void (await chat.see(ratna, user.id));
            const message = await (kind === 'writes' ? chat.send(user, ratna) : chat.send(ratna, user));
            sentIds.push(message._id);
          }),
        );
        // One more conversation that changes for certain.
        sentIds.push((await chat.send(users[0] ?? ratna, ratna))._id);
        await waitForPendingEvents(test, ...pages);
        const { data, total_unread } = await chat.list(ratna);
        const unread = data.filter(({ unread_count }) => unread_count > 0);
        const expected = Object.fromEntries(
          unread.map(({ other_user, unread_count }) => [other_user._id, unread_count]),
        );
        for (const tab of pages) {
          await expect
            .poll(() => {
              const { total, byUser } = readCounts(tab);
              return { total, unread: Object.fromEntries(Object.entries(byUser).filter(([, count]) => count > 0)) };
            })
            .toEqual({ total: total_unread, unread: expected });
          const ids = tab.payloadsOf('message:new').map(({ _id }) => _id);
          expect(ids).toEqual(sentIds.toSorted((a, b) => Number(a) - Number(b)));
        }
      }),
      { numRuns: 12 },
    );
  });
});
