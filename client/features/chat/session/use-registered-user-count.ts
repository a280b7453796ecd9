import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useAtomValue, useStore } from 'jotai';
import { useCallback, useEffect, useRef } from 'react';
import { CHAT_POLL_LIST_MS } from '#shared/limits.ts';
import { connectionNumberAtom, socketConnectedAtom } from '#client/realtime/connection-state.ts';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import { dispatchAtom, listAtom, mayLoadAtom } from '../state/selectors.ts';
import { api } from '#client/lib/api/api.ts';

const TOTALS_QUERY_KEY = ['chat', 'totals'];
/** Many users may register at once; the totals are counted once in this time. */
const RECOUNT_THROTTLE_MS = 1000;

type ConversationTotals = { total: number; total_unread: number };

/** The number of registered users and of their unread messages. Both stand beside the list, so one row is enough. */
async function fetchConversationTotals(signal: AbortSignal): Promise<ConversationTotals> {
  const { total, total_unread } = await api.getAnswer('/messages/conversations', {
    query: { all: 1, limit: 1 },
    signal,
  });
  return { total, total_unread };
}

/**
 * The number of registered users, which follows registrations and deletions. It also loads the admins' unread total before the
 * first event brings it. Both are loaded again after a reconnect, and as often as the list while there is no socket.
 */
export function useRegisteredUserCount(): number | undefined {
  const store = useStore();
  const { dispatch } = useAtomValue(dispatchAtom);
  const queryClient = useQueryClient();
  const socketConnected = useAtomValue(socketConnectedAtom);
  const connectionNumber = useAtomValue(connectionNumberAtom);
  const listedCount = useAtomValue(listAtom).order.length;
  const { data: registeredCount } = useQuery({
    // Every connection has its own answer.
    queryKey: [...TOTALS_QUERY_KEY, connectionNumber],
    enabled: useAtomValue(mayLoadAtom),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { unreadEventCount } = store.get(listAtom);
      const { total, total_unread } = await fetchConversationTotals(signal);
      dispatch({ type: 'call.totalsLoaded', totalUnread: total_unread, unreadEventCount });
      return total;
    },
    refetchInterval: socketConnected ? false : CHAT_POLL_LIST_MS,
  });

  // A user has written who was not registered at the last count.
  const isOutdated = registeredCount !== undefined && listedCount > registeredCount;
  useEffect(() => {
    if (isOutdated) void queryClient.invalidateQueries({ queryKey: TOTALS_QUERY_KEY }, { cancelRefetch: false });
  }, [queryClient, isOutdated]);

  const recountTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(recountTimer.current), []);
  const scheduleRecount = useCallback(() => {
    if (recountTimer.current !== undefined) return;
    recountTimer.current = setTimeout(() => {
      recountTimer.current = undefined;
      // Several components use this number; the first one's call serves all.
      void queryClient.invalidateQueries({ queryKey: TOTALS_QUERY_KEY }, { cancelRefetch: false });
    }, RECOUNT_THROTTLE_MS);
  }, [queryClient]);
  useServerEvent('user:changed', scheduleRecount);

  return registeredCount;
}
