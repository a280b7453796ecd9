import { ApiError } from '#client/lib/api/api-error.ts';
import type { ChatApi } from '../effects/api.ts';
import type { FakeChatServer } from './fake-chat-server.ts';
import type { FakeSocket } from '#client/realtime/testing/fake-socket.ts';

/** The network conditions of one call: delays in ms, and whether the request or the answer is lost. */
export type NetworkConditions = { requestDelayMs: number; responseDelayMs: number; lost: 'no' | 'request' | 'answer' };

export const idealConditions: NetworkConditions = { requestDelayMs: 0, responseDelayMs: 0, lost: 'no' };

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Connects a socket to a fake server with a delay, in order; events under way at a disconnect are lost. */
export function connectFakeSocket(
  sockets: Set<Pick<FakeSocket, 'push'>>,
  socket: FakeSocket,
  pushDelayMs: () => number,
): () => void {
  let nextPushAtMs = 0;
  const delayedSocket: Pick<FakeSocket, 'push'> = {
    push: (event, payload) => {
      nextPushAtMs = Math.max(nextPushAtMs, Date.now() + pushDelayMs());
      setTimeout(() => sockets.has(delayedSocket) && socket.push(event, payload), nextPushAtMs - Date.now());
    },
  };
  sockets.add(delayedSocket);
  socket.connect();
  return () => {
    sockets.delete(delayedSocket);
    socket.drop();
  };
}

/** Calls over a network that may be slow, lose data or be offline. Needs fake timers. */
export function fakeCalls(nextConditions: () => NetworkConditions) {
  const state = { online: true };
  const counts: Record<string, number> = {};

  async function callServer<T>(callName: string, answer: () => T): Promise<T> {
    counts[callName] = (counts[callName] ?? 0) + 1;
    const { requestDelayMs, responseDelayMs, lost } = nextConditions();
    await wait(requestDelayMs);
    if (!state.online || lost === 'request') throw new ApiError('network');
    const value = structuredClone(answer());
    await wait(responseDelayMs);
    if (!state.online || lost === 'answer') throw new ApiError('network');
    return value;
  }
  return { state, counts, callServer };
}

/** The REST calls of a user over a network that may be slow, lose data or be offline. Needs fake timers. */
export function fakeNetwork(
  chatServer: FakeChatServer,
  nextConditions: () => NetworkConditions = () => idealConditions,
) {
  const { state, counts, callServer } = fakeCalls(nextConditions);

  const api: ChatApi = {
    fetchAdminContact: () => callServer('contact', () => ({ id: 'a1', _id: 'a1', name: 'Ibu Ratna' })),
    fetchHistory: (_peerId, query) => callServer('history', () => chatServer.history(query)),
    sendMessage: (_peerId, content, clientId) => callServer('send', () => chatServer.write('user', content, clientId)),
    removeUpload: () => Promise.reject(new Error('no file is removed here')),
    uploadAttachment: () => Promise.reject(new Error('no file is sent here')),
    markSeen: (_peerId, upTo) =>
      callServer('seen', () => ({ user_id: 'u1', unread_count: chatServer.see('user', upTo) })),
    fetchConversations: () => Promise.reject(new Error('users have no list')),
    fetchUser: () => Promise.reject(new Error('users look up no user')),
    deleteHistory: () => Promise.reject(new Error('users delete no history')),
  };

  const connectSocket = (socket: FakeSocket, pushDelayMs: () => number): (() => void) =>
    connectFakeSocket(chatServer.sockets, socket, pushDelayMs);

  return { state, counts, api, connectSocket };
}
