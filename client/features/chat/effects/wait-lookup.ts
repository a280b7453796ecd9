import type { ConversationSummary } from '#shared/api/chat/chat.ts';
import { CONVERSATIONS_MAX } from '#shared/limits.ts';
import type { ChatApi } from './api.ts';
import { type ChatStore, chatStateAtom } from '../state/chat-state.ts';
import type { WaitLookup } from '../notifications/repeated-beep.ts';

function isWaiting({ state, unanswered_since }: ConversationSummary): boolean {
  return state === undefined ? unanswered_since !== null : state === 'waiting';
}

/** Answers from the list that the events keep current, and asks the server about what is not in it. */
export function createWaitLookup(store: ChatStore, api: Pick<ChatApi, 'fetchConversations'>): WaitLookup {
  const summaryOf = (userId: string): ConversationSummary | undefined => {
    const summary = store.get(chatStateAtom).list.entries[userId]?.summary;
    return summary?.state !== undefined && store.get(chatStateAtom).isConnected ? summary : undefined;
  };
  const claimantOf = (summary: ConversationSummary | undefined): string | null => summary?.claimed_by?.id ?? null;

  return {
    claimantOf: (userId) => claimantOf(store.get(chatStateAtom).list.entries[userId]?.summary),
    async findUnhandled(alerts) {
      const isUnhandled = (summary: ConversationSummary, claimedBefore: string | null): boolean => {
        const claimant = claimantOf(summary);
        return isWaiting(summary) && (claimant === null || claimant === claimedBefore);
      };
      const known = alerts.filter(({ userId }) => summaryOf(userId) !== undefined);
      const unknown = alerts.filter(({ userId }) => summaryOf(userId) === undefined);
      const unhandled = known.filter(({ userId, claimantId }) => {
        const summary = summaryOf(userId);
        return summary !== undefined && isUnhandled(summary, claimantId);
      });
      if (unknown.length === 0) return unhandled;
      try {
        const userIds = unknown.map(({ userId }) => userId).join(',');
        const { data } = await api.fetchConversations({ all: 1, user_ids: userIds, limit: CONVERSATIONS_MAX, page: 1 });
        const byId = new Map(data.map((row) => [row.other_user._id, row]));
        const found = unknown.filter(({ userId, claimantId }) => {
          const row = byId.get(userId);
          return row !== undefined && isUnhandled(row, claimantId);
        });
        return [...unhandled, ...found];
      } catch {
        // The connection state shows it, and nothing says that somebody has answered.
        return [...unhandled, ...unknown];
      }
    },
  };
}
