import type { ConversationSummary } from '#shared/api/chat.ts';
import { CONVERSATIONS_DEFAULT, CONVERSATIONS_MAX } from '#shared/limits.ts';
import type { ChatApi, ConversationsQuery } from './api.ts';
import { idNumber } from './conversation.ts';
import {
  applyRows,
  dropMissing,
  isStub,
  type ListFilter,
  namePerson,
  sortKeyOf,
  visibleSummaries,
} from './conversation-list.ts';
import { type ChatStore, listAtom, type ListPages, listPagesAtom } from './state.ts';

export type ListSyncDeps = {
  store: ChatStore;
  calls: Pick<ChatApi, 'conversations' | 'person'>;
  onAnswer: (error?: unknown) => void;
  /** Rows whose last message is newer than everything known before; only polls find such. */
  onNewer: (rows: readonly ConversationSummary[]) => void;
};

export const noPages: ListPages = { read: 0, hasMore: true, floor: null, load: 'none', error: null };

/** Under which name a filter's pages are kept. */
export function filterKey({ only, search }: ListFilter): string {
  return `${only} ${search.trim().toLowerCase()}`;
}

function queryOf({ only, search }: ListFilter): Omit<ConversationsQuery, 'limit' | 'page'> {
  return {
    ...(search.trim() ? { search: search.trim() } : {}),
    ...(only === 'unread' ? { unread: 1 as const } : {}),
    ...(only === 'unanswered' ? { unanswered: 1 as const } : {}),
    ...(only === 'all' ? { all: 1 as const } : {}),
  };
}

/** Reads the desk's list: the first page small and often, further pages large, as somebody scrolls. */
export function createListSync({ store, calls, onAnswer, onNewer }: ListSyncDeps) {
  const asked = new Set<string>();
  const running = new Map<string, { done: Promise<void> }>();
  const shown = new Map<string, ListFilter>();
  const shownAfter = new Map<string, number>();

  const pagesOf = (filter: ListFilter): ListPages => store.get(listPagesAtom)[filterKey(filter)] ?? noPages;
  function setPages(filter: ListFilter, change: Partial<ListPages>): void {
    const all = store.get(listPagesAtom);
    store.set(listPagesAtom, { ...all, [filterKey(filter)]: { ...pagesOf(filter), ...change } });
  }

  function newest(): number {
    const { entries, order } = store.get(listAtom);
    return idNumber(entries[order[0] ?? '']?.summary.last_message?._id);
  }

  /** @returns the rows, or null when a newer reading has overtaken this one */
  async function fetchRows(filter: ListFilter, limit: number, page: number, isCurrent: () => boolean) {
    const list = store.get(listAtom);
    const known = newest();
    const rows = await calls.conversations({ ...queryOf(filter), limit, page });
    if (!isCurrent()) return null;
    store.set(listAtom, applyRows(store.get(listAtom), rows, list.version));
    const newer = rows.filter(({ last_message }) => idNumber(last_message?._id) > known);
    if (list.order.length > 0 && newer.length > 0) onNewer(newer);
    return rows;
  }

  /** A new reading, whatever becomes of one under way; see `createSync`. */
  function begin(filter: ListFilter, read: (isCurrent: () => boolean) => Promise<void>): Promise<void> {
    const key = filterKey(filter);
    const turn = { done: Promise.resolve() };
    const isCurrent = (): boolean => running.get(key) === turn;
    running.set(key, turn);
    turn.done = (async () => {
      setPages(filter, { load: 'busy' });
      try {
        await read(isCurrent);
        if (isCurrent()) setPages(filter, { load: 'none', error: null });
        onAnswer();
      } catch (error) {
        if (!isCurrent()) return;
        setPages(filter, { load: 'failed', error });
        onAnswer(error);
      } finally {
        if (isCurrent()) running.delete(key);
      }
    })();
    return turn.done;
  }

  /** Reads the first page, and what was read beyond it again. */
  function refresh(filter: ListFilter): Promise<void> {
    return begin(filter, async (isCurrent) => {
      const { version } = store.get(listAtom);
      const pages = pagesOf(filter);
      const large = Math.max(pages.read - 1, 0);
      const limit = large === 0 ? CONVERSATIONS_DEFAULT : CONVERSATIONS_MAX;
      const rows: ConversationSummary[] = [];
      let hasMore = true;
      for (let page = 1; hasMore && page <= Math.max(large, 1); page += 1) {
        const found = await fetchRows(filter, limit, page, isCurrent);
        if (!found) return;
        rows.push(...found);
        hasMore = found.length === limit;
      }
      const last = rows.at(-1);
      const floor = hasMore && last ? sortKeyOf(last) : null;
      if (filter.only === 'all' && filter.search.trim() === '') {
        store.set(listAtom, dropMissing(store.get(listAtom), rows, version, floor));
      }
      setPages(filter, { read: Math.max(pages.read, 1), hasMore, floor });
      shownAfter.set(filterKey(filter), shownCount(filter));
    });
  }

  const shownCount = (filter: ListFilter): number =>
    visibleSummaries(store.get(listAtom), filter, pagesOf(filter).floor).length;

  /** Where the next page begins: what has left a filter since the last one moved the rest up at the server by as much. */
  function nextPage(filter: ListFilter): number {
    const left = Math.max((shownAfter.get(filterKey(filter)) ?? 0) - shownCount(filter), 0);
    return Math.max(pagesOf(filter).read - Math.ceil(left / CONVERSATIONS_MAX), 1);
  }

  function readMore(filter: ListFilter): Promise<void> {
    const { read, hasMore } = pagesOf(filter);
    const current = running.get(filterKey(filter));
    if (current) return current.done;
    if (read === 0) return refresh(filter);
    if (!hasMore) return Promise.resolve();
    return begin(filter, async (isCurrent) => {
      // The large pages begin at the top once more, so that nothing between small and large is missed.
      const page = nextPage(filter);
      const rows = await fetchRows(filter, CONVERSATIONS_MAX, page, isCurrent);
      if (!rows) return;
      const more = rows.length === CONVERSATIONS_MAX;
      const last = rows.at(-1);
      setPages(filter, { read: page + 1, hasMore: more, floor: more && last ? sortKeyOf(last) : null });
      shownAfter.set(filterKey(filter), shownCount(filter));
    });
  }

  async function lookUp(userId: string): Promise<void> {
    const known = store.get(listAtom).entries[userId];
    if (!known || !isStub(known.summary) || asked.has(userId)) return;
    asked.add(userId);
    try {
      const person = await calls.person(userId);
      store.set(listAtom, namePerson(store.get(listAtom), { _id: userId, name: person.name, email: person.email }));
    } catch (error) {
      // The row keeps the name that the message brought; the next message or list page tries again.
      onAnswer(error);
    } finally {
      asked.delete(userId);
    }
  }

  return {
    refresh,
    readMore,
    lookUp,
    /** A list is on show. @returns the undo */
    show(filter: ListFilter): () => void {
      const key = filterKey(filter);
      shown.set(key, filter);
      void refresh(filter);
      return () => void shown.delete(key);
    },
    isShown: (): boolean => shown.size > 0,
    refreshFailed(): void {
      for (const filter of shown.values()) if (pagesOf(filter).load === 'failed') void refresh(filter);
    },
    refreshShown: (): Promise<unknown> => Promise.all([...shown.values()].map(refresh)),
    /** For timers: a call that is under way already brings what they want. */
    poll: (): void => {
      for (const filter of shown.values()) if (!running.has(filterKey(filter))) void refresh(filter);
    },
    /** One conversation fell to the bottom: what comes next has moved up, so the last page is worth another look. */
    shiftUp(): void {
      for (const filter of shown.values()) {
        const { read, hasMore } = pagesOf(filter);
        if (hasMore && read > 1) setPages(filter, { read: read - 1 });
      }
    },
  };
}
export type ListSync = ReturnType<typeof createListSync>;
