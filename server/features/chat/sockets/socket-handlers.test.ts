import { describe, expect, it } from 'vitest';
import { CLIENT_EVENTS_MAX, CLIENT_EVENTS_WINDOW_MS } from '#shared/limits.ts';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';

async function buildAppWithTabs() {
  const test = await buildTestApp();
  const users = {
    ratna: buildAdmin(test, { name: 'Ratna' }),
    dewi: buildAdmin(test, { name: 'Dewi' }),
    budi: buildTestUser(test, { name: 'Budi' }),
    siti: buildTestUser(test, { name: 'Siti' }),
  };
  const tabs = {
    ratna: await openTab(test, users.ratna),
    ratna2: await openTab(test, users.ratna),
    dewi: await openTab(test, users.dewi),
    budi: await openTab(test, users.budi),
    budi2: await openTab(test, users.budi),
    siti: await openTab(test, users.siti),
  };
  const waitForAllTabs = async () => waitForPendingEvents(test, ...Object.values(tabs));
  const clearAllTabs = async () => {
    await waitForAllTabs();
    for (const tab of Object.values(tabs)) tab.clearReceived();
  };
  await clearAllTabs();
  const receivedByTab = () => Object.fromEntries(Object.entries(tabs).map(([name, tab]) => [name, tab.received()]));
  return { test, ...users, tabs, waitForAllTabs, clearAllTabs, receivedByTab };
}

const nothingReceived = { ratna: [], ratna2: [], dewi: [], budi: [], budi2: [], siti: [] };

describe('typing', () => {
  it('goes from a user to every admin, and not to the user’s other tab', async () => {
    const { budi, tabs, waitForAllTabs, receivedByTab } = await buildAppWithTabs();
    tabs.budi.socket.emit('typing', { typing: true });
    await waitForAllTabs();
    const payload = { user_id: budi.id, sender_id: budi.id, name: 'Budi', typing: true };
    const once = [{ event: 'typing', payload }];
    expect(receivedByTab()).toEqual({ ...nothingReceived, ratna: once, ratna2: once, dewi: once });
  });

  it('goes from an admin to the user and the other admins', async () => {
    const { budi, ratna, tabs, waitForAllTabs, receivedByTab } = await buildAppWithTabs();
    tabs.ratna.socket.emit('typing', { user_id: budi.id, typing: false });
    await waitForAllTabs();
    const payload = { user_id: budi.id, sender_id: ratna.id, name: 'Ratna', typing: false };
    const once = [{ event: 'typing', payload }];
    expect(receivedByTab()).toEqual({ ...nothingReceived, budi: once, budi2: once, dewi: once });
  });

  it('of a user who names another user is about the own conversation', async () => {
    const { siti, budi, tabs, waitForAllTabs, receivedByTab } = await buildAppWithTabs();
    tabs.siti.socket.emit('typing', { user_id: budi.id, typing: true });
    await waitForAllTabs();
    const payload = { user_id: siti.id, sender_id: siti.id, name: 'Siti', typing: true };
    const once = [{ event: 'typing', payload }];
    expect(receivedByTab()).toEqual({ ...nothingReceived, ratna: once, ratna2: once, dewi: once });
  });

  it('of an admin for no account, an unknown account or an admin reaches no tab', async () => {
    const { dewi, tabs, waitForAllTabs, receivedByTab } = await buildAppWithTabs();
    const { socket } = tabs.ratna;
    socket.emit('typing', { typing: true });
    for (const user_id of ['tidak-ada', dewi.id, '__proto__', 'admins', `user:${dewi.id}`]) {
      socket.emit('typing', { user_id, typing: true });
    }
    await waitForAllTabs();
    expect(receivedByTab()).toEqual(nothingReceived);
  });

  itOnSqlite('leaves nothing in the database', async () => {
    const { test, tabs, waitForAllTabs } = await buildAppWithTabs();
    const changes = () => test.database.sqlite.prepare('select total_changes()').pluck().get();
    const before = changes();
    tabs.budi.socket.emit('typing', { typing: true });
    await waitForAllTabs();
    expect(changes()).toBe(before);
  });

  it('carries the current name of the sender', async () => {
    const { test, budi, tabs } = await buildAppWithTabs();
    test.database.sqlite.prepare('update users set name = ? where id = ?').run('Pak Budi', budi.id);
    tabs.budi.socket.emit('typing', { typing: true });
    expect(await tabs.dewi.next('typing')).toMatchObject({ name: 'Pak Budi' });
  });
});

describe('viewing', () => {
  it('shows all admins who views a conversation, each once, until the last view ends', async () => {
    const { budi, siti, ratna, dewi, tabs, waitForAllTabs, clearAllTabs, receivedByTab } = await buildAppWithTabs();
    const viewing = (user_id: string, ...viewers: { id: string; name: string }[]) => ({
      event: 'viewing',
      payload: { user_id, viewers: viewers.map(({ id, name }) => ({ id, name })) },
    });
    const toAdminTabs = (...events: unknown[]) => ({ ...nothingReceived, ratna: events, ratna2: events, dewi: events });

    tabs.ratna.socket.emit('viewing', { user_id: budi.id });
    await waitForAllTabs();
    expect(receivedByTab()).toEqual(toAdminTabs(viewing(budi.id, ratna)));
    await clearAllTabs();
    tabs.ratna2.socket.emit('viewing', { user_id: budi.id });
    await waitForAllTabs();
    expect(receivedByTab()).toEqual(toAdminTabs(viewing(budi.id, ratna)));
    await clearAllTabs();
    tabs.dewi.socket.emit('viewing', { user_id: budi.id });
    await waitForAllTabs();
    expect(receivedByTab()).toEqual(toAdminTabs(viewing(budi.id, ratna, dewi)));
    await clearAllTabs();
    tabs.ratna.socket.emit('viewing', { user_id: siti.id });
    await waitForAllTabs();
    expect(receivedByTab()).toEqual(toAdminTabs(viewing(budi.id, ratna, dewi), viewing(siti.id, ratna)));
    await clearAllTabs();
    tabs.dewi.socket.emit('viewing', { user_id: null });
    await waitForAllTabs();
    expect(receivedByTab()).toEqual(toAdminTabs(viewing(budi.id, ratna)));
    await clearAllTabs();
    tabs.ratna2.close();
    expect(await tabs.dewi.next('viewing')).toEqual({ user_id: budi.id, viewers: [] });
  });

  it('reaches admins only', async () => {
    const { budi, siti, tabs, waitForAllTabs, receivedByTab } = await buildAppWithTabs();
    tabs.siti.socket.emit('viewing', { user_id: budi.id });
    tabs.siti.socket.emit('viewing', { user_id: siti.id });
    await waitForAllTabs();
    expect(receivedByTab()).toEqual(nothingReceived);
  });

  it('may be of up to four conversations side by side', async () => {
    const { budi, siti, ratna, dewi, tabs, waitForAllTabs, clearAllTabs, receivedByTab } = await buildAppWithTabs();
    const viewersOf = () =>
      Object.fromEntries(
        tabs.dewi.payloadsOf('viewing').map(({ user_id, viewers }) => [user_id, viewers.map(({ name }) => name)]),
      );
    tabs.ratna.socket.emit('viewing', { user_id: budi.id, user_ids: [siti.id, budi.id, 'tidak-ada', dewi.id] });
    await waitForAllTabs();
    expect(viewersOf()).toEqual({ [budi.id]: [ratna.name], [siti.id]: [ratna.name] });
    expect(receivedByTab()).toMatchObject({ budi: [], siti: [] });
    await clearAllTabs();
    tabs.ratna.socket.emit('viewing', { user_ids: [siti.id] });
    await waitForAllTabs();
    expect(viewersOf()).toEqual({ [budi.id]: [], [siti.id]: [ratna.name] });
    await clearAllTabs();
    // Five are no valid payload, so they change nothing.
    tabs.ratna.socket.emit('viewing', { user_ids: ['a', 'b', 'c', 'd', budi.id] });
    await waitForAllTabs();
    expect(viewersOf()).toEqual({});
    tabs.ratna.close();
    expect(await tabs.dewi.next('viewing')).toEqual({ user_id: siti.id, viewers: [] });
  });

  it('of an unknown account or an admin counts as viewing nothing', async () => {
    const { budi, dewi, tabs, waitForAllTabs, clearAllTabs, receivedByTab } = await buildAppWithTabs();
    tabs.ratna.socket.emit('viewing', { user_id: 'tidak-ada' });
    tabs.ratna.socket.emit('viewing', { user_id: dewi.id });
    await waitForAllTabs();
    expect(receivedByTab()).toEqual(nothingReceived);
    tabs.ratna.socket.emit('viewing', { user_id: budi.id });
    await clearAllTabs();
    tabs.ratna.socket.emit('viewing', { user_id: 'tidak-ada' });
    await waitForAllTabs();
    expect(tabs.dewi.payloadsOf('viewing')).toEqual([{ user_id: budi.id, viewers: [] }]);
  });
});

describe('too many client events', () => {
  it('get no answer and no effect until the window ends, for this socket only', async () => {
    const { test, tabs, waitForAllTabs, clearAllTabs } = await buildAppWithTabs();
    for (let sent = 0; sent < 900; sent += 1) tabs.budi.socket.emit('typing', { typing: true });
    await waitForAllTabs();
    expect(tabs.dewi.payloadsOf('typing')).toHaveLength(CLIENT_EVENTS_MAX);
    expect(tabs.budi.socket.connected).toBe(true);
    tabs.siti.socket.emit('typing', { typing: true });
    await waitForAllTabs();
    expect(tabs.dewi.payloadsOf('typing')).toHaveLength(CLIENT_EVENTS_MAX + 1);
    await clearAllTabs();
    test.clock.advance(CLIENT_EVENTS_WINDOW_MS);
    tabs.budi.socket.emit('typing', { typing: false });
    await waitForAllTabs();
    expect(tabs.dewi.payloadsOf('typing')).toHaveLength(1);
  });

  it('reach a limit per account, however many tabs it has', async () => {
    const { test, budi, tabs } = await buildAppWithTabs();
    const extraTabs = await Promise.all(Array.from({ length: 8 }, async () => openTab(test, budi)));
    tabs.dewi.clearReceived();
    for (const { socket } of extraTabs) {
      for (let sent = 0; sent < CLIENT_EVENTS_MAX; sent += 1) socket.emit('typing', { typing: true });
    }
    await waitForPendingEvents(test, ...extraTabs, tabs.dewi);
    expect(tabs.dewi.payloadsOf('typing')).toHaveLength(4 * CLIENT_EVENTS_MAX);
  });
});
