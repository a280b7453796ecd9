import { queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api.ts';
import { CONVERSATIONS_MAX } from '#shared/limits.ts';

export type ExcerptUser = { id: string; email: string };

const MESSAGES_MAX = 4;

export const excerptKey = (userId: string) => ['chat', 'excerpt', userId];

/** The last messages of a conversation, oldest first, and whether the user waits. Reading them marks nothing as read. */
export const excerptQuery = ({ id, email }: ExcerptUser) =>
  queryOptions({
    queryKey: excerptKey(id),
    queryFn: async ({ signal }) => {
      const [history, summaries] = await Promise.all([
        api.get('/messages/conversation/{userId}', { params: { userId: id }, query: { limit: MESSAGES_MAX }, signal }),
        // The list has no filter by id, but an e-mail belongs to one account.
        api.get('/messages/conversations', { query: { search: email, limit: CONVERSATIONS_MAX }, signal }),
      ]);
      const summary = summaries.find(({ other_user }) => other_user.id === id);
      return {
        messages: history.messages,
        unreadCount: summary?.unread_count ?? 0,
        unansweredSince: summary?.unanswered_since ?? null,
      };
    },
  });
