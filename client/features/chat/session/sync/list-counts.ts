import type { ConversationCounts } from '#shared/api/chat.ts';
import type { ChatApi } from '../api.ts';
import { type ChatStore, listAtom } from '../state.ts';

export type ListCountsDeps = {
  store: ChatStore;
  api: Pick<ChatApi, 'fetchConversations'>;
  onCallSettled: (error?: unknown) => void;
};

/** What comes together is counted together. */
const COLLECT_MS = 100;
/** Between two counts on a busy day. */
const PAUSE_MS = 1000;
/** After a count that has failed. */
const RETRY_MS = 5000;

/**
 * The number of conversations in each filter, counted by the server: with every page of a list, and again after events. An
 * answer to an older request never replaces one to a newer.
 */
export function createListCounts({ store, api, onCallSettled }: ListCountsDeps) {
  let requestCount = 0;
  let lastApplied = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastCountAtMs = -Infinity;
  let stopped = false;

  /** @returns takes the counts of the answer to a request that begins now */
  function beginRequest(): (counts: ConversationCounts | undefined) => void {
    requestCount += 1;
    const number = requestCount;
    return (counts) => {
      if (!counts || stopped || number < lastApplied) return;
      lastApplied = number;
      store.set(listAtom, { ...store.get(listAtom), counts });
    };
  }

  async function recount(): Promise<void> {
    timer = undefined;
    lastCountAtMs = Date.now();
    const apply = beginRequest();
    try {
      apply((await api.fetchConversations({ all: 1, limit: 1, page: 1 })).counts);
      onCallSettled();
    } catch (error) {
      onCallSettled(error);
      if (!stopped) timer ??= setTimeout(() => void recount(), RETRY_MS);
    }
  }

  return {
    beginRequest,
    /** After an event. An event during a count causes another one. */
    recountSoon(): void {
      timer ??= setTimeout(() => void recount(), Math.max(COLLECT_MS, lastCountAtMs + PAUSE_MS - Date.now()));
    },
    stop(): void {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
