import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { reloadQueries } from '#client/lib/api/reload-queries.ts';
import { useServerEvent } from './use-server-event.ts';

type ChangeEvent = 'recovery:changed' | 'erasure:changed' | 'notice:new' | 'note:changed';

/**
 * Loads a query again when the server says that its answer is another one, and what was missed without a connection.
 * @param queryKey should be stable
 */
export function useLiveQuery(event: ChangeEvent, queryKey: QueryKey): void {
  const queryClient = useQueryClient();
  const reload = useCallback(() => void reloadQueries(queryClient, { queryKey }), [queryClient, queryKey]);
  useServerEvent(event, reload);
  const onConnect = useCallback(() => {
    // The first connection comes while the page loads it anyway. A load that failed for lack of one is tried again.
    const status = queryClient.getQueryState(queryKey)?.status;
    if (status === 'success' || status === 'error') reload();
  }, [queryClient, queryKey, reload]);
  useServerEvent('connect', onConnect);
}
