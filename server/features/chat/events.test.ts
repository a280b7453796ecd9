import { describe, expect, it } from 'vitest';
import type { Message } from '#shared/api/chat.ts';
import { buildAdmin, buildPerson, type Person } from '#server/testing/factories.ts';
import { openTab, settle } from '#server/testing/sockets.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';

/** Two administrators, the first with two tabs; Budi with two tabs; Siti. */
async function openOffice() {
  const test = await buildTestApp();
  const [ratna, dewi] = [buildAdmin(test), buildAdmin(test, { name: 'Dewi' })];
  const [budi, siti] = [buildPerson(test, { name: 'Budi' }), buildPerson(test, { name: 'Siti' })];
  const tabs = {
    ratna: await openTab(test, ratna),
    ratna2: await openTab(test, ratna),
    dewi: await openTab(test, dewi),
    budi: await openTab(test, budi),
    budi2: await openTab(test, budi),
    siti: await openTab(test, siti),
  };
  const quiet = async () => settle(test, ...Object.values(tabs));
  await quiet();
  for (const tab of Object.values(tabs)) tab.forget();
  /** How often each tab heard an event. */
  const counts = (event: Parameters<(typeof tabs)['budi']['all']>[0]) =>
    Object.fromEntries(Object.entries(tabs).map(([name, tab]) => [name, tab.all(event).length]));
  return { test, ratna, dewi, budi, siti, tabs, quiet, counts };
}

async function send(test: TestApp, from: Person, to: Person, content = 'Halo'): Promise<Message> {
  const answer = await test.call('POST', '/api/messages/send', {
    token: from.token,
    body: { to_user_id: to.id, content },
  });
  expect(answer.status).toBe(201);
  return answer.body.data;
}

const everyoneButSiti = { ratna: 1, ratna2: 1, dewi: 1, budi: 1, budi2: 1, siti: 0 };
const office = { ratna: 1, ratna2: 1, dewi: 1, budi: 0, budi2: 0, siti: 0 };
const budisTabs = { ratna: 0, ratna2: 0, dewi: 0, budi: 1, budi2: 1, siti: 0 };
const nobody = { ratna: 0, ratna2: 0, dewi: 0, budi: 0, budi2: 0, siti: 0 };

describe('message:new and unread', () => {
  it('tells both sides of a resident’s message, and only the office that it is unread', async () => {
    const { test, budi, ratna, tabs, quiet, counts } = await openOffice();
    const message = await send(test, budi, ratna);
    await quiet();
    expect(counts('message:new')).toEqual(everyoneButSiti);
    expect(tabs.budi2.all('message:new')).toEqual([message]);
    expect(tabs.dewi.all('message:new')).toEqual([message]);
    expect(counts('unread')).toEqual(office);
    expect(tabs.dewi.all('unread')).toEqual([{ user_id: budi.id, unread_count: 1, total_unread: 1 }]);
    expect(tabs.siti.heard()).toEqual([]);
  });

  it('tells both sides of an answer, and only its resident that it is unread', async () => {
    const { test, budi, ratna, dewi, tabs, quiet, counts } = await openOffice();
    const message = await send(test, dewi, budi, 'Selamat pagi');
    await quiet();
    expect(counts('message:new')).toEqual(everyoneButSiti);
    expect(tabs.ratna.all('message:new')).toEqual([message]);
    expect(message).toMatchObject({ sender_id: dewi.id, sender_name: 'Dewi', from_admin: true, user_id: budi.id });
    expect(counts('unread')).toEqual(budisTabs);
    expect(tabs.budi.all('unread')).toEqual([{ user_id: budi.id, unread_count: 1, total_unread: 1 }]);
    expect(ratna.id).not.toBe(dewi.id);
  });

  it('counts the total of the office over all conversations', async () => {
    const { test, budi, siti, ratna, tabs, quiet } = await openOffice();
    await send(test, budi, ratna);
    await send(test, siti, ratna);
    await send(test, siti, ratna);
    await quiet();
    expect(tabs.dewi.all('unread').at(-1)).toEqual({ user_id: siti.id, unread_count: 2, total_unread: 3 });
  });

  it('tells nothing of a message that was not stored, or was stored before', async () => {
    const { test, budi, siti, ratna, tabs, quiet, counts } = await openOffice();
    const body = { to_user_id: ratna.id, content: 'Halo', client_id: 'satu' };
    await test.call('POST', '/api/messages/send', { token: budi.token, body });
    await quiet();
    for (const tab of Object.values(tabs)) tab.forget();
    const again = await test.call('POST', '/api/messages/send', { token: budi.token, body });
    const toResident = { to_user_id: siti.id, content: 'Halo' };
    const refused = await test.call('POST', '/api/messages/send', { token: budi.token, body: toResident });
    expect([again.status, refused.status]).toEqual([200, 403]);
    await quiet();
    expect(counts('message:new')).toEqual(nobody);
    expect(counts('unread')).toEqual(nobody);
  });

  it('tells nothing when the commit fails', async () => {
    const { test, budi, ratna, quiet, counts } = await openOffice();
    test.expectErrorLog(/request failed/);
    test.database.sqlite.exec(
      `create trigger broken after insert on messages begin select raise(abort, 'no room'); end`,
    );
    const answer = await test.call('POST', '/api/messages/send', {
      token: budi.token,
      body: { to_user_id: ratna.id, content: 'Halo' },
    });
    expect([answer.status, answer.body.message]).toEqual([500, 'Terjadi kesalahan pada server']);
    await quiet();
    expect([counts('message:new'), counts('unread')]).toEqual([nobody, nobody]);
  });

  it('can be read by whoever hears of it: the push comes after the commit', async () => {
    const { test, budi, ratna, tabs } = await openOffice();
    const stored: unknown[] = [];
    const other = test.database.sqlite.prepare('select count(*) from messages').pluck();
    tabs.dewi.socket.on('message:new', () => stored.push([test.database.sqlite.inTransaction, other.get()]));
    await send(test, budi, ratna);
    await tabs.dewi.next('message:new');
    expect(stored).toEqual([[false, 1]]);
  });
});

describe('seen and delivered', () => {
  it('tells both sides that the office has read, and the office its new count', async () => {
    const { test, budi, ratna, tabs, quiet, counts } = await openOffice();
    const { id } = await send(test, budi, ratna);
    await quiet();
    for (const tab of Object.values(tabs)) tab.forget();
    await test.call('POST', `/api/messages/conversation/${budi.id}/seen`, { token: ratna.token });
    await quiet();
    const cursor = { user_id: budi.id, by: 'admin', up_to: id };
    expect(counts('conversation:seen')).toEqual(everyoneButSiti);
    expect(tabs.budi.all('conversation:seen')).toEqual([cursor]);
    expect(tabs.budi.all('conversation:delivered')).toEqual([cursor]);
    expect(counts('unread')).toEqual(office);
    expect(tabs.ratna2.all('unread')).toEqual([{ user_id: budi.id, unread_count: 0, total_unread: 0 }]);
  });

  it('tells nothing twice, and no count that did not change', async () => {
    const { test, budi, ratna, tabs, quiet, counts } = await openOffice();
    await send(test, budi, ratna);
    const seen = async (who: Person) =>
      test.call('POST', `/api/messages/conversation/${who.isAdmin ? budi.id : ratna.id}/seen`, { token: who.token });
    await seen(ratna);
    await quiet();
    for (const tab of Object.values(tabs)) tab.forget();
    await seen(ratna);
    await quiet();
    expect(Object.values(tabs).flatMap((tab) => tab.heard())).toEqual([]);
    // Budi's cursor moves over his own message, but nothing of his was unread.
    await seen(budi);
    await quiet();
    expect(counts('conversation:seen')).toEqual(everyoneButSiti);
    expect(counts('unread')).toEqual(nobody);
  });

  it('moves the delivered cursor by a hint, forwards only and not past the newest', async () => {
    const { test, budi, ratna, tabs, quiet } = await openOffice();
    const first = await send(test, budi, ratna);
    const second = await send(test, budi, ratna);
    tabs.ratna.socket.emit('delivered', { user_id: budi.id, up_to: first.id });
    await quiet();
    tabs.dewi.socket.emit('delivered', { user_id: budi.id, up_to: '999999999999999' });
    await quiet();
    tabs.ratna.socket.emit('delivered', { user_id: budi.id, up_to: first.id });
    await quiet();
    const by = { user_id: budi.id, by: 'admin' };
    const expected = [
      { ...by, up_to: first.id },
      { ...by, up_to: second.id },
    ];
    expect(tabs.budi.all('conversation:delivered')).toEqual(expected);
    expect(tabs.ratna2.all('conversation:delivered')).toEqual(expected);
    expect(tabs.siti.heard()).toEqual([]);
  });

  it('takes a resident’s hint for their own conversation, whoever they name', async () => {
    const { test, budi, siti, ratna, tabs, quiet } = await openOffice();
    const toBudi = await send(test, ratna, budi);
    await send(test, ratna, siti);
    tabs.siti.forget();
    tabs.siti.socket.emit('delivered', { user_id: budi.id, up_to: toBudi.id });
    await quiet();
    // Siti's only message is newer than Budi's: her cursor cannot be past what she named.
    expect(tabs.dewi.all('conversation:delivered')).toEqual([{ user_id: siti.id, by: 'user', up_to: toBudi.id }]);
    expect(tabs.budi.all('conversation:delivered')).toEqual([]);
  });
});

describe('conversation:deleted', () => {
  it('tells both sides and resets the counts that were not zero', async () => {
    const { test, budi, ratna, dewi, tabs, quiet, counts } = await openOffice();
    await send(test, budi, ratna);
    await quiet();
    for (const tab of Object.values(tabs)) tab.forget();
    await test.call('DELETE', `/api/messages/conversation/${budi.id}`, { token: dewi.token });
    await quiet();
    expect(counts('conversation:deleted')).toEqual(everyoneButSiti);
    expect(tabs.budi.all('conversation:deleted')).toEqual([{ user_id: budi.id }]);
    expect(counts('unread')).toEqual(office);
    expect(tabs.ratna.all('unread')).toEqual([{ user_id: budi.id, unread_count: 0, total_unread: 0 }]);
  });
});
