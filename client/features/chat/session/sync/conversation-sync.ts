import type { History, Message } from '#shared/api/chat.ts';
import { HISTORY_DEFAULT, HISTORY_MAX } from '#shared/limits.ts';
import type { ChatApi } from '../api.ts';
import {
  applyPageAfter,
  applyNewestPage,
  applyOlderPage,
  clearConversation,
  type Conversation,
  hasGap,
  lastIdNumber,
  idNumberOf,
  receiveMessage,
} from '../conversation.ts';
import { changeConversation, type ChatStore, readConversation } from '../state.ts';

export type ConversationSyncDeps = {
  store: ChatStore;
  api: Pick<ChatApi, 'fetchHistory'>;
  /** The id under which this side requests a conversation. */
  resolvePeerId: (userId: string) => Promise<string>;
  /** Messages that are new to this page. `wasLoaded`: false while the first page of the history is loaded. */
  onNewMessages: (messages: readonly Message[], wasLoaded: boolean) => void;
  /** The read positions have moved, perhaps because of another tab. */
  onSeenMoved: (userId: string, conversation: Conversation) => void;
  /** A call has ended, with an error or without. */
  onCallSettled: (error?: unknown) => void;
};

/** Pages of one refresh; more are needed only if a history is deleted again and again. */
const PAGES_PER_REFRESH_MAX = 50;

/** Keeps conversations equal to the server's. Start, reconnect, a gap and polling all use the same way. */
export function createConversationSync({
  store,
  api,
  resolvePeerId,
  onNewMessages,
  onSeenMoved,
  onCallSettled,
}: ConversationSyncDeps) {
  const refreshesInFlight = new Map<string, { again: boolean; done: Promise<void> }>();
  const answerCounts = new Map<string, number>();

  /** The only way into the store; reports new messages and moved positions. */
  function updateAndNotify(userId: string, reduce: (conversation: Conversation) => Conversation): void {
    const before = readConversation(store, userId);
    changeConversation(store, userId, reduce);
    const after = readConversation(store, userId);
    if (after.seen !== before.seen) onSeenMoved(userId, after);
    if (after.messages === before.messages) return;
    const known = before.epoch === after.epoch ? lastIdNumber(before) : 0;
    const fresh = after.messages.filter((message) => idNumberOf(message) > known);
    if (fresh.length > 0) onNewMessages(fresh, before.loaded);
  }

  /** Fetches one page and stores it. @returns whether there is more to fetch */
  async function fetchNextPage(userId: string, peerId: string, isCurrent: () => boolean): Promise<boolean> {
    const atRequest = readConversation(store, userId);
    const after = lastIdNumber(atRequest);
    const history = await api.fetchHistory(
      peerId,
      atRequest.loaded ? { limit: HISTORY_MAX, after } : { limit: HISTORY_DEFAULT },
    );
    // A newer call has started: its answer is newer, whichever arrives first.
    if (!isCurrent()) return false;
    answerCounts.set(userId, (answerCounts.get(userId) ?? 0) + 1);
    let hasMore = false;
    updateAndNotify(userId, (now) => {
      hasMore = now.epoch !== atRequest.epoch;
      if (hasMore) return now;
      const next = atRequest.loaded
        ? applyPageAfter(now, history, after, atRequest.outOfOrder)
        : applyNewestPage(now, history, atRequest.outOfOrder);
      hasMore = next === 'stale' || hasGap(next) || (atRequest.loaded && history.has_more);
      // Load again from the newest page, as at start.
      return next === 'stale' ? { ...clearConversation(now), loaded: false } : next;
    });
    return hasMore;
  }

  async function runRefresh(userId: string, isCurrent: () => boolean): Promise<void> {
    const patchIfCurrent = (state: Partial<Conversation>): void => {
      if (isCurrent()) changeConversation(store, userId, (conversation) => ({ ...conversation, ...state }));
    };
    patchIfCurrent({ loadState: 'busy' });
    try {
      const peerId = await resolvePeerId(userId);
      for (
        let round = 0;
        round < PAGES_PER_REFRESH_MAX && (await fetchNextPage(userId, peerId, isCurrent));
        round += 1
      );
      patchIfCurrent({ loadState: 'none', error: null });
      onCallSettled();
    } catch (error) {
      patchIfCurrent({ loadState: 'failed', error });
      // A newer call has replaced this one, so its error does not matter.
      if (isCurrent()) onCallSettled(error);
    }
  }

  /** Brings one conversation up to date. Never rejects: an error is part of the conversation's state. */
  function refresh(userId: string): Promise<void> {
    const current = refreshesInFlight.get(userId);
    if (current) {
      current.again = true;
      return current.done;
    }
    return startRefresh(userId);
  }

  function startRefresh(userId: string): Promise<void> {
    const refreshRun = { again: false, done: Promise.resolve() };
    const isCurrent = (): boolean => refreshesInFlight.get(userId) === refreshRun;
    refreshesInFlight.set(userId, refreshRun);
    refreshRun.done = (async () => {
      do {
        refreshRun.again = false;
        await runRefresh(userId, isCurrent);
      } while (refreshRun.again && isCurrent());
      if (isCurrent()) refreshesInFlight.delete(userId);
    })();
    return refreshRun.done;
  }

  async function loadOlder(userId: string): Promise<void> {
    const atRequest = readConversation(store, userId);
    const first = atRequest.messages[0];
    if (!first || !atRequest.hasOlder) return;
    changeConversation(store, userId, (conversation) => ({ ...conversation, olderLoadState: 'busy' }));
    try {
      const before = idNumberOf(first);
      const history: History = await api.fetchHistory(await resolvePeerId(userId), { limit: HISTORY_DEFAULT, before });
      let stale = false;
      changeConversation(store, userId, (now) => {
        const idle: Conversation = { ...now, olderLoadState: 'none' };
        if (now.epoch !== atRequest.epoch) return idle;
        const next = applyOlderPage(idle, history, before);
        stale = next === 'stale';
        return next === 'stale' ? { ...clearConversation(idle), loaded: false } : next;
      });
      if (stale) await refresh(userId);
      onCallSettled();
    } catch (error) {
      changeConversation(store, userId, (conversation) => ({ ...conversation, olderLoadState: 'failed', error }));
      onCallSettled(error);
    }
  }

  return {
    refresh,
    /** Starts a new call even if one is under way: after a change of network that one may hang until its timeout. */
    retry: startRefresh,
    /** Loads one older page. A second request while one is under way calls again; its answer counts once. */
    readOlder: loadOlder,
    /** For timers: a call that is under way already brings the same result. */
    poll: (userId: string): Promise<void> => refreshesInFlight.get(userId)?.done ?? refresh(userId),
    /** Changes whenever a page was read or the history deleted; an answer requested under another stamp may be outdated. */
    stamp: (userId: string): string => `${readConversation(store, userId).epoch} ${answerCounts.get(userId) ?? 0}`,
    /** A message from an event. Missing messages before it are fetched. */
    receive(message: Message, userId: string): void {
      updateAndNotify(userId, (conversation) => receiveMessage(conversation, message));
      if (hasGap(readConversation(store, userId))) void refresh(userId);
    },
    /** The history was deleted; loads again, because a new message may have been written since. */
    clear(userId: string): void {
      updateAndNotify(userId, clearConversation);
      if (readConversation(store, userId).loaded) void refresh(userId);
    },
  };
}
export type ConversationSync = ReturnType<typeof createConversationSync>;
