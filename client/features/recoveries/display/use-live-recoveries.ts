import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import { recoveriesQuery, reloadRecoveries } from '../api.ts';

/** Loads the requests again when somebody asks, gets in, or another admin puts one away; also what was missed meanwhile. */
export function useLiveRecoveries(): void {
  const queryClient = useQueryClient();
  const reload = useCallback(() => void reloadRecoveries(queryClient), [queryClient]);
  useServerEvent('recovery:changed', reload);
  const onConnect = useCallback(() => {
    // The first connection comes while the page loads them anyway.
    if (queryClient.getQueryData(recoveriesQuery.queryKey)) reload();
  }, [queryClient, reload]);
  useServerEvent('connect', onConnect);
}
