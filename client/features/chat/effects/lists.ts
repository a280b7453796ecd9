import type { ListFetch, SummaryCall } from '../state/chat-state.ts';
import type { ListFilter } from '../state/model/list-order.ts';
import type { ConversationsParams } from './api.ts';
import type { Effect, JobContext } from './runner.ts';

function paramsOf({ only, search }: ListFilter): Omit<ConversationsParams, 'limit' | 'page'> {
  return {
    ...(search.trim() ? { search: search.trim() } : {}),
    ...(only === 'unread' ? { unread: 1 as const } : {}),
    ...(only === 'waiting' ? { state: only, sort: only } : {}),
    ...(only === 'snoozed' || only === 'mine' ? { state: only } : {}),
    ...(only === 'all' ? { all: 1 as const } : {}),
  };
}

type ListPage = { key: string; fetch: ListFetch };

async function loadRows({ key, fetch }: ListPage, { api, report }: JobContext): Promise<void> {
  const { filter, limit, page } = fetch;
  try {
    const answer = await api.fetchConversations({ ...paramsOf(filter), limit, page });
    report({ type: 'call.listLoaded', key, answer });
  } catch (error) {
    report({ type: 'call.listFailed', key, error });
  }
}

/** Reads the next page of each list that is being loaded. */
export const listPages: Effect<ListPage> = {
  wanted: (state) =>
    Object.entries(state.listSync.fetches).map(([key, fetch]) => [`${fetch.number} ${fetch.page}`, { key, fetch }]),
  run: loadRows,
};

async function count(number: number, { api, report }: JobContext): Promise<void> {
  try {
    const answer = await api.fetchConversations({ all: 1, limit: 1, page: 1 });
    report({ type: 'call.counted', number, answer });
  } catch (error) {
    report({ type: 'call.countFailed', number, error });
  }
}

/** Counts the conversations in each filter. */
export const counts: Effect<number> = {
  wanted: (state) => state.countSync.running.map((number) => [String(number), number]),
  run: count,
};

async function loadSummaries({ number, userIds }: SummaryCall, { api, report }: JobContext): Promise<void> {
  const query = { all: 1, user_ids: userIds.join(','), limit: userIds.length, page: 1 } as const;
  try {
    const { data } = await api.fetchConversations(query);
    report({ type: 'call.summariesLoaded', number, rows: data });
  } catch (error) {
    report({ type: 'call.summariesFailed', number, error });
  }
}

/** Asks for single conversations. */
export const summaries: Effect<SummaryCall> = {
  wanted: (state) => Object.values(state.summaryReload.calls).map((call) => [String(call.number), call]),
  run: loadSummaries,
};
