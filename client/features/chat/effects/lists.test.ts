import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConversationSummary } from '#shared/api/chat/chat.ts';
import type { ConversationStateUpdate } from '#shared/api/chat/inbox.ts';
import { type ChatState, emptyChatState } from '../state/chat-state.ts';
import { applyRowsToList, visibleSummaries } from '../state/model/conversation-list.ts';
import { emptyConversationList } from '../state/model/list-state.ts';
import { buildMessage, buildSummary } from '../testing/build-chat-data.ts';
import { type RunningChat, runChat } from '../testing/run-chat.ts';
import type { ChatApi, ConversationsParams } from './api.ts';
import { counts, listPages, summaries } from './lists.ts';

let chat: RunningChat;
function startList(fetchConversations: ChatApi['fetchConversations'], initial: Partial<ChatState> = {}) {
  chat = runChat({
    initial: { currentUser: { side: 'admin', id: 'a1', name: 'Ratna' }, ...initial },
    effects: { listPages, counts, summaries },
    api: { fetchConversations },
  });
  return chat;
}
const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const all = { search: '', only: 'all' } as const;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  chat.stop();
  vi.useRealTimers();
});

const filter = { search: '', only: 'unread' as const };

it('misses no row of a filtered list whose rows leave the filter while it is loaded', async () => {
  const rows: ConversationSummary[] = Array.from({ length: 350 }, (_, index) =>
    buildSummary(`u${index}`, buildMessage({ number: 1000 - index, from_admin: false }), { unread_count: 1 }),
  );
  const { dispatch, state } = startList(({ limit, page }) => {
    const unread = rows.filter(({ unread_count }) => unread_count > 0);
    return Promise.resolve({ data: structuredClone(unread.slice((page - 1) * limit, page * limit)) });
  });
  const readMore = async (): Promise<void> => {
    dispatch({ type: 'user.readsMoreRows', filter });
    await advance(0);
  };
  dispatch({ type: 'user.reloadsList', filter });
  await advance(0);
  await readMore();
  for (const row of rows.slice(0, 40)) {
    row.unread_count = 0;
    const payload = { user_id: row.other_user._id, unread_count: 0, total_unread: 0 };
    dispatch({ type: 'socket.unread', payload });
  }
  for (let page = 0; page < 6; page += 1) await readMore();
  const shown = visibleSummaries(state().list, filter, null).map(({ other_user }) => other_user._id);
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
  function openList(rows: readonly ConversationSummary[], initial: Partial<ChatState> = {}) {
    const calls: ConversationsParams[] = [];
    const server = { isReachable: true, waiting: 0 };
    const { dispatch, state } = startList((query) => {
      calls.push(query);
      if (!server.isReachable) return Promise.reject(new Error('unreachable'));
      const data = query.user_ids ? rows.filter(({ other_user }) => query.user_ids?.includes(other_user._id)) : [];
      return Promise.resolve({ data, counts: { waiting: server.waiting, unread: 0, snoozed: 0, mine: 0 } });
    }, initial);
    return {
      calls,
      server,
      dispatch,
      list: () => state().list,
      /** The conversations that were asked for, or undefined for a page of the list; not the counts. */
      asked: () => calls.filter(({ limit, user_ids }) => user_ids || limit > 1).map(({ user_ids }) => user_ids),
      counted: () => calls.filter(({ limit, user_ids }) => !user_ids && limit === 1).length,
      applyState: (payload: ConversationStateUpdate) => dispatch({ type: 'socket.conversation:state', payload }),
    };
  }
  /** A list that was on the screen before, so that nothing is loaded for it now. */
  const shown = (only: 'all' | 'waiting') => ({
    listSync: { ...emptyChatState.listSync, shown: { [`${only} `]: { search: '', only } } },
  });

  it('asks for a conversation of which an event has told only the state', async () => {
    const row = buildSummary('u9', buildMessage({ number: 9, user_id: 'u9', from_admin: false }), { state: 'waiting' });
    const { list, asked, applyState } = openList([row], shown('all'));
    applyState({
      user_id: 'u9',
      state: 'waiting',
      claimed_by: null,
      snoozed_until: null,
      unanswered_since: row.last_message?.createdAt ?? null,
    });
    await advance(100);
    expect(asked()).toEqual(['u9']);
    expect(list().entries['u9']?.summary.other_user.name).toBe('Warga u9');
  });

  it('asks once for a conversation that it knew before a new connection and that an event names', async () => {
    const row = buildSummary('u9', buildMessage({ number: 9, user_id: 'u9', from_admin: false }), { note_count: 1 });
    const { list, asked, applyState, dispatch } = openList([row], {
      ...shown('waiting'),
      list: applyRowsToList(emptyConversationList, [buildSummary('u9', null)], 0),
    });
    dispatch({ type: 'socket.connected' });
    await advance(0);
    // The event does not carry the message that the page missed meanwhile.
    const state = { user_id: 'u9', state: 'waiting', claimed_by: null, snoozed_until: null } as const;
    applyState({ ...state, unanswered_since: row.last_message?.createdAt ?? null });
    await advance(100);
    expect(list().entries['u9']?.summary).toEqual(row);
    applyState({ ...state, state: 'done', unanswered_since: null });
    await advance(1000);
    expect(asked()).toEqual([undefined, 'u9']);

    // Or that is opened.
    dispatch({ type: 'socket.connected' });
    await advance(0);
    dispatch({ type: 'user.watchesSummary', userId: 'u9' });
    await advance(1000);
    expect(asked()).toEqual([undefined, 'u9', undefined, 'u9']);
  });

  it('asks for a conversation whose notes changed while the page that has it is under way', async () => {
    const row = buildSummary('u9', null, { note_count: 1 });
    const { list, asked, dispatch } = openList([row]);
    dispatch({ type: 'user.reloadsList', filter: all });
    dispatch({ type: 'socket.note:changed', payload: { user_id: 'u9' } });
    await advance(100);
    expect(list().entries['u9']?.summary).toEqual(row);
    dispatch({ type: 'socket.note:changed', payload: { user_id: 'u8' } });
    await advance(1000);
    expect(asked()).toEqual([undefined, 'u9']);
  });

  it('keeps the row of a conversation of which only old messages were deleted, and asks what is left', async () => {
    const row = buildSummary('u9', buildMessage({ number: 9, user_id: 'u9', from_admin: false }), {
      unread_count: 1,
      unanswered_since: '2026-08-03T02:00:00.000Z',
    });
    const initial = { ...shown('waiting'), list: applyRowsToList(emptyConversationList, [row], 0) };
    const { list, asked, dispatch } = openList([{ ...row, unread_count: 0 }], initial);
    dispatch({ type: 'socket.conversation:deleted', payload: { user_id: 'u9' } });
    expect(list().entries['u9']?.summary).toEqual(row);
    await advance(1000);
    expect(asked()).toEqual(['u9']);
    expect(list().entries['u9']?.summary).toEqual({ ...row, unread_count: 0 });
  });

  it('counts again after a count that has failed, until one succeeds', async () => {
    const { list, counted, server, dispatch } = openList([], shown('all'));
    server.isReachable = false;
    dispatch({ type: 'socket.unread', payload: { user_id: 'u9', unread_count: 1, total_unread: 1 } });
    await advance(6000);
    expect(counted()).toBe(2);
    server.isReachable = true;
    server.waiting = 4;
    await advance(60_000);
    expect(counted()).toBe(3);
    expect(list().counts?.waiting).toBe(4);
  });
});
