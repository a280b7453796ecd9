import { CHAT_POLL_CONVERSATION_MS, CHAT_POLL_LIST_MS, CHAT_POLL_NEW_MS } from '#shared/limits.ts';
import type { Side } from '#shared/events.ts';

export type PollingDeps = {
  side: Side;
  pollConversations: () => void;
  pollList: () => void;
};

/**
 * Replaces the socket while it is not connected (R-CHAT-15). A user's conversation is polled every 5 s, and every 3 s for new
 * messages. An admin's open conversation is polled every 5 s, the list every 10 s. Hidden tabs poll too, because notifications
 * depend on it.
 */
export function createPolling({ side, pollConversations, pollList }: PollingDeps) {
  let timers: ReturnType<typeof setInterval>[] = [];
  const pollEvery = (ms: number, poll: () => void): void => void timers.push(setInterval(poll, ms));

  return {
    start(): void {
      if (timers.length > 0) return;
      pollEvery(CHAT_POLL_CONVERSATION_MS, pollConversations);
      if (side === 'user') pollEvery(CHAT_POLL_NEW_MS, pollConversations);
      else pollEvery(CHAT_POLL_LIST_MS, pollList);
    },
    stop(): void {
      for (const timer of timers) clearInterval(timer);
      timers = [];
    },
  };
}
