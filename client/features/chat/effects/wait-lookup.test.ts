import { createStore } from 'jotai';
import { expect, it, vi } from 'vitest';
import { ApiError } from '#client/lib/api/api-error.ts';
import { buildMessage, buildSummary } from '../testing/build-chat-data.ts';
import type { ChatApi } from './api.ts';
import { applyRowsToList } from '../state/model/conversation-list.ts';
import { type ChatStore, chatStateAtom, emptyChatState } from '../state/chat-state.ts';
import { createWaitLookup } from './wait-lookup.ts';

const row = (userId: string, fields: Parameters<typeof buildSummary>[2]) =>
  buildSummary(userId, buildMessage({ number: 1, user_id: userId, from_admin: false }), {
    unanswered_since: '2026-01-05T01:00:00.000Z',
    ...fields,
  });
const sari = { id: 'a2', name: 'Sari' };
const rows = [
  row('waits', { state: 'waiting', claimed_by: null }),
  row('mine', { state: 'waiting', claimed_by: { id: 'a1', name: 'Ratna' } }),
  row('taken', { state: 'waiting', claimed_by: sari }),
  row('snoozed', { state: 'snoozed', claimed_by: null }),
  row('answered', { state: 'done', claimed_by: null, unanswered_since: null }),
];
const alerts = [
  { userId: 'waits', claimantId: null },
  { userId: 'mine', claimantId: 'a1' },
  { userId: 'taken', claimantId: null },
  { userId: 'snoozed', claimantId: null },
  { userId: 'answered', claimantId: null },
  { userId: 'unknown', claimantId: null },
];

function showRows(store: ChatStore): void {
  const state = store.get(chatStateAtom);
  store.set(chatStateAtom, { ...state, list: applyRowsToList(state.list, rows, 0) });
}

function start({ connected = true } = {}) {
  const store = createStore();
  store.set(chatStateAtom, { ...emptyChatState, isConnected: connected });
  const fetchConversations = vi.fn<ChatApi['fetchConversations']>(async ({ user_ids }) => ({
    data: [...rows, row('unknown', { state: 'waiting', claimed_by: null })].filter(({ other_user }) =>
      user_ids?.split(',').includes(other_user._id),
    ),
  }));
  const lookup = createWaitLookup(store, { fetchConversations });
  const ids = async () => (await lookup.findUnhandled(alerts)).map(({ userId }) => userId);
  return { store, lookup, fetchConversations, ids };
}

it('knows from the list who still waits, and asks only about the others', async () => {
  const { store, lookup, fetchConversations, ids } = start();
  showRows(store);
  expect(await ids()).toEqual(['waits', 'mine', 'unknown']);
  expect(fetchConversations.mock.calls).toEqual([[{ all: 1, user_ids: 'unknown', limit: 100, page: 1 }]]);
  expect([lookup.claimantOf('taken'), lookup.claimantOf('waits'), lookup.claimantOf('unknown')]).toEqual([
    'a2',
    null,
    null,
  ]);
});

it('asks about all of them without a socket, because no event would tell', async () => {
  const { store, fetchConversations, ids } = start({ connected: false });
  showRows(store);
  expect(await ids()).toEqual(['waits', 'mine', 'unknown']);
  expect(fetchConversations).toHaveBeenCalledTimes(1);
});

it('takes all for waiting that it cannot ask about', async () => {
  const { fetchConversations, ids } = start({ connected: false });
  fetchConversations.mockRejectedValueOnce(new ApiError('network'));
  expect(await ids()).toHaveLength(alerts.length);
});
