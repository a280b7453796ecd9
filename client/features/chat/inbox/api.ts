import { api } from '#client/lib/api.ts';

type ConversationTotals = { total: number; total_unread: number };

/** How many residents are registered and how many of their messages nobody has read: beside the list, so one row is enough. */
export async function fetchConversationTotals(signal: AbortSignal): Promise<ConversationTotals> {
  const { total, total_unread } = await api.getAnswer('/messages/conversations', {
    query: { all: 1, limit: 1 },
    signal,
  });
  return { total, total_unread };
}
