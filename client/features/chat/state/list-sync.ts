import type { ConversationSummary } from '#shared/api/chat/chat.ts';
import type { ConversationStateUpdate } from '#shared/api/chat/inbox.ts';
import { CONVERSATIONS_DEFAULT, CONVERSATIONS_MAX } from '#shared/limits.ts';
import {
  type ChatState,
  isAdmin,
  type ListFetch,
  type ListPaging,
  type ListSync,
  type Now,
  withoutKey,
} from './chat-state.ts';
import { addArrival } from './conversation-sync.ts';
import type { EventOf } from './events.ts';
import { applyCounts, beginCount, recountSoon } from './list-counts.ts';
import { toIdNumber } from './model/conversation.ts';
import {
  applyMessageToList,
  applyRowsToList,
  applyStateToList,
  applyUnreadToList,
  applyUserDetails,
  beginListRequest,
  changedSince,
  findMissing,
  isStubSummary,
  removeUserFromList,
  visibleSummaries,
} from './model/conversation-list.ts';
import { compareSortKeys, type ListFilter, orderOf, type SortKey, sortKeyOf } from './model/list-order.ts';
import { isReloading, isWatched, reloadSummaries, reloadWatched, repeatReload, settleRows } from './summary-reload.ts';

/** Loads the inbox list: the first page small and often, further pages large, while the admin scrolls. */

export const initialPaging: ListPaging = {
  pagesRead: 0,
  hasMore: true,
  lastLoadedKey: null,
  loadState: 'none',
  error: null,
};

/** The key under which the pages of a filter are kept. */
export function filterKey({ only, search }: ListFilter): string {
  return `${only} ${search.trim().toLowerCase()}`;
}

const pagingOf = ({ listPaging }: ChatState, key: string): ListPaging => listPaging[key] ?? initialPaging;

const setPaging = (state: ChatState, key: string, change: Partial<ListPaging>): ChatState => ({
  ...state,
  listPaging: { ...state.listPaging, [key]: { ...pagingOf(state, key), ...change } },
});

const changeSync = (state: ChatState, change: Partial<ListSync>): ChatState => ({
  ...state,
  listSync: { ...state.listSync, ...change },
});

const isListShown = ({ listSync }: ChatState): boolean => Object.keys(listSync.shown).length > 0;

const shownRows = (state: ChatState, filter: ListFilter): ConversationSummary[] =>
  visibleSummaries(state.list, filter, pagingOf(state, filterKey(filter)).lastLoadedKey);

function newestMessageId({ list }: ChatState): number {
  return toIdNumber(list.entries[list.order[0] ?? '']?.summary.last_message?._id);
}

function keyOfLast({ only }: ListFilter, rows: readonly ConversationSummary[]): SortKey | null {
  const last = rows.at(-1);
  return last ? sortKeyOf(last, orderOf(only)) : null;
}

type FetchStart = Pick<ListFetch, 'kind' | 'filter' | 'page' | 'limit' | 'lastPage'>;

/** Starts a new load even if one is under way; see `startRefresh` in conversation-sync.ts. */
function startFetch(state: ChatState, start: FetchStart): ChatState {
  const key = filterKey(start.filter);
  const number = state.listSync.fetchCount + 1;
  const fetch: ListFetch = {
    ...start,
    number,
    startedAtVersion: state.list.version,
    shownAtStart: shownRows(state, start.filter),
    rows: [],
    thenMore: false,
    requestedAtVersion: 0,
    countNumber: 0,
    newestKnownId: 0,
    hadRows: false,
  };
  const busy = setPaging(changeSync(state, { fetchCount: number }), key, { loadState: 'busy' });
  return requestRows(busy, key, fetch);
}

function requestRows(state: ChatState, key: string, fetch: ListFetch): ChatState {
  const begun = beginCount({ ...state, list: beginListRequest(state.list) });
  const request: ListFetch = {
    ...fetch,
    requestedAtVersion: begun.list.version,
    countNumber: begun.countSync.requestCount,
    newestKnownId: newestMessageId(begun),
    hadRows: begun.list.order.length > 0,
  };
  return changeSync(begun, { fetches: { ...begun.listSync.fetches, [key]: request } });
}

/** Loads the first page, and again the pages that were loaded beyond it. */
export function refreshList(state: ChatState, filter: ListFilter): ChatState {
  const key = filterKey(filter);
  const { staleKeys } = state.listSync;
  const largePageCount = Math.max(pagingOf(state, key).pagesRead - 1, 0);
  const stale = changeSync(state, { staleKeys: [...new Set([...staleKeys, key])] });
  return startFetch(stale, {
    kind: 'refresh',
    filter,
    page: 1,
    lastPage: Math.max(largePageCount, 1),
    limit: largePageCount === 0 ? CONVERSATIONS_DEFAULT : CONVERSATIONS_MAX,
  });
}

/** The next page to load. Rows that left the filter since the last one moved the rest up on the server by as much. */
function nextPage(state: ChatState, filter: ListFilter): number {
  const key = filterKey(filter);
  const countAfterFetch = state.listSync.shownCountAfterFetch[key] ?? 0;
  const leftFilterCount = Math.max(countAfterFetch - shownRows(state, filter).length, 0);
  return Math.max(pagingOf(state, key).pagesRead - Math.ceil(leftFilterCount / CONVERSATIONS_MAX), 1);
}

function fetchMore(state: ChatState, filter: ListFilter): ChatState {
  if (!pagingOf(state, filterKey(filter)).hasMore) return state;
  // The large pages start at the top again, so that no row between small and large pages is missed.
  const page = nextPage(state, filter);
  return startFetch(state, { kind: 'more', filter, page, lastPage: page, limit: CONVERSATIONS_MAX });
}

export function readMoreRows(state: ChatState, { filter }: EventOf<'user.readsMoreRows'>): ChatState {
  const key = filterKey(filter);
  if (!state.mayLoad || state.listSync.fetches[key]) return state;
  if (pagingOf(state, key).pagesRead === 0) return refreshList(state, filter);
  if (!state.listSync.staleKeys.includes(key)) return fetchMore(state, filter);
  // Further rows do not make up for a failed refresh of those before them.
  const started = refreshList(state, filter);
  const fetch = started.listSync.fetches[key];
  if (!fetch) return started;
  return changeSync(started, { fetches: { ...started.listSync.fetches, [key]: { ...fetch, thenMore: true } } });
}

/** Counts also what left the list while its answer was under way: the server may have counted it. */
function rememberShown(state: ChatState, { filter, shownAtStart, rows, startedAtVersion }: ListFetch): ChatState {
  const now = new Set(shownRows(state, filter).map(({ other_user }) => other_user._id));
  const { entries } = state.list;
  const left = new Set(
    [...shownAtStart, ...rows]
      .map(({ other_user }) => other_user._id)
      .filter((id) => !now.has(id) && (entries[id]?.version ?? Infinity) > startedAtVersion),
  );
  const shownCountAfterFetch = { ...state.listSync.shownCountAfterFetch, [filterKey(filter)]: now.size + left.size };
  return changeSync(state, { shownCountAfterFetch });
}

/** Which part of the list the answer says everything about. */
function rangeOf(state: ChatState, { kind, filter, page, rows }: ListFetch, lastLoadedKey: SortKey | null) {
  if (kind === 'refresh' || page === 1) return { from: null, to: lastLoadedKey };
  const knownEnd = pagingOf(state, filterKey(filter)).lastLoadedKey;
  const [first] = rows;
  const start = first ? sortKeyOf(first, orderOf(filter.only)) : knownEnd;
  // Rows between the known end and this page may be gone; the page can also begin before that end.
  const from = start && knownEnd && compareSortKeys(knownEnd, start) < 0 ? knownEnd : start;
  return { from, to: lastLoadedKey };
}

/** The pages of a load are there. */
function endFetch(state: ChatState, key: string, fetch: ListFetch, hasMore: boolean, now: Now): ChatState {
  const { filter, rows, startedAtVersion } = fetch;
  const lastLoadedKey = hasMore ? keyOfLast(filter, rows) : null;
  const range = rangeOf(state, fetch, lastLoadedKey);
  const missing = reloadSummaries(state, findMissing(state.list, filter, rows, startedAtVersion, range), now);
  const pagesRead = fetch.kind === 'refresh' ? Math.max(pagingOf(missing, key).pagesRead, 1) : fetch.page + 1;
  const paged = setPaging(missing, key, { pagesRead, hasMore, lastLoadedKey, loadState: 'none', error: null });
  const ended = changeSync(rememberShown(paged, fetch), {
    fetches: withoutKey(paged.listSync.fetches, key),
    ...(fetch.kind === 'refresh' && { staleKeys: paged.listSync.staleKeys.filter((stale) => stale !== key) }),
  });
  return fetch.thenMore ? fetchMore(ended, filter) : ended;
}

export function receiveRows(state: ChatState, { key, answer }: EventOf<'call.listLoaded'>, now: Now): ChatState {
  const request = state.listSync.fetches[key];
  if (!request) return state;
  const { requestedAtVersion, newestKnownId, hadRows, limit } = request;
  const rows = answer.data;
  const counted = applyCounts(state, request.countNumber, answer.counts);
  const settled = settleRows(counted, rows, requestedAtVersion);
  const asked = reloadSummaries(settled, changedSince(settled.list, rows, requestedAtVersion), now);
  const applied: ChatState = { ...asked, list: applyRowsToList(asked.list, rows, requestedAtVersion) };
  // Only polling finds such rows.
  const news = hadRows ? rows.filter(({ last_message }) => toIdNumber(last_message?._id) > newestKnownId) : [];
  const reported = news.reduce((known, row) => addArrival(known, { kind: 'row', row }), applied);
  const fetch: ListFetch = { ...request, rows: [...request.rows, ...rows] };
  const hasMore = rows.length === limit;
  if (hasMore && fetch.page < fetch.lastPage) return requestRows(reported, key, { ...fetch, page: fetch.page + 1 });
  return endFetch(reported, key, fetch, hasMore, now);
}

export function failRows(state: ChatState, { key, error }: EventOf<'call.listFailed'>): ChatState {
  const failed = setPaging(state, key, { loadState: 'failed', error });
  return changeSync(failed, { fetches: withoutKey(failed.listSync.fetches, key) });
}

/** A list is on the screen; the first load of the page comes with all others. */
export function showList(state: ChatState, { filter }: EventOf<'user.showsList'>): ChatState {
  const shown = changeSync(state, { shown: { ...state.listSync.shown, [filterKey(filter)]: filter } });
  return state.mayLoad ? refreshList(shown, filter) : shown;
}

export const hideList = (state: ChatState, { filter }: EventOf<'user.hidesList'>): ChatState =>
  changeSync(state, { shown: withoutKey(state.listSync.shown, filterKey(filter)) });

export const retryFailedLists = (state: ChatState): ChatState =>
  Object.values(state.listSync.shown)
    .filter((filter) => pagingOf(state, filterKey(filter)).loadState === 'failed')
    .reduce(refreshList, state);

/** A connection begins: what is not on the screen stays as it was before, until an event names it or it is opened. */
export function reloadLists(state: ChatState, now: Now): ChatState {
  const { shown, fetches } = state.listSync;
  const unsure = changeSync(state, { unsureAtVersion: state.list.version, unsureIds: Object.keys(state.list.entries) });
  const reloaded = repeatReload(reloadWatched(unsure, now), now);
  // The answer to a call for a list that was left meanwhile would bring it as it was before, too.
  const left = Object.values(fetches)
    .map(({ filter }) => filter)
    .filter((filter) => !shown[filterKey(filter)]);
  return [...Object.values(shown), ...left].reduce(refreshList, reloaded);
}

/** For timers: a call that is under way already brings the same result. */
export function pollLists(state: ChatState, now: Now): ChatState {
  const reloaded = reloadWatched(state, now);
  return Object.values(state.listSync.shown)
    .filter((filter) => !state.listSync.fetches[filterKey(filter)])
    .reduce(refreshList, reloaded);
}

/** Loads a conversation that an event has named, if its details are missing or may be old: an event tells only a part. */
function lookUp(state: ChatState, userId: string, now: Now): ChatState {
  const known = state.list.entries[userId];
  const isUnsure = known
    ? isStubSummary(known.summary) || state.listSync.unsureIds.includes(userId)
    : isListShown(state);
  return isUnsure ? reloadSummaries(state, [userId], now) : state;
}

/** The rest of what an event about one conversation means for an admin's list. */
const followUp = (state: ChatState, userId: string, now: Now): ChatState =>
  isAdmin(state) ? recountSoon(lookUp(state, userId, now), now) : state;

export function listMessage(state: ChatState, { payload }: EventOf<'socket.message:new'>, now: Now): ChatState {
  if (!isAdmin(state)) return state;
  return followUp({ ...state, list: applyMessageToList(state.list, payload) }, payload.user_id, now);
}

export const listUnread = (state: ChatState, { payload }: EventOf<'socket.unread'>, now: Now): ChatState =>
  followUp({ ...state, list: applyUnreadToList(state.list, payload) }, payload.user_id, now);

/** The same for several conversations at once. */
export const listUnreadChanges = (
  state: ChatState,
  { payload: { changes, total_unread } }: EventOf<'socket.unread:changes'>,
  now: Now,
): ChatState =>
  changes.reduce(
    (listed, { user_id, unread_count }) =>
      listUnread(listed, { type: 'socket.unread', payload: { user_id, unread_count, total_unread } }, now),
    state,
  );

export function listState(state: ChatState, update: ConversationStateUpdate, now: Now): ChatState {
  const listed: ChatState = { ...state, list: applyStateToList(state.list, update) };
  return recountSoon(lookUp(listed, update.user_id, now), now);
}

/** Reads the row of a conversation again: an event says only that it has changed. */
export function reloadChanged(state: ChatState, userId: string, now: Now): ChatState {
  const isKnown = state.list.entries[userId] !== undefined || isWatched(state, userId);
  // An answer that is under way may bring it as it was before.
  const isComing = Object.keys(state.listSync.fetches).length > 0 || isReloading(state);
  return isKnown || isComing ? reloadSummaries(state, [userId], now) : state;
}

/** Notes have changed; an event does not say how many there are. */
export const listNotes = (state: ChatState, { payload }: EventOf<'socket.note:changed'>, now: Now): ChatState =>
  reloadChanged(state, payload.user_id, now);

/** A conversation may have moved to the end of the list, so that the rows after it moved up: the last page has to be loaded again. */
function shiftUp(state: ChatState): ChatState {
  return Object.keys(state.listSync.shown).reduce((next, key) => {
    const { pagesRead, hasMore } = pagingOf(next, key);
    return hasMore && pagesRead > 1 ? setPaging(next, key, { pagesRead: pagesRead - 1 }) : next;
  }, state);
}

/** Messages were deleted, all or only old ones. What is left decides on the row, and an event does not say it. */
export const listDeletion = (
  state: ChatState,
  { payload }: EventOf<'socket.conversation:deleted'>,
  now: Now,
): ChatState => followUp(shiftUp(reloadChanged(state, payload.user_id, now)), payload.user_id, now);

export function listUserChange(state: ChatState, { payload }: EventOf<'socket.user:changed'>, now: Now): ChatState {
  const { user, change } = payload;
  const changed: ChatState = { ...state, changedUsers: { ...state.changedUsers, [user.id]: payload } };
  if (change === 'deleted' || user.is_admin) {
    return recountSoon({ ...changed, list: removeUserFromList(changed.list, user.id) }, now);
  }
  return lookUp({ ...changed, list: applyUserDetails(changed.list, { ...user, _id: user.id }) }, user.id, now);
}

/** The totals that stand beside a list; an event that arrived meanwhile is newer. */
export function receiveTotals(
  state: ChatState,
  { totalUnread, unreadEventCount }: EventOf<'call.totalsLoaded'>,
): ChatState {
  return state.list.unreadEventCount === unreadEventCount ? { ...state, list: { ...state.list, totalUnread } } : state;
}
