import fc from 'fast-check';
import { createStore } from 'jotai';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Message } from '#shared/api/chat/chat.ts';
import { fakeNetwork, type NetworkConditions } from '../testing/fake-network.ts';
import { fakeChatServer } from '../testing/fake-chat-server.ts';
import { trackConnection } from '#client/realtime/connection-state.ts';
import { fakeSocket } from '#client/realtime/testing/fake-socket.ts';
import { noopNotifier } from '../testing/noop-notifier.ts';
import { startChatSession } from './chat-session.ts';
import { countUnread } from '../state/model/conversation.ts';
import { jumpsAtom, outboxAtom, readConversation } from '../state/selectors.ts';

type Step = {
  kind:
    | ('admin' | 'user' | 'delete' | 'drop' | 'connect' | 'offline' | 'online' | 'reload' | 'older' | 'again')
    | ('many' | 'jump' | 'jump older' | 'jump newer' | 'end')
    | ('photo' | 'notice' | 'renew');
  waitMs: number;
};

const conditionsArbitrary: fc.Arbitrary<NetworkConditions> = fc.record({
  requestDelayMs: fc.nat(2500),
  responseDelayMs: fc.nat(2500),
  lost: fc.constantFrom('no', 'no', 'no', 'request', 'answer'),
});
const stepArbitrary: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    ...(['admin', 'admin', 'admin', 'user', 'user', 'user'] as const),
    ...(['delete', 'drop', 'connect', 'offline', 'online', 'reload', 'older', 'again'] as const),
    ...(['photo', 'photo', 'notice', 'renew', 'renew'] as const),
    ...(['many', 'many', 'jump', 'jump', 'jump older', 'jump newer', 'jump newer', 'end'] as const),
  ),
  waitMs: fc.nat(3000),
});

/** Checks the invariant: messages in order, none twice, no gap. */
function expectContiguous(messages: readonly Message[]): void {
  messages.forEach((message, index) => {
    const before = messages[index - 1];
    if (before) expect(message.prev_id).toBe(before._id);
  });
}

/** Links differ with each answer. */
const withoutLinks = (message: Message): Message => ({
  ...message,
  attachments: message.attachments.map((file) => ({ ...file, url: '' })),
});

/** One page of one user on one network, until it is closed. */
function openPage(network: ReturnType<typeof fakeNetwork>, pushDelayMs: () => number, tab: number) {
  const store = createStore();
  const socket = fakeSocket();
  const chatSession = startChatSession({
    currentUser: { side: 'user', id: 'u1', name: 'Siti' },
    store,
    api: network.api,
    openConnection: () => trackConnection(socket.connection, store),
    createNotifier: noopNotifier,
    tabId: `tab ${tab}`,
  });
  let disconnectSocket: (() => void) | null = null;
  const disconnect = (): void => {
    disconnectSocket?.();
    disconnectSocket = null;
  };
  return {
    store,
    socket,
    chatSession,
    disconnect,
    connect: (): void => {
      disconnectSocket ??= network.connectSocket(socket, pushDelayMs);
    },
    close: (): void => {
      disconnect();
      chatSession.stop();
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 7, 3) });
});

/** The second jump fails after what the first one had brought became part of the loaded messages. */
const failedJumpAfterJoin: [Step[], NetworkConditions[], number[]] = [
  [
    { kind: 'admin', waitMs: 500 },
    { kind: 'jump', waitMs: 1783 },
    { kind: 'jump', waitMs: 0 },
  ],
  [
    { requestDelayMs: 0, responseDelayMs: 0, lost: 'no' },
    { requestDelayMs: 0, responseDelayMs: 41, lost: 'answer' },
  ],
  [0],
];

/** The message of a jump is deleted while its answer is on its way to a page without a socket, and another one is written. */
const jumpBeforeDeletion: [Step[], NetworkConditions[], number[]] = [
  [
    { kind: 'jump', waitMs: 2755 },
    { kind: 'admin', waitMs: 1 },
    { kind: 'delete', waitMs: 0 },
    { kind: 'admin', waitMs: 0 },
  ],
  [
    { requestDelayMs: 878, responseDelayMs: 0, lost: 'no' },
    { requestDelayMs: 58, responseDelayMs: 1820, lost: 'no' },
  ],
  [0],
];

/** The messages are deleted, and many others are written, before a page without a socket has read its first ones. */
const deletionBeforeFirstPage: [Step[], NetworkConditions[], number[]] = [
  [
    { kind: 'admin', waitMs: 0 },
    { kind: 'jump', waitMs: 1759 },
    { kind: 'delete', waitMs: 0 },
    { kind: 'many', waitMs: 0 },
  ],
  [{ requestDelayMs: 0, responseDelayMs: 880, lost: 'no' }],
  [0],
];

it('ends equal to a fresh load, whatever the network, the admins and the tabs do', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(stepArbitrary, { maxLength: 30 }),
      fc.array(conditionsArbitrary, { minLength: 1, maxLength: 20 }),
      fc.array(fc.nat(2000), { minLength: 1, maxLength: 10 }),
      async (steps, conditions, pushDelaysMs) => {
        window.localStorage.clear();
        let calls = 0;
        let pushes = 0;
        let isStable = false;
        const chatServer = fakeChatServer();
        const network = fakeNetwork(chatServer, () =>
          isStable
            ? { requestDelayMs: 20, responseDelayMs: 20, lost: 'no' }
            : (conditions[(calls += 1) % conditions.length] as NetworkConditions),
        );
        const pushDelayMs = (): number => (isStable ? 10 : (pushDelaysMs[(pushes += 1) % pushDelaysMs.length] ?? 0));
        let tab = 0;
        let page = openPage(network, pushDelayMs, tab);
        let userMessageCount = 0;
        let lastPush: Message | undefined;

        for (const { kind, waitMs } of steps) {
          if (kind === 'admin') lastPush = chatServer.write('admin', `kantor ${chatServer.sentCount}`);
          if (kind === 'user') page.chatSession.send('u1', `warga ${(userMessageCount += 1)}`);
          if (kind === 'delete') chatServer.clear();
          if (kind === 'drop') page.disconnect();
          if (kind === 'connect' && network.state.online) page.connect();
          if (kind === 'offline') {
            network.state.online = false;
            page.disconnect();
          }
          if (kind === 'online') network.state.online = true;
          if (kind === 'older') page.chatSession.readOlder('u1');
          if (kind === 'photo') chatServer.writePhoto();
          if (kind === 'notice') chatServer.writeNotice();
          if (kind === 'renew')
            void page.chatSession.renewMessage('u1', String((waitMs * 5) % (chatServer.sentCount + 2)));
          if (kind === 'many') chatServer.writeMany('admin', 70);
          // A different message each time, also deleted ones and ones that never were.
          if (kind === 'jump') page.chatSession.jumpToMessage('u1', String((waitMs * 7) % (chatServer.sentCount + 2)));
          if (kind === 'jump older') page.chatSession.readBeside('u1', 'older');
          if (kind === 'jump newer') page.chatSession.readBeside('u1', 'newer');
          if (kind === 'end') page.chatSession.endJump('u1');
          if (kind === 'again' && lastPush && chatServer.messages.includes(lastPush))
            page.socket.push('message:new', lastPush);
          if (kind === 'reload') {
            page.close();
            page = openPage(network, pushDelayMs, (tab += 1));
          }
          await vi.advanceTimersByTimeAsync(waitMs);
          expectContiguous(readConversation(page.store, 'u1').messages);
          expectContiguous(page.store.get(jumpsAtom)['u1']?.segment?.messages ?? []);
        }

        isStable = true;
        network.state.online = true;
        page.disconnect();
        page.connect();
        await vi.advanceTimersByTimeAsync(60_000);

        const readSegment = () => page.store.get(jumpsAtom)['u1']?.segment ?? null;
        const ids = new Set(chatServer.messages.map(({ _id }) => _id));
        // A user who reads on from an old message reaches the newest ones, without one missing.
        for (let left = chatServer.sentCount; readSegment(); left -= 1) {
          expect(left).toBeGreaterThan(0);
          expect(readSegment()?.messages.every(({ _id }) => ids.has(_id))).toBe(true);
          page.chatSession.readBeside('u1', 'newer');
          await vi.advanceTimersByTimeAsync(100);
        }

        const shown = readConversation(page.store, 'u1');
        expect(page.store.get(outboxAtom)).toEqual([]);
        const from = chatServer.messages.length - shown.messages.length;
        expect(shown.messages.map(withoutLinks)).toEqual(chatServer.messages.slice(from).map(withoutLinks));
        expect(shown.hasOlder).toBe(from > 0);
        // Messages that are not loaded cannot be counted.
        if (!shown.hasOlder) expect(countUnread(shown, 'user')).toBe(chatServer.unreadOf('user'));
        // Once each, and in the order in which they were written.
        expect(chatServer.storedBy('user')).toEqual(
          Array.from({ length: userMessageCount }, (_, index) => `warga ${index + 1}`),
        );
        page.close();
        expect(page.socket.listenerCount()).toBe(0);
      },
    ),
    { numRuns: 300, examples: [failedJumpAfterJoin, jumpBeforeDeletion, deletionBeforeFirstPage] },
  );
});
