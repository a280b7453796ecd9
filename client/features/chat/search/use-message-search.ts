import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import { api } from '#client/lib/api/api.ts';
import type { MessageSearchResult } from '#shared/api/chat/inbox.ts';

/** A page of found messages, newest first. */
type FoundPage = { data: MessageSearchResult[]; has_more: boolean; indexed_percent: number };

type Query = { q: string; before?: string; user_id?: string };

/** All conversations, or the one of `user_id`; for admins. */
const searchAllMessages = (query: Query, signal: AbortSignal): Promise<FoundPage> =>
  api.get('/admin/messages/search', { query, signal });

/** The own conversation of a user. */
const searchOwnMessages = ({ q, before }: Query, signal: AbortSignal): Promise<FoundPage> =>
  api.get('/messages/search', { query: { q, ...(before === undefined ? {} : { before }) }, signal });

/** One letter is in nearly every message. */
export const SEARCH_MIN_LENGTH = 2;

const QUERY_KEY = ['messages', 'search'];

/** `all`: every conversation, or only that of `userId`; `own`: the one of the signed-in user. */
export type SearchScope = { kind: 'all'; userId: string | null } | { kind: 'own' };

/** The messages that contain the words of a text, page by page. */
export function useMessageSearch(q: string, scope: SearchScope) {
  const queryClient = useQueryClient();
  // A deleted message must not stand in a list of results.
  const reload = useCallback(() => void queryClient.invalidateQueries({ queryKey: QUERY_KEY }), [queryClient]);
  useServerEvent('conversation:deleted', reload);
  const userId = scope.kind === 'all' ? scope.userId : null;
  const isLongEnough = Array.from(q.trim()).length >= SEARCH_MIN_LENGTH;
  const result = useInfiniteQuery({
    queryKey: [...QUERY_KEY, scope.kind, userId, q.trim()],
    queryFn: ({ pageParam, signal }) => {
      const query = { q: q.trim(), ...(pageParam === null ? {} : { before: pageParam }) };
      if (scope.kind === 'own') return searchOwnMessages(query, signal);
      return searchAllMessages({ ...query, ...(userId === null ? {} : { user_id: userId }) }, signal);
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ data, has_more }) => (has_more ? (data.at(-1)?.message._id ?? null) : null),
    enabled: isLongEnough,
    placeholderData: keepPreviousData,
    // Back at the results, what was deleted meanwhile must be gone from them.
    staleTime: 0,
  });
  const pages = isLongEnough ? (result.data?.pages ?? []) : [];
  return {
    isLongEnough,
    found: pages.flatMap(({ data }) => data),
    /** Share of all messages that can be found already; null while nothing is known. */
    indexedPercent: pages.at(-1)?.indexed_percent ?? null,
    /** Whether the results shown belong to the text before. */
    isOutdated: result.isPlaceholderData,
    isPending: isLongEnough && result.isPending,
    error: result.isError ? result.error : null,
    hasMore: isLongEnough && result.hasNextPage,
    isLoadingMore: result.isFetchingNextPage,
    loadMore: () => {
      if (result.hasNextPage && !result.isFetchingNextPage) void result.fetchNextPage();
    },
    retry: () => void (result.isFetchNextPageError ? result.fetchNextPage() : result.refetch()),
  };
}
