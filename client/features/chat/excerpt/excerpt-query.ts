import { queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api.ts';
import { stateOf } from '../session/list/list-order.ts';

export type ExcerptUser = { id: string };

const MESSAGES_MAX = 4;

export const excerptKey = (userId: string) => ['chat', 'excerpt', userId];

/** The last messages of a conversation, oldest first, and whether the user waits. Reading them marks nothing as read. */
export const excerptQuery = ({ id }: ExcerptUser) =>
  queryOptions({
    queryKey: excerptKey(id),
    queryFn: async ({ signal }) => {
      const [history, summaries] = await Promise.all([
        api.get('/messages/conversation/{userId}', { params: { userId: id }, query: { limit: MESSAGES_MAX }, signal }),
        api.get('/messages/conversations', { query: { user_ids: id, limit: 1 }, signal }),
      ]);
      const summary = summaries.find(({ other_user }) => other_user.id === id);
      return {
        messages: history.messages,
        unreadCount: summary?.unread_count ?? 0,
        unansweredSince: summary && stateOf(summary) === 'waiting' ? summary.unanswered_since : null,
      };
    },
  });
