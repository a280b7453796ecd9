import type { ConversationSummary } from '#shared/api/chat.ts';
import type { ChatApi } from '../api.ts';
import {
  applyRowsToList,
  beginListRequest,
  changedSince,
  removeUserFromList,
} from '../list/conversation-list-state.ts';
import { type ChatStore, listAtom } from '../state.ts';

export type SummaryReloadDeps = {
  store: ChatStore;
  api: Pick<ChatApi, 'fetchConversations'>;
  onCallSettled: (error?: unknown) => void;
  /** They were asked for at this version of the list. */
  onRows: (rows: readonly ConversationSummary[], requestedAtVersion: number) => void;
};

/** What comes together is asked for together. */
const COLLECT_MS = 50;
/** Between two calls, so that a busy day does not become a call for each message. */
const PAUSE_MS = 500;
/** After a call that has failed. */
const RETRY_MS = 5000;
/** As many ids as a URL of 2,000 characters holds. */
const IDS_MAX = 50;

/**
 * Asks for single conversations of which this page is not sure: an event named one that is not loaded, or came while an answer
 * was under way; a row is missing from its list; notes have changed; or one is open that no list has loaded.
 */
export function createSummaryReload({ store, api, onCallSettled, onRows }: SummaryReloadDeps) {
  const waitingIds = new Set<string>();
  const watchCounts = new Map<string, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let askedIds: readonly string[] = [];
  let stopped = false;

  async function loadNext(): Promise<void> {
    const userIds = [...waitingIds].slice(0, IDS_MAX);
    askedIds = userIds;
    for (const userId of userIds) waitingIds.delete(userId);
    store.set(listAtom, beginListRequest(store.get(listAtom)));
    const { version } = store.get(listAtom);
    try {
      const { data } = await api.fetchConversations({
        all: 1,
        user_ids: userIds.join(','),
        limit: userIds.length,
        page: 1,
      });
      if (stopped) return;
      onRows(data, version);
      let list = store.get(listAtom);
      for (const userId of changedSince(list, data, version)) waitingIds.add(userId);
      list = applyRowsToList(list, data, version);
      const found = new Set(data.map(({ other_user }) => other_user._id));
      // Deleted, or an admin now.
      for (const userId of userIds) if (!found.has(userId)) list = removeUserFromList(list, userId);
      store.set(listAtom, list);
      onCallSettled();
    } catch (error) {
      for (const userId of userIds) waitingIds.add(userId);
      onCallSettled(error);
      throw error;
    }
  }

  async function run(): Promise<void> {
    timer = undefined;
    try {
      if (waitingIds.size > 0) await loadNext();
      if (waitingIds.size > 0) schedule(PAUSE_MS);
    } catch {
      schedule(RETRY_MS);
    } finally {
      askedIds = [];
    }
  }

  function schedule(ms: number): void {
    if (!stopped) timer ??= setTimeout(() => void run(), ms);
  }

  function reload(userIds: Iterable<string>): void {
    for (const userId of userIds) waitingIds.add(userId);
    if (waitingIds.size > 0) schedule(askedIds.length > 0 ? PAUSE_MS : COLLECT_MS);
  }

  return {
    reload,
    isRunning: (): boolean => askedIds.length > 0,
    /** An answer that is under way may be older than an event that was missed. */
    repeatRunning: (): void => reload(askedIds),
    /** Loads those on the screen again, and what could not be loaded before. */
    refreshWatched: (): void => reload(watchCounts.keys()),
    isWatched: (userId: string): boolean => watchCounts.has(userId),
    /** Keeps the summary of a conversation current while it is on the screen, also one that no list has loaded. @returns the undo */
    watch(userId: string): () => void {
      watchCounts.set(userId, (watchCounts.get(userId) ?? 0) + 1);
      if (!store.get(listAtom).entries[userId]) reload([userId]);
      return () => {
        const count = (watchCounts.get(userId) ?? 1) - 1;
        if (count > 0) watchCounts.set(userId, count);
        else watchCounts.delete(userId);
      };
    },
    stop(): void {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
