import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import { waitingConversationsQuery } from '../api.ts';

/** Many messages within this time cause one call. */
const RELOAD_DELAY_MS = 1000;

/** The number of users who wait for an answer, and the longest wait. Every message updates both. */
export function useWaitingConversations() {
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const reload = useCallback(() => {
    if (timer.current !== null) return;
    timer.current = setTimeout(() => {
      timer.current = null;
      void queryClient.invalidateQueries({ queryKey: waitingConversationsQuery.queryKey });
    }, RELOAD_DELAY_MS);
  }, [queryClient]);
  useEffect(() => {
    const pending = timer;
    return () => {
      if (pending.current !== null) clearTimeout(pending.current);
      pending.current = null;
    };
  }, []);
  useServerEvent('message:new', reload);
  useServerEvent('conversation:deleted', reload);
  useServerEvent('conversation:state', reload);
  return useQuery(waitingConversationsQuery);
}
