import type { ConversationSummary } from '#shared/api/chat.ts';
import { api } from '#client/lib/api.ts';

type ConversationTotals = { total: number; total_unread: number };
type ConversationTotalsAnswer = ConversationTotals & { data: ConversationSummary[] };

/** How many residents are registered and how many of their messages nobody has read: beside the list, so one row is enough. */
export async function fetchConversationTotals(signal: AbortSignal): Promise<ConversationTotals> {
  const query = { all: 1, limit: 1 };
  const { total, total_unread } = await api.getAnswer<ConversationTotalsAnswer>('/messages/conversations', {
    query,
    signal,
  });
  return { total, total_unread };
}
