import { createStore } from 'jotai';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '#client/lib/api/api-error.ts';
import { NoAdminContactError } from '../state/model/retry-policy.ts';
import { buildAttachment, buildHistory, buildMessage, buildSummary } from '../testing/build-chat-data.ts';
import { fakeNetwork, idealConditions } from '../testing/fake-network.ts';
import { fakeChatServer } from '../testing/fake-chat-server.ts';
import { presenceAtom, trackConnection } from '#client/realtime/connection-state.ts';
import { fakeSocket } from '#client/realtime/testing/fake-socket.ts';
import { noopNotifier } from '../testing/noop-notifier.ts';
import type { ChatApi } from '../effects/api.ts';
import { adminPart } from './admin-part.ts';
import { type ChatSession, startChatSession } from './chat-session.ts';
import {
  adminContactAtom,
  ephemeralStateAtom,
  isOnlineAtom,
  listAtom,
  outboxAtom,
  readConversation,
  totalUnreadAtom,
} from '../state/selectors.ts';

const chatSessions: ChatSession[] = [];
const allFilter = { search: '', only: 'all' } as const;

function startTestSession(side: 'user' | 'admin', api: ChatApi) {
  const store = createStore();
  const socket = fakeSocket();
  const notifier = { ...noopNotifier(), incoming: vi.fn(), seen: vi.fn() };
  const currentUserId = side === 'user' ? 'u1' : 'a1';
  const chatSession = startChatSession({
    currentUser: { side, id: currentUserId, name: 'Siti' },
    store,
    api,
    openConnection: () => trackConnection(socket.connection, store),
    createNotifier: () => notifier,
    tabId: 'a',
    admin: side === 'admin' ? adminPart : null,
  });
  chatSessions.push(chatSession);
  return {
    store,
    socket,
    chatSession,
    notifier,
    shownMessages: (userId = 'u1') => readConversation(store, userId).messages,
  };
}

function startUserSession(conditions = idealConditions) {
  const chatServer = fakeChatServer();
  const network = fakeNetwork(chatServer, () => conditions);
  const page = startTestSession('user', network.api);
  return {
    chatServer,
    network,
    ...page,
    connect: (): (() => void) => network.connectSocket(page.socket, () => 0),
  };
}

function fakeAdminApi() {
  return {
    fetchAdminContact: vi.fn<ChatApi['fetchAdminContact']>(),
    fetchHistory: vi.fn<ChatApi['fetchHistory']>(async () => buildHistory([])),
    fetchConversations: vi.fn<ChatApi['fetchConversations']>(async ({ user_ids }) => ({
      data: (user_ids?.split(',') ?? ['u1', 'u2']).map((userId) => buildSummary(userId, null)),
    })),
    fetchUser: vi.fn<ChatApi['fetchUser']>(async (id) => ({
      id,
      name: 'Tono',
      email: 'tono@contoh.id',
      is_active: true,
    })),
    sendMessage: vi.fn<ChatApi['sendMessage']>(),
    uploadAttachment: vi.fn<ChatApi['uploadAttachment']>(),
    removeUpload: vi.fn<ChatApi['removeUpload']>(),
    markSeen: vi.fn<ChatApi['markSeen']>(async (user_id) => ({ user_id, unread_count: 0 })),
    deleteHistory: vi.fn<ChatApi['deleteHistory']>(async () => ({})),
  };
}

const advanceTimers = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 7, 3) });
});
afterEach(() => {
  for (const chatSession of chatSessions.splice(0)) chatSession.stop();
});

it('polls a user’s conversation every 5 s and every 3 s while there is no socket', async () => {
  const { network } = startUserSession();
  await advanceTimers(600);
  expect(network.counts).toEqual({ contact: 1, history: 1 });
  await advanceTimers(29_400);
  // 6 at 5 s, 10 at 3 s; where both coincide one call serves both.
  expect(network.counts['history']).toBe(1 + 6 + 10 - 2);
});

it('polls nothing while connected, and nothing twice when switching either way', async () => {
  const { network, connect } = startUserSession();
  await advanceTimers(100);
  const disconnect = connect();
  await advanceTimers(60_000);
  expect(network.counts['history']).toBe(1);
  disconnect();
  await advanceTimers(5000);
  expect(network.counts['history']).toBe(3);
  const again = connect();
  await advanceTimers(60_000);
  expect(network.counts['history']).toBe(4);
  again();
});

it('loads once at start, after the socket is connected, and misses no message around that moment', async () => {
  const { chatServer, network, shownMessages, connect } = startUserSession();
  await advanceTimers(200);
  expect(network.counts).toEqual({ contact: 1 });
  chatServer.write('admin', 'sebelumnya');
  const disconnect = connect();
  chatServer.write('admin', 'saat memuat');
  await advanceTimers(1000);
  chatServer.write('admin', 'sesudahnya');
  await advanceTimers(10_000);
  expect(shownMessages().map(({ content }) => content)).toEqual(['sebelumnya', 'saat memuat', 'sesudahnya']);
  expect(network.counts).toEqual({ contact: 1, history: 1 });
  disconnect();
});

it('waits half a second for the socket at most, and loads again when that connects later', async () => {
  const { chatServer, network, shownMessages, connect } = startUserSession();
  chatServer.write('admin', 'satu');
  await advanceTimers(510);
  expect(shownMessages()).toHaveLength(1);
  // No event tells of this one: the socket is not connected yet.
  chatServer.write('admin', 'dua');
  await advanceTimers(200);
  const disconnect = connect();
  await advanceTimers(100);
  expect(shownMessages()).toHaveLength(2);
  expect(network.counts['history']).toBe(2);
  disconnect();
});

it('makes no call any more once it is stopped', async () => {
  const { network, chatSession, socket } = startUserSession();
  await advanceTimers(100);
  chatSession.stop();
  const before = { ...network.counts };
  await advanceTimers(60_000);
  expect(network.counts).toEqual(before);
  expect(socket.counts.closed).toBe(true);
  expect(socket.listenerCount()).toBe(0);
});

it('shows messages from events, fills gaps by itself and counts unread by the server’s positions', async () => {
  const { chatServer, store, shownMessages, connect, socket } = startUserSession();
  await advanceTimers(100);
  const disconnect = connect();
  chatServer.write('admin', 'satu');
  await advanceTimers(10);
  const [connectedSocket] = chatServer.sockets;
  if (connectedSocket) chatServer.sockets.delete(connectedSocket);
  chatServer.write('admin', 'dua');
  const third = chatServer.write('admin', 'tiga');
  socket.push('message:new', third);
  await advanceTimers(10);
  expect(shownMessages().map(({ content }) => content)).toEqual(['satu', 'dua', 'tiga']);
  expect(store.get(totalUnreadAtom)).toBe(3);
  chatServer.see('user', 2);
  socket.push('conversation:seen', { user_id: 'u1', by: 'user', up_to: '2' });
  expect(store.get(totalUnreadAtom)).toBe(1);
  disconnect();
});

it('shows what became of a photo when a notice names its message or the record changes, also while it is being read', async () => {
  const { chatServer, shownMessages, connect, socket } = startUserSession({ ...idealConditions, responseDelayMs: 200 });
  await advanceTimers(1000);
  const disconnect = connect();
  chatServer.write('user', 'foto', null, {
    attachments: [buildAttachment({ id: 'f1' }), buildAttachment({ id: 'f2' })],
  });
  await advanceTimers(1000);
  const marks = () => shownMessages()[0]?.attachments.map(({ proof_of }) => proof_of?.year ?? null);
  const fileAs = (year: number): void => {
    chatServer.fileAsProof('f2', { record_id: 'r1', year });
    chatServer.write('admin', 'Foto disimpan sebagai bukti', null, { kind: 'notice', reply_to: '1' });
  };
  fileAs(2025);
  await advanceTimers(100);
  fileAs(2026);
  await advanceTimers(1000);
  expect(marks()).toEqual([null, 2026]);

  chatServer.fileAsProof('f2', null);
  socket.push('tax-record:changed', { id: 'r2', user_id: 'u1', change: 'updated' });
  await advanceTimers(1000);
  expect(marks()).toEqual([null, 2026]);
  socket.push('tax-record:changed', { id: 'r1', user_id: 'u1', change: 'deleted' });
  await advanceTimers(1000);
  expect(marks()).toEqual([null, null]);
  disconnect();
});

it('announces none of the messages that are left when old ones were deleted, and loads only the newest page', async () => {
  const { chatServer, network, notifier, shownMessages, connect } = startUserSession();
  await advanceTimers(100);
  chatServer.writeMany('admin', 120);
  chatServer.see('user', 120);
  const disconnect = connect();
  await advanceTimers(100);
  const before = network.counts['history'] ?? 0;
  chatServer.clearUpTo(30);
  chatServer.write('admin', 'baru');
  await advanceTimers(1000);
  expect(shownMessages().map(({ _id }) => Number(_id))).toEqual(Array.from({ length: 50 }, (_, index) => index + 72));
  expect(notifier.incoming.mock.calls.map(([{ content }]) => content)).toEqual(['baru']);
  expect(network.counts['history']).toBe(before + 1);
  disconnect();
});

it('completes the conversation within two seconds of a reconnect, even if a call of the old connection still hangs', async () => {
  const { chatServer, network, shownMessages, connect } = startUserSession();
  await advanceTimers(100);
  connect()();
  network.state.online = false;
  await advanceTimers(3100);
  chatServer.write('admin', 'sementara itu');
  network.state.online = true;
  connect();
  await advanceTimers(500);
  expect(shownMessages().map(({ content }) => content)).toEqual(['sementara itu']);
});

it('counts as online by its socket or its last poll, and as offline at once when the network is lost', async () => {
  const { network, store, connect } = startUserSession();
  expect(store.get(isOnlineAtom)).toBe(false);
  await advanceTimers(600);
  expect(store.get(isOnlineAtom)).toBe(true);
  const disconnect = connect();
  disconnect();
  expect(store.get(isOnlineAtom)).toBe(false);
  await advanceTimers(3100);
  expect(store.get(isOnlineAtom)).toBe(true);
  network.state.online = false;
  window.dispatchEvent(new Event('offline'));
  expect(store.get(isOnlineAtom)).toBe(false);
  await advanceTimers(20_000);
  expect(store.get(isOnlineAtom)).toBe(false);
});

it('reconnects the socket as soon as a poll reaches the server again', async () => {
  const { network, socket } = startUserSession();
  network.state.online = false;
  await advanceTimers(20_000);
  const before = socket.counts.wakes;
  network.state.online = true;
  await advanceTimers(3100);
  expect(socket.counts.wakes).toBe(before + 1);
});

it('sends by itself the messages that were written while offline', async () => {
  const { chatServer, network, chatSession, store, shownMessages, connect } = startUserSession();
  await advanceTimers(100);
  network.state.online = false;
  chatSession.send('u1', ' Halo ');
  chatSession.send('u1', '   ');
  await advanceTimers(4000);
  expect(store.get(outboxAtom)).toMatchObject([{ content: 'Halo', state: 'waiting' }]);
  network.state.online = true;
  connect();
  await advanceTimers(100);
  expect(chatServer.storedBy('user')).toEqual(['Halo']);
  expect(store.get(outboxAtom)).toEqual([]);
  expect(shownMessages()).toHaveLength(1);
});

it('creates a client_id on plain http, where crypto.randomUUID does not exist', () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const { chatSession, store } = startUserSession();
  chatSession.send('u1', 'Halo');
  expect(store.get(outboxAtom)[0]?.client_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]{21}$/);
});

it('sends after a reload what was waiting, where no socket ever connects', async () => {
  const { chatServer, network, chatSession } = startUserSession();
  await advanceTimers(600);
  network.state.online = false;
  chatSession.send('u1', 'Halo');
  await advanceTimers(100);
  chatSession.stop();
  network.state.online = true;

  const { store } = startTestSession('user', network.api);
  await advanceTimers(2000);
  expect(chatServer.storedBy('user')).toEqual(['Halo']);
  expect(store.get(outboxAtom)).toEqual([]);
});

it('sends with the next successful poll a message that nothing else would send', async () => {
  const { chatServer, network, chatSession } = startUserSession();
  await advanceTimers(600);
  chatSession.stop();
  const ended = new ApiError('http', { status: 401, message: 'Sesi Anda telah berakhir. Silakan login kembali.' });
  const sendMessage = vi.fn<ChatApi['sendMessage']>(network.api.sendMessage).mockRejectedValueOnce(ended);
  const next = startTestSession('user', { ...network.api, sendMessage });
  await advanceTimers(600);
  next.chatSession.send('u1', 'Halo');
  await advanceTimers(100);
  expect(chatServer.storedBy('user')).toEqual([]);
  await advanceTimers(3000);
  expect(chatServer.storedBy('user')).toEqual(['Halo']);
});

it('waits for an admin while there is none, and starts as soon as there is one', async () => {
  const chatServer = fakeChatServer();
  const { api } = fakeNetwork(chatServer);
  let adminExists = false;
  const fetchAdminContact = (): ReturnType<ChatApi['fetchAdminContact']> =>
    adminExists
      ? api.fetchAdminContact()
      : Promise.reject(new ApiError('http', { status: 404, message: 'Admin belum tersedia' }));
  const { store, chatSession, socket } = startTestSession('user', { ...api, fetchAdminContact });
  socket.connect();
  chatSession.send('u1', 'Ada orang?');
  await advanceTimers(1000);
  expect(store.get(adminContactAtom)).toBe('none');
  expect(readConversation(store, 'u1').error).toBeInstanceOf(NoAdminContactError);
  adminExists = true;
  await advanceTimers(11_000);
  expect(readConversation(store, 'u1').loaded).toBe(true);
  expect(chatServer.storedBy('user')).toEqual(['Ada orang?']);
});

it('writes to another admin when the known one is gone', async () => {
  const chatServer = fakeChatServer();
  const { api } = fakeNetwork(chatServer);
  const contacts = ['a1', 'a2'];
  const sendMessage = vi.fn<ChatApi['sendMessage']>((peerId, content, clientId) =>
    peerId === 'a1'
      ? Promise.reject(new ApiError('http', { status: 404, message: 'User tidak ditemukan' }))
      : api.sendMessage(peerId, content, clientId),
  );
  const fetchAdminContact = async () => {
    const id = contacts.shift() ?? 'a2';
    return { id, _id: id, name: 'Admin' };
  };
  const { chatSession, store } = startTestSession('user', { ...api, fetchAdminContact, sendMessage });
  await advanceTimers(100);
  chatSession.send('u1', 'Halo');
  await advanceTimers(100);
  expect(sendMessage.mock.calls.map(([peerId]) => peerId)).toEqual(['a1', 'a2']);
  expect(store.get(outboxAtom)).toEqual([]);
});

it('polls an admin’s open conversation every 5 s and the list every 10 s, and nothing else', async () => {
  const api = fakeAdminApi();
  const { chatSession } = startTestSession('admin', api);
  chatSession.lists.show(allFilter);
  const close = chatSession.open('u1');
  await advanceTimers(600);
  expect(api.fetchConversations).toHaveBeenLastCalledWith({ all: 1, limit: 20, page: 1 });
  await advanceTimers(29_900);
  expect(api.fetchHistory).toHaveBeenCalledTimes(1 + 6);
  expect(api.fetchConversations).toHaveBeenCalledTimes(1 + 3);
  close();
  await advanceTimers(10_000);
  expect(api.fetchHistory).toHaveBeenCalledTimes(1 + 6);
});

it('updates the list by events alone while connected, and counts again once a second at most', async () => {
  const api = fakeAdminApi();
  const { chatSession, socket, store, notifier } = startTestSession('admin', api);
  chatSession.lists.show(allFilter);
  socket.connect();
  await advanceTimers(100);
  const asked = api.fetchConversations.mock.calls.length;
  const message = buildMessage({ number: 7, user_id: 'u2', sender_id: 'u2', from_admin: false });
  socket.push('message:new', message);
  socket.push('unread:changes', { changes: [{ user_id: 'u2', unread_count: 1 }], total_unread: 1 });
  await advanceTimers(30_000);
  expect(api.fetchConversations.mock.calls.slice(asked)).toEqual([[{ all: 1, limit: 1, page: 1 }]]);
  expect(store.get(totalUnreadAtom)).toBe(1);
  expect(notifier.incoming).toHaveBeenCalledWith(message);
  socket.push('message:new', buildMessage({ number: 8, user_id: 'u9', sender_id: 'u9', from_admin: false }));
  await advanceTimers(60);
  expect(api.fetchConversations).toHaveBeenLastCalledWith({ all: 1, user_ids: 'u9', limit: 1, page: 1 });
});

it('reports what it views, again after a reconnect, and clears presence at a disconnect', async () => {
  const { chatSession, socket, store } = startTestSession('admin', fakeAdminApi());
  socket.connect();
  chatSession.view('u1');
  await advanceTimers(0);
  expect(socket.emitted).toContainEqual(['viewing', { user_id: 'u1' }]);
  socket.push('presence', { online_user_ids: ['u1', 'u2'] });
  socket.push('presence', { user_id: 'u2', online: false });
  expect([...store.get(presenceAtom).onlineUserIds]).toEqual(['u1']);
  socket.drop();
  expect(store.get(presenceAtom).onlineUserIds.size).toBe(0);
  socket.emitted.length = 0;
  socket.connect();
  await advanceTimers(0);
  expect(socket.emitted).toContainEqual(['viewing', { user_id: 'u1' }]);
});

it('shows a typing notice for six seconds or until the message arrives', async () => {
  const { socket, store } = startUserSession();
  socket.connect();
  const typing = { user_id: 'u1', sender_id: 'a1', name: 'Ibu Ratna', typing: true };
  socket.push('typing', typing);
  expect(store.get(ephemeralStateAtom).typing['u1']).toMatchObject([{ name: 'Ibu Ratna' }]);
  await advanceTimers(5500);
  expect(store.get(ephemeralStateAtom).typing['u1']).toHaveLength(1);
  await advanceTimers(1600);
  expect(store.get(ephemeralStateAtom).typing['u1']).toBeUndefined();
  socket.push('typing', typing);
  socket.push('message:new', buildMessage({ number: 1, prev_id: null }));
  expect(store.get(ephemeralStateAtom).typing['u1']).toEqual([]);
});

it.each([
  ['three seconds', 3000, 9100],
  ['an hour', 3_600_000, 6100],
])('ends a typing notice although the clock was set back by %s', async (_text, backMs, afterMs) => {
  const { socket, store } = startUserSession();
  socket.connect();
  socket.push('typing', { user_id: 'u1', sender_id: 'a1', name: 'Ibu Ratna', typing: true });
  vi.setSystemTime(Date.now() - backMs);
  await advanceTimers(afterMs);
  expect(store.get(ephemeralStateAtom).typing['u1']).toBeUndefined();
});

it('limits how often it reports typing, and reports the end', async () => {
  const { chatSession, socket } = startUserSession();
  socket.connect();
  for (let stroke = 0; stroke < 40; stroke += 1) {
    chatSession.typed('u1', true);
    await advanceTimers(100);
  }
  expect(socket.emitted.filter(([event]) => event === 'typing')).toHaveLength(2);
  chatSession.send('u1', 'Halo');
  expect(socket.emitted.findLast(([event]) => event === 'typing')).toEqual(['typing', { typing: false }]);
});

it('counts a history as deleted when the call ran out of time but the event has come', async () => {
  const api = fakeAdminApi();
  const { chatSession, socket } = startTestSession('admin', api);
  socket.connect();
  chatSession.open('u1');
  await advanceTimers(100);
  api.deleteHistory.mockRejectedValue(new ApiError('timeout'));
  await expect(chatSession.clear('u1')).rejects.toThrow('terlalu lama');
  api.deleteHistory.mockImplementation(async () => {
    socket.push('conversation:deleted', { user_id: 'u1' });
    throw new ApiError('timeout');
  });
  await expect(chatSession.clear('u1')).resolves.toBeUndefined();
});

it('keeps a message that was written between the event of a deletion and the answer to its call', async () => {
  const api = fakeAdminApi();
  const { chatSession, socket, store, shownMessages } = startTestSession('admin', api);
  socket.connect();
  chatSession.lists.show(allFilter);
  chatSession.open('u1');
  await advanceTimers(100);
  const message = buildMessage({ number: 9, from_admin: false, prev_id: null });
  api.deleteHistory.mockImplementation(async () => {
    socket.push('conversation:deleted', { user_id: 'u1' });
    api.fetchHistory.mockResolvedValue(buildHistory([message]));
    await advanceTimers(1000);
    socket.push('message:new', message);
    return {};
  });
  await chatSession.clear('u1');
  expect(shownMessages()).toEqual([message]);
  expect(store.get(listAtom).entries['u1']?.summary.last_message?._id).toBe('9');
  const asked = api.fetchHistory.mock.calls.length;
  await advanceTimers(1000);
  expect(api.fetchHistory).toHaveBeenCalledTimes(asked);
});
