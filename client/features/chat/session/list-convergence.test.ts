import fc from 'fast-check';
import { createStore } from 'jotai';
import { beforeEach, expect, it, vi } from 'vitest';
import { trackConnection } from '#client/realtime/connection-state.ts';
import { fakeSocket } from '#client/realtime/testing/fake-socket.ts';
import { buildHistory } from '../testing/build-chat-data.ts';
import { fakeInboxServer } from '../testing/fake-inbox-server.ts';
import { connectFakeSocket, fakeCalls, type NetworkConditions } from '../testing/fake-network.ts';
import { noopNotifier } from '../testing/noop-notifier.ts';
import type { ChatApi, ConversationsParams } from '../effects/api.ts';
import { adminPart } from './admin-part.ts';
import { startChatSession } from './chat-session.ts';
import { visibleSummaries } from '../state/model/conversation-list.ts';
import type { ListFilter } from '../state/model/list-order.ts';
import { filterKey, initialPaging } from '../state/list-sync.ts';
import { listAtom, listPagingAtom } from '../state/selectors.ts';

const me = { id: 'a1', name: 'Ibu Ratna' };
const sari = { id: 'a2', name: 'Sari' };

const serverFilters: Record<ListFilter['only'], Omit<ConversationsParams, 'limit' | 'page'>> = {
  all: { all: 1 },
  waiting: { state: 'waiting', sort: 'waiting' },
  unread: { unread: 1 },
  snoozed: { state: 'snoozed' },
  mine: { state: 'mine' },
};
const filterNames = Object.keys(serverFilters) as ListFilter['only'][];

const actNames = [
  ...(['write', 'write', 'write', 'answer', 'read', 'claim', 'release', 'dismiss', 'undoDismiss', 'snooze'] as const),
  ...(['note', 'notice', 'userNotice', 'clear', 'clearOlder', 'remove', 'register'] as const),
] as const;
type Step = {
  kind: (typeof actNames)[number] | 'drop' | 'connect' | 'offline' | 'online' | 'more' | 'filter' | 'watch';
  index: number;
  admin: typeof me;
  only: ListFilter['only'];
  waitMs: number;
};
const stepArbitrary: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...actNames) },
    { weight: 2, arbitrary: fc.constantFrom('drop', 'connect', 'offline', 'online', 'more', 'filter', 'watch') },
  ),
  index: fc.nat(200),
  admin: fc.constantFrom(me, sari),
  only: fc.constantFrom(...filterNames),
  waitMs: fc.nat(1500),
});
const conditionsArbitrary: fc.Arbitrary<NetworkConditions> = fc.record({
  requestDelayMs: fc.nat(1500),
  responseDelayMs: fc.nat(1500),
  lost: fc.constantFrom('no', 'no', 'no', 'no', 'request', 'answer'),
});

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 7, 3) });
});

/** The inbox of one admin on a page. */
function openInbox(server: ReturnType<typeof fakeInboxServer>, nextConditions: () => NetworkConditions) {
  const store = createStore();
  const socket = fakeSocket();
  const calls = fakeCalls(nextConditions);
  const unused = () => Promise.reject(new Error('not called by the list'));
  const api: ChatApi = {
    fetchConversations: (query) => calls.callServer('list', () => server.answer(query)),
    fetchHistory: () => Promise.resolve(buildHistory([])),
    fetchAdminContact: unused,
    fetchUser: unused,
    sendMessage: unused,
    uploadAttachment: unused,
    removeUpload: unused,
    markSeen: unused,
    deleteHistory: unused,
  };
  const chatSession = startChatSession({
    currentUser: { side: 'admin', ...me },
    store,
    api,
    openConnection: () => trackConnection(socket.connection, store),
    createNotifier: noopNotifier,
    tabId: 'tab',
    admin: adminPart,
  });
  let only: ListFilter['only'] = 'all';
  let hide = chatSession.lists.show({ search: '', only });
  let disconnect: (() => void) | null = null;
  const filter = () => ({ search: '', only });
  const paging = () => store.get(listPagingAtom)[filterKey(filter())] ?? initialPaging;
  return {
    network: calls.state,
    calls: calls.counts,
    chatSession,
    only: () => only,
    counts: () => store.get(listAtom).counts,
    shown: () => visibleSummaries(store.get(listAtom), filter(), paging().hasMore ? paging().lastLoadedKey : null),
    hasMore: () => paging().hasMore,
    summaryOf: (userId: string) => store.get(listAtom).entries[userId]?.summary,
    more: () => chatSession.lists.readMore(filter()),
    setFilter(next: ListFilter['only']): void {
      hide();
      only = next;
      hide = chatSession.lists.show(filter());
    },
    isConnected: () => disconnect !== null,
    connect(pushDelayMs: () => number): void {
      disconnect ??= connectFakeSocket(server.sockets, socket, pushDelayMs);
    },
    drop(): void {
      disconnect?.();
      disconnect = null;
    },
  };
}

const stepOf = (kind: Step['kind'], index = 0, waitMs = 0): Step => ({ kind, index, waitMs, admin: me, only: 'all' });

/** The last conversation but one of the loaded ones is removed while others move to the top: it is beyond the next load's end. */
const removedBetweenPages: [Step[], NetworkConditions[], number[], number] = [
  [
    stepOf('write', 0, 502),
    stepOf('more'),
    stepOf('write', 151),
    stepOf('write', 152),
    stepOf('remove', 52),
    stepOf('drop', 0, 1),
  ],
  [{ requestDelayMs: 0, responseDelayMs: 0, lost: 'no' }],
  [0],
  150,
];

it('ends equal to a fresh load in every filter, whatever happens to conversations, the network and the socket', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(stepArbitrary, { maxLength: 60, size: 'max' }),
      fc.array(conditionsArbitrary, { minLength: 1, maxLength: 20 }),
      fc.array(fc.nat(1500), { minLength: 1, maxLength: 10 }),
      fc.constantFrom(3, 40, 150),
      async (steps, conditions, pushDelaysMs, userCount) => {
        window.localStorage.clear();
        const server = fakeInboxServer(me.id, userCount);
        let calls = 0;
        let pushes = 0;
        let isStable = false;
        const page = openInbox(server, () =>
          isStable
            ? { requestDelayMs: 20, responseDelayMs: 20, lost: 'no' }
            : (conditions[(calls += 1) % conditions.length] as NetworkConditions),
        );
        const pushDelayMs = (): number => (isStable ? 10 : (pushDelaysMs[(pushes += 1) % pushDelaysMs.length] ?? 0));
        const watchedIds = new Set<string>();

        for (const { kind, index, admin, only, waitMs } of steps) {
          const stored = server.at(index);
          if (kind === 'drop') page.drop();
          else if (kind === 'connect') {
            if (page.network.online) page.connect(pushDelayMs);
          } else if (kind === 'offline') {
            page.network.online = false;
            page.drop();
          } else if (kind === 'online') page.network.online = true;
          else if (kind === 'more') page.more();
          else if (kind === 'filter') page.setFilter(only);
          else if (stored && kind === 'watch') {
            watchedIds.add(stored.id);
            page.chatSession.lists.watchSummary(stored.id);
          } else if (stored && kind !== 'watch') server.acts[kind](stored, admin);
          await vi.advanceTimersByTimeAsync(waitMs);
        }

        isStable = true;
        page.network.online = true;
        // A page that stayed connected has to catch up by itself.
        page.connect(pushDelayMs);
        await vi.advanceTimersByTimeAsync(30_000);

        const expectFresh = async (): Promise<void> => {
          const fresh = server.rowsOf(serverFilters[page.only()]);
          expect(page.shown()).toEqual(fresh.slice(0, page.shown().length));
          for (let round = 0; page.hasMore() && round < 10; round += 1) {
            page.more();
            await vi.advanceTimersByTimeAsync(1000);
          }
          expect(page.shown()).toEqual(fresh);
        };
        expect(page.counts()).toEqual(server.counts());
        await expectFresh();
        for (const id of watchedIds) {
          expect(page.summaryOf(id)).toEqual(server.rowsOf({ all: 1, user_ids: id })[0]);
        }
        for (const only of filterNames) {
          page.setFilter(only);
          await vi.advanceTimersByTimeAsync(5000);
          await expectFresh();
        }
        // Nothing is asked for any more, so nothing goes in a circle.
        const before = page.calls['list'];
        await vi.advanceTimersByTimeAsync(60_000);
        expect(page.calls['list']).toBe(before);
        page.chatSession.stop();
      },
    ),
    { numRuns: 100, endOnFailure: true, examples: [removedBetweenPages] },
  );
});
