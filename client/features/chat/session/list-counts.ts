import type { ConversationCounts } from '#shared/api/chat.ts';
import type { ChatApi } from './api.ts';
import { type ChatStore, listAtom } from './state.ts';

export type ListCountsDeps = {
  store: ChatStore;
  api: Pick<ChatApi, 'fetchConversations'>;
  onCallSettled: (error?: unknown) => void;
};

/** What comes together is counted together. */
const COLLECT_MS = 100;
/** Between two counts on a busy day. */
const PAUSE_MS = 1000;

/**
 * The number of conversations in each filter, counted by the server: with every page of a list, and again after events. An
 * answer to an older request never replaces one to a newer.
 */
export function createListCounts({ store, api, onCallSettled }: ListCountsDeps) {
  let requestCount = 0;
  let lastApplied = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastCountAtMs = -Infinity;

  /** @returns takes the counts of the answer to a request that begins now */
  function beginRequest(): (counts: ConversationCounts | undefined) => void {
    requestCount += 1;
    const number = requestCount;
    return (counts) => {
      if (!counts || number < lastApplied) return;
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
      // The next event, connection or poll counts again.
      onCallSettled(error);
    }
  }

  return {
    beginRequest,
    /** After an event. An event during a count causes another one. */
    recountSoon(): void {
      timer ??= setTimeout(() => void recount(), Math.max(COLLECT_MS, lastCountAtMs + PAUSE_MS - Date.now()));
    },
    stop: (): void => clearTimeout(timer),
  };
}
export type ListCounts = ReturnType<typeof createListCounts>;
