import type { ConversationSummary } from '#shared/api/chat.ts';
import { CONVERSATIONS_DEFAULT, CONVERSATIONS_MAX } from '#shared/limits.ts';
import type { ChatApi, ConversationsParams } from '../api.ts';
import { toIdNumber } from '../conversation.ts';
import {
  applyRowsToList,
  applyStateToList,
  beginListRequest,
  changedSince,
  findMissing,
  isStubSummary,
  visibleSummaries,
} from '../list/conversation-list-state.ts';
import type { ConversationStateUpdate } from '#shared/api/inbox.ts';
import { createListCounts } from './list-counts.ts';
import { compareSortKeys, type ListFilter, orderOf, type SortKey, sortKeyOf } from '../list/list-order.ts';
import { type ChatStore, listAtom, type ListPaging, listPagingAtom } from '../state.ts';
import { createSummaryReload } from './summary-reload.ts';

export type ListSyncDeps = {
  store: ChatStore;
  api: Pick<ChatApi, 'fetchConversations'>;
  onCallSettled: (error?: unknown) => void;
  /** Rows whose last message is newer than all known ones; only polling finds such rows. */
  onNewerRows: (rows: readonly ConversationSummary[]) => void;
};

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

function paramsOf({ only, search }: ListFilter): Omit<ConversationsParams, 'limit' | 'page'> {
  return {
    ...(search.trim() ? { search: search.trim() } : {}),
    ...(only === 'unread' ? { unread: 1 as const } : {}),
    ...(only === 'waiting' ? { state: only, sort: only } : {}),
    ...(only === 'snoozed' || only === 'mine' ? { state: only } : {}),
    ...(only === 'all' ? { all: 1 as const } : {}),
  };
}

/** Loads the inbox list: the first page small and often, further pages large, while the admin scrolls. */
export function createListSync({ store, api, onCallSettled, onNewerRows }: ListSyncDeps) {
  const counts = createListCounts({ store, api, onCallSettled });
  /** Known from before the present connection and not read since: an event about them may have been missed. */
  const unsureIds = new Set<string>();
  let unsureAtVersion = 0;
  function settle(rows: readonly ConversationSummary[], requestedAtVersion: number): void {
    if (requestedAtVersion > unsureAtVersion) for (const { other_user } of rows) unsureIds.delete(other_user._id);
  }
  const summaries = createSummaryReload({ store, api, onCallSettled, onRows: settle });
  const fetchesInFlight = new Map<string, { filter: ListFilter; done: Promise<void> }>();
  /** Filters whose last refresh has not succeeded. */
  const staleKeys = new Set<string>();
  const shownFilters = new Map<string, ListFilter>();
  const shownCountAfterFetch = new Map<string, number>();

  const pagingOf = (filter: ListFilter): ListPaging => store.get(listPagingAtom)[filterKey(filter)] ?? initialPaging;
  function setPaging(filter: ListFilter, change: Partial<ListPaging>): void {
    const all = store.get(listPagingAtom);
    store.set(listPagingAtom, { ...all, [filterKey(filter)]: { ...pagingOf(filter), ...change } });
  }

  function newestMessageId(): number {
    const { entries, order } = store.get(listAtom);
    return toIdNumber(entries[order[0] ?? '']?.summary.last_message?._id);
  }

  /** @returns the rows, or null when a newer call has replaced this one */
  async function fetchRows(filter: ListFilter, limit: number, page: number, isCurrent: () => boolean) {
    const list = beginListRequest(store.get(listAtom));
    store.set(listAtom, list);
    const known = newestMessageId();
    const applyCounts = counts.beginRequest();
    const answer = await api.fetchConversations({ ...paramsOf(filter), limit, page });
    if (!isCurrent()) return null;
    applyCounts(answer.counts);
    const rows = answer.data;
    settle(rows, list.version);
    summaries.reload(changedSince(store.get(listAtom), rows, list.version));
    store.set(listAtom, applyRowsToList(store.get(listAtom), rows, list.version));
    const newer = rows.filter(({ last_message }) => toIdNumber(last_message?._id) > known);
    if (list.order.length > 0 && newer.length > 0) onNewerRows(newer);
    return rows;
  }

  function keyOfLast({ only }: ListFilter, rows: readonly ConversationSummary[]): SortKey | null {
    const last = rows.at(-1);
    return last ? sortKeyOf(last, orderOf(only)) : null;
  }

  /** Starts a new call even if one is under way; see `startRefresh` in conversation-sync.ts. */
  function startFetch(filter: ListFilter, fetchPages: (isCurrent: () => boolean) => Promise<void>): Promise<void> {
    const key = filterKey(filter);
    const fetchRun = { filter, done: Promise.resolve() };
    const isCurrent = (): boolean => fetchesInFlight.get(key) === fetchRun;
    fetchesInFlight.set(key, fetchRun);
    fetchRun.done = (async () => {
      setPaging(filter, { loadState: 'busy' });
      try {
        await fetchPages(isCurrent);
        if (isCurrent()) setPaging(filter, { loadState: 'none', error: null });
        onCallSettled();
      } catch (error) {
        if (!isCurrent()) return;
        setPaging(filter, { loadState: 'failed', error });
        onCallSettled(error);
      } finally {
        if (isCurrent()) fetchesInFlight.delete(key);
      }
    })();
    return fetchRun.done;
  }

  /** Loads the first page, and again the pages that were loaded beyond it. */
  function refresh(filter: ListFilter): Promise<void> {
    staleKeys.add(filterKey(filter));
    return startFetch(filter, async (isCurrent) => {
      const { version } = store.get(listAtom);
      const shownAtRequest = shown(filter);
      const paging = pagingOf(filter);
      const largePageCount = Math.max(paging.pagesRead - 1, 0);
      const limit = largePageCount === 0 ? CONVERSATIONS_DEFAULT : CONVERSATIONS_MAX;
      const rows: ConversationSummary[] = [];
      let hasMore = true;
      for (let page = 1; hasMore && page <= Math.max(largePageCount, 1); page += 1) {
        const found = await fetchRows(filter, limit, page, isCurrent);
        if (!found) return;
        rows.push(...found);
        hasMore = found.length === limit;
      }
      const lastLoadedKey = hasMore ? keyOfLast(filter, rows) : null;
      summaries.reload(findMissing(store.get(listAtom), filter, rows, version, { from: null, to: lastLoadedKey }));
      setPaging(filter, { pagesRead: Math.max(paging.pagesRead, 1), hasMore, lastLoadedKey });
      rememberShown(filter, [...shownAtRequest, ...rows], version);
      staleKeys.delete(filterKey(filter));
    });
  }

  const shown = (filter: ListFilter): ConversationSummary[] =>
    visibleSummaries(store.get(listAtom), filter, pagingOf(filter).lastLoadedKey);

  /** Counts also what left the list while its answer was under way: the server may have counted it. */
  function rememberShown(filter: ListFilter, before: readonly ConversationSummary[], requestedAtVersion: number): void {
    const now = new Set(shown(filter).map(({ other_user }) => other_user._id));
    const { entries } = store.get(listAtom);
    const left = new Set(
      before
        .map(({ other_user }) => other_user._id)
        .filter((id) => !now.has(id) && (entries[id]?.version ?? Infinity) > requestedAtVersion),
    );
    shownCountAfterFetch.set(filterKey(filter), now.size + left.size);
  }

  /** The next page to load. Rows that left the filter since the last one moved the rest up on the server by as much. */
  function nextPage(filter: ListFilter): number {
    const leftFilterCount = Math.max((shownCountAfterFetch.get(filterKey(filter)) ?? 0) - shown(filter).length, 0);
    return Math.max(pagingOf(filter).pagesRead - Math.ceil(leftFilterCount / CONVERSATIONS_MAX), 1);
  }

  async function loadMore(filter: ListFilter): Promise<void> {
    const key = filterKey(filter);
    const current = fetchesInFlight.get(key);
    if (current) return current.done;
    if (pagingOf(filter).pagesRead === 0) return refresh(filter);
    // Further rows do not make up for a failed refresh of those before them.
    if (staleKeys.has(key)) await refresh(filter);
    if (staleKeys.has(key) || !pagingOf(filter).hasMore) return undefined;
    return startFetch(filter, async (isCurrent) => {
      // The large pages start at the top again, so that no row between small and large pages is missed.
      const page = nextPage(filter);
      const { version } = store.get(listAtom);
      const shownAtRequest = shown(filter);
      const knownEnd = pagingOf(filter).lastLoadedKey;
      const rows = await fetchRows(filter, CONVERSATIONS_MAX, page, isCurrent);
      if (!rows) return;
      const more = rows.length === CONVERSATIONS_MAX;
      const lastLoadedKey = more ? keyOfLast(filter, rows) : null;
      const [first] = rows;
      const start = first ? sortKeyOf(first, orderOf(filter.only)) : knownEnd;
      // What stood between the known end and this page may be gone; the page can also begin before that end.
      const from = start && knownEnd && compareSortKeys(knownEnd, start) < 0 ? knownEnd : start;
      const range = { from: page === 1 ? null : from, to: lastLoadedKey };
      summaries.reload(findMissing(store.get(listAtom), filter, rows, version, range));
      setPaging(filter, { pagesRead: page + 1, hasMore: more, lastLoadedKey });
      rememberShown(filter, [...shownAtRequest, ...rows], version);
    });
  }

  /** Loads a conversation that an event has named, if its details are missing or may be old: an event tells only a part. */
  function lookUp(userId: string): void {
    const known = store.get(listAtom).entries[userId];
    if (known ? isStubSummary(known.summary) || unsureIds.has(userId) : shownFilters.size > 0)
      summaries.reload([userId]);
  }

  return {
    refresh,
    readMore: loadMore,
    lookUp,
    /** Something happened that may change what is in which filter. */
    changed(): void {
      if (shownFilters.size > 0) counts.recountSoon();
    },
    applyState(update: ConversationStateUpdate): void {
      store.set(listAtom, applyStateToList(store.get(listAtom), update));
      lookUp(update.user_id);
    },
    /** Its notes have changed; an event does not say how many there are. */
    reloadKnown(userId: string): void {
      const isKnown = store.get(listAtom).entries[userId] !== undefined || summaries.isWatched(userId);
      // An answer that is under way may bring it as it was before.
      if (isKnown || fetchesInFlight.size > 0 || summaries.isRunning()) summaries.reload([userId]);
    },
    watchSummary(userId: string): () => void {
      if (unsureIds.has(userId)) summaries.reload([userId]);
      return summaries.watch(userId);
    },
    /** A list is on the screen. `loads`: now, and not with a later `refreshShown`. @returns the undo */
    show(filter: ListFilter, loads: boolean): () => void {
      const key = filterKey(filter);
      shownFilters.set(key, filter);
      if (loads) void refresh(filter);
      return () => void shownFilters.delete(key);
    },
    isShown: (): boolean => shownFilters.size > 0,
    refreshFailed(): void {
      for (const filter of shownFilters.values()) if (pagingOf(filter).loadState === 'failed') void refresh(filter);
    },
    /** A connection begins: what is not on the screen stays as it was before, until an event names it or it is opened. */
    refreshShown(): Promise<unknown> {
      const { entries, version } = store.get(listAtom);
      unsureAtVersion = version;
      for (const userId of Object.keys(entries)) unsureIds.add(userId);
      summaries.refreshWatched();
      summaries.repeatRunning();
      // The answer to a call for a list that was left meanwhile would bring it as it was before, too.
      const left = [...fetchesInFlight.values()].filter(({ filter }) => !shownFilters.has(filterKey(filter)));
      return Promise.all([...shownFilters.values(), ...left.map(({ filter }) => filter)].map(refresh));
    },
    /** For timers: a call that is under way already brings the same result. */
    poll: (): void => {
      summaries.refreshWatched();
      for (const filter of shownFilters.values()) if (!fetchesInFlight.has(filterKey(filter))) void refresh(filter);
    },
    stop(): void {
      counts.stop();
      summaries.stop();
    },
    /** A conversation moved to the end of the list, so the rows after it moved up: the last page has to be loaded again. */
    shiftUp(): void {
      for (const filter of shownFilters.values()) {
        const { pagesRead, hasMore } = pagingOf(filter);
        if (hasMore && pagesRead > 1) setPaging(filter, { pagesRead: pagesRead - 1 });
      }
    },
  };
}
export type ListSync = ReturnType<typeof createListSync>;
