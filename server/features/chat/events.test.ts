import { describe, expect, it } from 'vitest';
import type { Message } from '#shared/api/chat/chat.ts';
import { buildAdmin, buildTestUser, type SignedInUser } from '#server/testing/factories.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';

/** Two admins, the first with two tabs; Budi with two tabs; Siti with one. */
async function buildAppWithTabs() {
  const test = await buildTestApp();
  const [ratna, dewi] = [buildAdmin(test), buildAdmin(test, { name: 'Dewi' })];
  const [budi, siti] = [buildTestUser(test, { name: 'Budi' }), buildTestUser(test, { name: 'Siti' })];
  const tabs = {
    ratna: await openTab(test, ratna),
    ratna2: await openTab(test, ratna),
    dewi: await openTab(test, dewi),
    budi: await openTab(test, budi),
    budi2: await openTab(test, budi),
    siti: await openTab(test, siti),
  };
  const waitForAllTabs = async () => waitForPendingEvents(test, ...Object.values(tabs));
  await waitForAllTabs();
  for (const tab of Object.values(tabs)) tab.clearReceived();
  /** For each tab, the number of events that it received. */
  const countsByTab = (event: Parameters<(typeof tabs)['budi']['payloadsOf']>[0]) =>
    Object.fromEntries(Object.entries(tabs).map(([name, tab]) => [name, tab.payloadsOf(event).length]));
  return { test, ratna, dewi, budi, siti, tabs, waitForAllTabs, countsByTab };
}

async function send(test: TestApp, from: SignedInUser, to: SignedInUser, content = 'Halo'): Promise<Message> {
  const answer = await test.call('POST', '/api/messages/send', {
    token: from.token,
    body: { to_user_id: to.id, content },
  });
  expect(answer.status).toBe(201);
  return answer.body.data;
}

const allTabsButSiti = { ratna: 1, ratna2: 1, dewi: 1, budi: 1, budi2: 1, siti: 0 };
const adminTabs = { ratna: 1, ratna2: 1, dewi: 1, budi: 0, budi2: 0, siti: 0 };
const budiTabs = { ratna: 0, ratna2: 0, dewi: 0, budi: 1, budi2: 1, siti: 0 };
const noTabs = { ratna: 0, ratna2: 0, dewi: 0, budi: 0, budi2: 0, siti: 0 };

describe('message:new and unread', () => {
  it('sends a user’s message to both sides, and the unread count only to admins', async () => {
    const { test, budi, ratna, tabs, waitForAllTabs, countsByTab } = await buildAppWithTabs();
    const message = await send(test, budi, ratna);
    await waitForAllTabs();
    expect(countsByTab('message:new')).toEqual(allTabsButSiti);
    expect(tabs.budi2.payloadsOf('message:new')).toEqual([message]);
    expect(tabs.dewi.payloadsOf('message:new')).toEqual([message]);
    expect(countsByTab('unread')).toEqual(adminTabs);
    expect(tabs.dewi.payloadsOf('unread')).toEqual([{ user_id: budi.id, unread_count: 1, total_unread: 1 }]);
    expect(tabs.siti.received()).toEqual([]);
  });

  it('sends an answer to both sides, and the unread count only to its user', async () => {
    const { test, budi, ratna, dewi, tabs, waitForAllTabs, countsByTab } = await buildAppWithTabs();
    const message = await send(test, dewi, budi, 'Selamat pagi');
    await waitForAllTabs();
    expect(countsByTab('message:new')).toEqual(allTabsButSiti);
    expect(tabs.ratna.payloadsOf('message:new')).toEqual([message]);
    expect(message).toMatchObject({ sender_id: dewi.id, sender_name: 'Dewi', from_admin: true, user_id: budi.id });
    expect(countsByTab('unread')).toEqual(budiTabs);
    expect(tabs.budi.payloadsOf('unread')).toEqual([{ user_id: budi.id, unread_count: 1, total_unread: 1 }]);
    expect(ratna.id).not.toBe(dewi.id);
  });

  it('counts the total of the admins over all conversations', async () => {
    const { test, budi, siti, ratna, tabs, waitForAllTabs } = await buildAppWithTabs();
    await send(test, budi, ratna);
    await send(test, siti, ratna);
    await send(test, siti, ratna);
    await waitForAllTabs();
    expect(tabs.dewi.payloadsOf('unread').at(-1)).toEqual({ user_id: siti.id, unread_count: 2, total_unread: 3 });
  });

  it('sends nothing for a message that was refused, or stored before', async () => {
    const { test, budi, siti, ratna, tabs, waitForAllTabs, countsByTab } = await buildAppWithTabs();
    const body = { to_user_id: ratna.id, content: 'Halo', client_id: 'satu' };
    await test.call('POST', '/api/messages/send', { token: budi.token, body });
    await waitForAllTabs();
    for (const tab of Object.values(tabs)) tab.clearReceived();
    const again = await test.call('POST', '/api/messages/send', { token: budi.token, body });
    const toUser = { to_user_id: siti.id, content: 'Halo' };
    const refused = await test.call('POST', '/api/messages/send', { token: budi.token, body: toUser });
    expect([again.status, refused.status]).toEqual([200, 403]);
    await waitForAllTabs();
    expect(countsByTab('message:new')).toEqual(noTabs);
    expect(countsByTab('unread')).toEqual(noTabs);
  });

  it('sends nothing when the commit fails', async () => {
    const { test, budi, ratna, waitForAllTabs, countsByTab } = await buildAppWithTabs();
    test.expectErrorLog(/request failed/);
    test.database.sqlite.exec(
      `create trigger broken after insert on messages begin select raise(abort, 'no room'); end`,
    );
    const answer = await test.call('POST', '/api/messages/send', {
      token: budi.token,
      body: { to_user_id: ratna.id, content: 'Halo' },
    });
    expect([answer.status, answer.body.message]).toEqual([500, 'Terjadi kesalahan pada server']);
    await waitForAllTabs();
    expect([countsByTab('message:new'), countsByTab('unread')]).toEqual([noTabs, noTabs]);
  });

  it('sends the event after the commit, so that the message can be read at once', async () => {
    const { test, budi, ratna, tabs } = await buildAppWithTabs();
    const stored: unknown[] = [];
    const countMessages = test.database.sqlite.prepare('select count(*) from messages').pluck();
    tabs.dewi.socket.on('message:new', () => stored.push([test.database.sqlite.inTransaction, countMessages.get()]));
    await send(test, budi, ratna);
    await tabs.dewi.next('message:new');
    expect(stored).toEqual([[false, 1]]);
  });
});

describe('seen and delivered', () => {
  it('sends both sides the admins’ seen position, and the admins their new count', async () => {
    const { test, budi, ratna, tabs, waitForAllTabs, countsByTab } = await buildAppWithTabs();
    const { id } = await send(test, budi, ratna);
    await waitForAllTabs();
    for (const tab of Object.values(tabs)) tab.clearReceived();
    await test.call('POST', `/api/messages/conversation/${budi.id}/seen`, { token: ratna.token });
    await waitForAllTabs();
    const cursor = { user_id: budi.id, by: 'admin', up_to: id };
    expect(countsByTab('conversation:seen')).toEqual(allTabsButSiti);
    expect(tabs.budi.payloadsOf('conversation:seen')).toEqual([cursor]);
    expect(tabs.budi.payloadsOf('conversation:delivered')).toEqual([cursor]);
    expect(countsByTab('unread')).toEqual(adminTabs);
    expect(tabs.ratna2.payloadsOf('unread')).toEqual([{ user_id: budi.id, unread_count: 0, total_unread: 0 }]);
  });

  it('sends nothing twice, and no count that did not change', async () => {
    const { test, budi, ratna, tabs, waitForAllTabs, countsByTab } = await buildAppWithTabs();
    await send(test, budi, ratna);
    const seen = async (currentUser: SignedInUser) =>
      test.call('POST', `/api/messages/conversation/${currentUser.isAdmin ? budi.id : ratna.id}/seen`, {
        token: currentUser.token,
      });
    await seen(ratna);
    await waitForAllTabs();
    for (const tab of Object.values(tabs)) tab.clearReceived();
    await seen(ratna);
    await waitForAllTabs();
    expect(Object.values(tabs).flatMap((tab) => tab.received())).toEqual([]);
    // Budi's position moves over his own message, but he had nothing unread.
    await seen(budi);
    await waitForAllTabs();
    expect(countsByTab('conversation:seen')).toEqual(allTabsButSiti);
    expect(countsByTab('unread')).toEqual(noTabs);
  });

  it('moves the delivered position by a client event, forwards only and not past the newest message', async () => {
    const { test, budi, ratna, tabs, waitForAllTabs } = await buildAppWithTabs();
    const first = await send(test, budi, ratna);
    const second = await send(test, budi, ratna);
    tabs.ratna.socket.emit('delivered', { user_id: budi.id, up_to: first.id });
    await waitForAllTabs();
    tabs.dewi.socket.emit('delivered', { user_id: budi.id, up_to: '999999999999999' });
    await waitForAllTabs();
    tabs.ratna.socket.emit('delivered', { user_id: budi.id, up_to: first.id });
    await waitForAllTabs();
    const by = { user_id: budi.id, by: 'admin' };
    const expected = [
      { ...by, up_to: first.id },
      { ...by, up_to: second.id },
    ];
    expect(tabs.budi.payloadsOf('conversation:delivered')).toEqual(expected);
    expect(tabs.ratna2.payloadsOf('conversation:delivered')).toEqual(expected);
    expect(tabs.siti.received()).toEqual([]);
  });

  it('applies a user’s event to the own conversation, whichever user it names', async () => {
    const { test, budi, siti, ratna, tabs, waitForAllTabs } = await buildAppWithTabs();
    const toBudi = await send(test, ratna, budi);
    await send(test, ratna, siti);
    tabs.siti.clearReceived();
    tabs.siti.socket.emit('delivered', { user_id: budi.id, up_to: toBudi.id });
    await waitForAllTabs();
    // Siti's only message is newer than Budi's: her position cannot be past the id that she named.
    expect(tabs.dewi.payloadsOf('conversation:delivered')).toEqual([
      { user_id: siti.id, by: 'user', up_to: toBudi.id },
    ]);
    expect(tabs.budi.payloadsOf('conversation:delivered')).toEqual([]);
  });
});

describe('conversation:deleted', () => {
  it('reaches both sides and resets the counts that were not zero', async () => {
    const { test, budi, ratna, dewi, tabs, waitForAllTabs, countsByTab } = await buildAppWithTabs();
    await send(test, budi, ratna);
    await waitForAllTabs();
    for (const tab of Object.values(tabs)) tab.clearReceived();
    await test.call('DELETE', `/api/messages/conversation/${budi.id}`, { token: dewi.token });
    await waitForAllTabs();
    expect(countsByTab('conversation:deleted')).toEqual(allTabsButSiti);
    expect(tabs.budi.payloadsOf('conversation:deleted')).toEqual([{ user_id: budi.id }]);
    expect(countsByTab('unread')).toEqual(adminTabs);
    expect(tabs.ratna.payloadsOf('unread')).toEqual([{ user_id: budi.id, unread_count: 0, total_unread: 0 }]);
  });
});
