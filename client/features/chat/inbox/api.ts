import type { ConversationSummary } from '#shared/api/chat.ts';
import { api } from '#client/lib/api.ts';

type Figures = { total: number; total_unread: number };
type Answer = Figures & { data: ConversationSummary[] };

/** How many residents are registered and how many of their messages nobody has read: beside the list, so one row is enough. */
export async function fetchFigures(signal: AbortSignal): Promise<Figures> {
  const query = { all: 1, limit: 1 };
  const { total, total_unread } = await api.getWhole<Answer>('/messages/conversations', { query, signal });
  return { total, total_unread };
}
