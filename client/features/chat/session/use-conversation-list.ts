import { useAtomValue } from 'jotai';
import { useEffect, useMemo } from 'react';
import { filterKey, initialPaging } from '../state/list-sync.ts';
import { visibleSummaries } from '../state/model/conversation-list.ts';
import type { ListFilter } from '../state/model/list-order.ts';
import { listAtom, listPagingAtom } from '../state/selectors.ts';
import type { ChatSession } from './chat-session.ts';

/** The inbox list under a filter, kept current. */
export function useConversationList(chatSession: ChatSession | null, filter: ListFilter) {
  const { search, only } = filter;
  const key = filterKey(filter);
  const list = useAtomValue(listAtom);
  const paging = useAtomValue(listPagingAtom)[key] ?? initialPaging;
  const summaries = useMemo(
    () => visibleSummaries(list, { search, only }, paging.hasMore ? paging.lastLoadedKey : null),
    [list, search, only, paging.hasMore, paging.lastLoadedKey],
  );
  useEffect(() => chatSession?.lists.show({ search, only }), [chatSession, search, only]);
  return {
    summaries,
    hasMore: paging.hasMore,
    loadState: paging.loadState,
    error: paging.error,
    loadMore: () => chatSession?.lists.readMore({ search, only }),
    refresh: () => chatSession?.lists.refresh({ search, only }),
  };
}
