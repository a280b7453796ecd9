import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useCallback, useEffect, useRef } from 'react';
import { connectionNumberAtom, socketConnectedAtom } from '#client/realtime/connection-state.ts';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import type { Office } from '#shared/api/office/office.ts';
import type { PresenceUpdate } from '#shared/events.ts';
import { OFFICE_POLL_MS } from '#shared/limits.ts';
import { officeQuery } from '../api.ts';

/** No event tells a new usual wait, which changes slowly. */
const RELOAD_MS = 300_000;

/** The state of the office for this user, and its time. Events update it; without a socket, polling does. */
export function useOffice(): { office: Office | undefined; atMs: number } {
  const queryClient = useQueryClient();
  const isConnected = useAtomValue(socketConnectedAtom);
  const connectionNumber = useAtomValue(connectionNumberAtom);
  const { data, dataUpdatedAt } = useQuery({
    ...officeQuery,
    refetchInterval: isConnected ? RELOAD_MS : OFFICE_POLL_MS,
  });

  // While there was no connection an event may have been missed; the load at the start is the query's own.
  const loadedFor = useRef(connectionNumber);
  useEffect(() => {
    if (loadedFor.current === connectionNumber) return;
    loadedFor.current = connectionNumber;
    void queryClient.invalidateQueries({ queryKey: officeQuery.queryKey });
  }, [connectionNumber, queryClient]);

  const apply = useCallback(
    (change: Partial<Office>): void => {
      queryClient.setQueryData(officeQuery.queryKey, (known) => known && { ...known, ...change });
      // An answer that is under way may be older than the event.
      if (queryClient.isFetching({ queryKey: officeQuery.queryKey }) > 0) {
        void queryClient.invalidateQueries({ queryKey: officeQuery.queryKey });
      }
    },
    [queryClient],
  );
  useServerEvent('office', apply);
  useServerEvent('queue', apply);
  useServerEvent('queue:length', apply);
  const applyPresence = useCallback(
    (update: PresenceUpdate): void => {
      if ('admin_online' in update) apply(update);
    },
    [apply],
  );
  useServerEvent('presence', applyPresence);
  return { office: data, atMs: dataUpdatedAt };
}
