import { createStore } from 'jotai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConversationSummary } from '#shared/api/chat.ts';
import type { ConversationsParams } from '../api.ts';
import {
  applyRowsToList,
  applyUnreadToList,
  emptyConversationList,
  visibleSummaries,
} from '../list/conversation-list-state.ts';
import { createListSync } from './list-sync.ts';
import { listAtom } from '../state.ts';
import { buildMessage, buildSummary } from '../../testing/build-chat-data.ts';

const filter = { search: '', only: 'unread' as const };

it('misses no row of a filtered list whose rows leave the filter while it is loaded', async () => {
  const rows: ConversationSummary[] = Array.from({ length: 350 }, (_, index) =>
    buildSummary(`u${index}`, buildMessage({ number: 1000 - index, from_admin: false }), { unread_count: 1 }),
  );
  const store = createStore();
  const sync = createListSync({
    store,
    api: {
      fetchConversations: ({ limit, page }) => {
        const unread = rows.filter(({ unread_count }) => unread_count > 0);
        return Promise.resolve({ data: structuredClone(unread.slice((page - 1) * limit, page * limit)) });
      },
    },
    onCallSettled: () => {},
    onNewerRows: () => {},
  });
  await sync.refresh(filter);
  await sync.readMore(filter);
  for (const row of rows.slice(0, 40)) {
    row.unread_count = 0;
    const unread = { user_id: row.other_user._id, unread_count: 0, total_unread: 0 };
    store.set(listAtom, applyUnreadToList(store.get(listAtom), unread));
  }
  for (let page = 0; page < 6; page += 1) await sync.readMore(filter);
  const shown = visibleSummaries(store.get(listAtom), filter, null).map(({ other_user }) => other_user._id);
  expect(shown).toEqual(rows.slice(40).map(({ other_user }) => other_user._id));
});

it('inserts many rows at the same places as one by one', () => {
  const build = (number: number) => buildSummary(`u${number % 97}`, buildMessage({ number, from_admin: false }));
  const pages = [build(300), build(20), build(150), build(117), build(400), build(209)];
  const together = applyRowsToList(applyRowsToList(emptyConversationList, pages.slice(0, 3), 0), pages.slice(3), 0);
  const single = pages.reduce((list, row) => applyRowsToList(list, [row], 0), emptyConversationList);
  expect(together).toEqual(single);
  expect(together.order).toEqual(['u12', 'u9', 'u15', 'u53', 'u20']);
});

describe('with a list on the screen', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function openList(rows: readonly ConversationSummary[]) {
    const store = createStore();
    const calls: ConversationsParams[] = [];
    const server = { isReachable: true, waiting: 0 };
    const sync = createListSync({
      store,
      api: {
        fetchConversations(query) {
          calls.push(query);
          if (!server.isReachable) return Promise.reject(new Error('unreachable'));
          const data = query.user_ids ? rows.filter(({ other_user }) => query.user_ids?.includes(other_user._id)) : [];
          return Promise.resolve({ data, counts: { waiting: server.waiting, unread: 0, snoozed: 0, mine: 0 } });
        },
      },
      onCallSettled: () => {},
      onNewerRows: () => {},
    });
    return { store, sync, calls, server };
  }

  it('asks for a conversation of which an event has told only the state', async () => {
    const row = buildSummary('u9', buildMessage({ number: 9, user_id: 'u9', from_admin: false }), { state: 'waiting' });
    const { store, sync, calls } = openList([row]);
    sync.show({ search: '', only: 'all' }, false);
    sync.applyState({
      user_id: 'u9',
      state: 'waiting',
      claimed_by: null,
      snoozed_until: null,
      unanswered_since: row.last_message?.createdAt ?? null,
    });
    await vi.advanceTimersByTimeAsync(100);
    expect(calls.map(({ user_ids }) => user_ids)).toEqual(['u9']);
    expect(store.get(listAtom).entries['u9']?.summary.other_user.name).toBe('Warga u9');
    sync.stop();
  });

  it('asks once for a conversation that it knew before a new connection and that an event names', async () => {
    const row = buildSummary('u9', buildMessage({ number: 9, user_id: 'u9', from_admin: false }), { note_count: 1 });
    const { store, sync, calls } = openList([row]);
    store.set(listAtom, applyRowsToList(emptyConversationList, [buildSummary('u9', null)], 0));
    sync.show({ search: '', only: 'waiting' }, false);
    await sync.refreshShown();
    // What it missed meanwhile, the event does not say.
    const state = { user_id: 'u9', state: 'waiting', claimed_by: null, snoozed_until: null } as const;
    sync.applyState({ ...state, unanswered_since: row.last_message?.createdAt ?? null });
    await vi.advanceTimersByTimeAsync(100);
    expect(store.get(listAtom).entries['u9']?.summary).toEqual(row);
    sync.applyState({ ...state, state: 'done', unanswered_since: null });
    await vi.advanceTimersByTimeAsync(1000);
    expect(calls.map(({ user_ids }) => user_ids)).toEqual([undefined, 'u9']);

    // Or that is opened.
    await sync.refreshShown();
    sync.watchSummary('u9');
    await vi.advanceTimersByTimeAsync(1000);
    expect(calls.map(({ user_ids }) => user_ids)).toEqual([undefined, 'u9', undefined, 'u9']);
    sync.stop();
  });

  it('asks for a conversation whose notes changed while the page that has it is under way', async () => {
    const row = buildSummary('u9', null, { note_count: 1 });
    const { store, sync, calls } = openList([row]);
    const loading = sync.refresh({ search: '', only: 'all' });
    sync.reloadKnown('u9');
    await loading;
    await vi.advanceTimersByTimeAsync(100);
    expect(store.get(listAtom).entries['u9']?.summary).toEqual(row);
    sync.reloadKnown('u8');
    await vi.advanceTimersByTimeAsync(1000);
    expect(calls.map(({ user_ids }) => user_ids)).toEqual([undefined, 'u9']);
    sync.stop();
  });

  it('counts again after a count that has failed, until one succeeds', async () => {
    const { store, sync, calls, server } = openList([]);
    sync.show({ search: '', only: 'all' }, false);
    server.isReachable = false;
    sync.changed();
    await vi.advanceTimersByTimeAsync(6000);
    expect(calls).toHaveLength(2);
    server.isReachable = true;
    server.waiting = 4;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toHaveLength(3);
    expect(store.get(listAtom).counts?.waiting).toBe(4);
    sync.stop();
  });
});
