import { createStore } from 'jotai';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '#client/lib/api-error.ts';
import { outboxAtom } from '../outbox/outbox.ts';
import { NoContact } from '../outbox/send-fate.ts';
import { buildHistory, buildMessage, buildSummary } from '../testing/build.ts';
import { fakeLine } from '../testing/fake-line.ts';
import { fakeOffice } from '../testing/fake-office.ts';
import { fakeSocket } from '../testing/fake-socket.ts';
import { quietNotifier } from '../testing/quiet-notifier.ts';
import type { ChatApi } from './api.ts';
import { type ChatClient, startChat } from './client.ts';
import { contactAtom, isOnlineAtom, liveAtom, readConversation, totalUnreadAtom } from './state.ts';

const clients: ChatClient[] = [];
const all = { search: '', only: 'all' } as const;

function start(side: 'user' | 'admin', calls: ChatApi) {
  const store = createStore();
  const socket = fakeSocket();
  const notifier = { ...quietNotifier(), incoming: vi.fn(), seen: vi.fn() };
  const selfId = side === 'user' ? 'u1' : 'a1';
  const client = startChat({
    identity: { side, selfId, name: 'Siti' },
    store,
    calls,
    openLink: () => socket.link,
    createNotifier: () => notifier,
    tabId: 'a',
  });
  clients.push(client);
  return { store, socket, client, notifier, shown: (userId = 'u1') => readConversation(store, userId).messages };
}

function startResident() {
  const office = fakeOffice();
  const line = fakeLine(office);
  const page = start('user', line.calls);
  return { office, line, ...page, connect: (): (() => void) => line.plug(page.socket, () => 0) };
}

function adminCalls() {
  return {
    contact: vi.fn<ChatApi['contact']>(),
    history: vi.fn<ChatApi['history']>(async () => buildHistory([])),
    conversations: vi.fn<ChatApi['conversations']>(async () => [buildSummary('u1', null), buildSummary('u2', null)]),
    person: vi.fn<ChatApi['person']>(async (id) => ({ id, name: 'Tono', email: 'tono@contoh.id' })),
    send: vi.fn<ChatApi['send']>(),
    seen: vi.fn<ChatApi['seen']>(async (user_id) => ({ user_id, unread_count: 0 })),
    clear: vi.fn<ChatApi['clear']>(async () => ({})),
  };
}

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 7, 3) });
});
afterEach(() => {
  for (const client of clients.splice(0)) client.stop();
});

it('polls a resident’s conversation every 5 s and every 3 s while there is no socket', async () => {
  const { line } = startResident();
  await pass(100);
  expect(line.counts).toEqual({ contact: 1, history: 1 });
  await pass(29_900);
  // 6 at 5 s, 10 at 3 s; where both fall together one call serves both.
  expect(line.counts['history']).toBe(1 + 6 + 10 - 2);
});

it('polls nothing while connected, and nothing twice when switching either way', async () => {
  const { line, connect } = startResident();
  await pass(100);
  const disconnect = connect();
  await pass(60_000);
  expect(line.counts['history']).toBe(2);
  disconnect();
  await pass(5000);
  expect(line.counts['history']).toBe(4);
  const again = connect();
  await pass(60_000);
  expect(line.counts['history']).toBe(5);
  again();
});

it('asks for nothing any more once it is stopped', async () => {
  const { line, client, socket } = startResident();
  await pass(100);
  client.stop();
  const before = { ...line.counts };
  await pass(60_000);
  expect(line.counts).toEqual(before);
  expect(socket.counts.closed).toBe(true);
  expect(socket.listenerCount()).toBe(0);
});

it('shows pushes, fills gaps by itself and counts unread by the server’s positions', async () => {
  const { office, store, shown, connect, socket } = startResident();
  await pass(100);
  const disconnect = connect();
  office.write('admin', 'satu');
  await pass(10);
  const [ear] = office.sockets;
  if (ear) office.sockets.delete(ear);
  office.write('admin', 'dua');
  const third = office.write('admin', 'tiga');
  socket.push('message:new', third);
  await pass(10);
  expect(shown().map(({ content }) => content)).toEqual(['satu', 'dua', 'tiga']);
  expect(store.get(totalUnreadAtom)).toBe(3);
  office.see('user', 2);
  socket.push('conversation:seen', { user_id: 'u1', by: 'user', up_to: '2' });
  expect(store.get(totalUnreadAtom)).toBe(1);
  disconnect();
});

it('is complete within two seconds of being back, even if a call still hangs on the old line', async () => {
  const { office, line, shown, connect } = startResident();
  await pass(100);
  connect()();
  line.state.online = false;
  await pass(3100);
  office.write('admin', 'sementara itu');
  line.state.online = true;
  connect();
  await pass(500);
  expect(shown().map(({ content }) => content)).toEqual(['sementara itu']);
});

it('is online by its socket or its last poll, and offline at once when the network goes', async () => {
  const { line, store, connect } = startResident();
  expect(store.get(isOnlineAtom)).toBe(false);
  await pass(100);
  expect(store.get(isOnlineAtom)).toBe(true);
  const disconnect = connect();
  disconnect();
  expect(store.get(isOnlineAtom)).toBe(false);
  await pass(3100);
  expect(store.get(isOnlineAtom)).toBe(true);
  line.state.online = false;
  window.dispatchEvent(new Event('offline'));
  expect(store.get(isOnlineAtom)).toBe(false);
  await pass(20_000);
  expect(store.get(isOnlineAtom)).toBe(false);
});

it('wakes the socket as soon as a poll finds the server again', async () => {
  const { line, socket } = startResident();
  line.state.online = false;
  await pass(20_000);
  const before = socket.counts.wakes;
  line.state.online = true;
  await pass(3100);
  expect(socket.counts.wakes).toBe(before + 1);
});

it('sends by itself what was written while the line was down', async () => {
  const { office, line, client, store, shown, connect } = startResident();
  await pass(100);
  line.state.online = false;
  client.send('u1', ' Halo ');
  client.send('u1', '   ');
  await pass(4000);
  expect(store.get(outboxAtom)).toMatchObject([{ content: 'Halo', state: 'waiting' }]);
  line.state.online = true;
  connect();
  await pass(100);
  expect(office.storedBy('user')).toEqual(['Halo']);
  expect(store.get(outboxAtom)).toEqual([]);
  expect(shown()).toHaveLength(1);
});

it('waits for an administrator where there is none, and begins as soon as there is one', async () => {
  const office = fakeOffice();
  const { calls } = fakeLine(office);
  let hired = false;
  const contact = (): ReturnType<ChatApi['contact']> =>
    hired ? calls.contact() : Promise.reject(new ApiError('http', { status: 404, message: 'Admin belum tersedia' }));
  const { store, client, socket } = start('user', { ...calls, contact });
  socket.connect();
  client.send('u1', 'Ada orang?');
  await pass(1000);
  expect(store.get(contactAtom)).toBe('none');
  expect(readConversation(store, 'u1').error).toBeInstanceOf(NoContact);
  hired = true;
  await pass(11_000);
  expect(readConversation(store, 'u1').loaded).toBe(true);
  expect(office.storedBy('user')).toEqual(['Ada orang?']);
});

it('writes to another administrator when the one it knew has gone', async () => {
  const office = fakeOffice();
  const { calls } = fakeLine(office);
  const contacts = ['a1', 'a2'];
  const send = vi.fn<ChatApi['send']>((peerId, content, clientId) =>
    peerId === 'a1'
      ? Promise.reject(new ApiError('http', { status: 404, message: 'User tidak ditemukan' }))
      : calls.send(peerId, content, clientId),
  );
  const contact = async () => {
    const id = contacts.shift() ?? 'a2';
    return { id, _id: id, name: 'Admin' };
  };
  const { client, store } = start('user', { ...calls, contact, send });
  await pass(100);
  client.send('u1', 'Halo');
  await pass(100);
  expect(send.mock.calls.map(([peerId]) => peerId)).toEqual(['a1', 'a2']);
  expect(store.get(outboxAtom)).toEqual([]);
});

it('polls the open conversation every 5 s and the list every 10 s for an administrator, and nothing else', async () => {
  const calls = adminCalls();
  const { client } = start('admin', calls);
  client.lists.show(all);
  const close = client.open('u1');
  await pass(100);
  expect(calls.conversations).toHaveBeenLastCalledWith({ all: 1, limit: 20, page: 1 });
  await pass(30_000);
  expect(calls.history).toHaveBeenCalledTimes(1 + 6);
  expect(calls.conversations).toHaveBeenCalledTimes(1 + 3);
  close();
  await pass(10_000);
  expect(calls.history).toHaveBeenCalledTimes(1 + 6);
});

it('moves the list by pushes alone while connected', async () => {
  const calls = adminCalls();
  const { client, socket, store, notifier } = start('admin', calls);
  client.lists.show(all);
  socket.connect();
  await pass(100);
  const asked = calls.conversations.mock.calls.length;
  const message = buildMessage({ number: 7, user_id: 'u2', sender_id: 'u2', from_admin: false });
  socket.push('message:new', message);
  socket.push('unread', { user_id: 'u2', unread_count: 1, total_unread: 1 });
  await pass(30_000);
  expect(calls.conversations).toHaveBeenCalledTimes(asked);
  expect(calls.person).not.toHaveBeenCalled();
  expect(store.get(totalUnreadAtom)).toBe(1);
  expect(notifier.incoming).toHaveBeenCalledWith(message);
  socket.push('message:new', buildMessage({ number: 8, user_id: 'u9', sender_id: 'u9', from_admin: false }));
  await pass(10);
  expect(calls.person).toHaveBeenCalledWith('u9');
});

it('tells the others what it looks at, again after a reconnect, and forgets who was there', async () => {
  const { client, socket, store } = start('admin', adminCalls());
  socket.connect();
  client.view('u1');
  expect(socket.emitted).toContainEqual(['viewing', { user_id: 'u1' }]);
  socket.push('presence', { online_user_ids: ['u1', 'u2'] });
  socket.push('presence', { user_id: 'u2', online: false });
  expect([...store.get(liveAtom).onlineUserIds]).toEqual(['u1']);
  socket.drop();
  expect(store.get(liveAtom).onlineUserIds.size).toBe(0);
  socket.emitted.length = 0;
  socket.connect();
  expect(socket.emitted).toContainEqual(['viewing', { user_id: 'u1' }]);
});

it('shows who types for six seconds or until their message comes', async () => {
  const { socket, store } = startResident();
  socket.connect();
  const typing = { user_id: 'u1', sender_id: 'a1', name: 'Ibu Ratna', typing: true };
  socket.push('typing', typing);
  expect(store.get(liveAtom).typing['u1']).toMatchObject([{ name: 'Ibu Ratna' }]);
  await pass(5500);
  expect(store.get(liveAtom).typing['u1']).toHaveLength(1);
  await pass(1600);
  expect(store.get(liveAtom).typing['u1']).toBeUndefined();
  socket.push('typing', typing);
  socket.push('message:new', buildMessage({ number: 1, prev_id: null }));
  expect(store.get(liveAtom).typing['u1']).toEqual([]);
});

it('says that it types seldom enough, and when it stops', async () => {
  const { client, socket } = startResident();
  socket.connect();
  for (let stroke = 0; stroke < 40; stroke += 1) {
    client.typed('u1', true);
    await pass(100);
  }
  expect(socket.emitted.filter(([event]) => event === 'typing')).toHaveLength(2);
  client.send('u1', 'Halo');
  expect(socket.emitted.findLast(([event]) => event === 'typing')).toEqual(['typing', { typing: false }]);
});
