import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useCallback, useEffect, useRef } from 'react';
import { reloadQueries } from '#client/lib/reload-queries.ts';
import { connectionNumberAtom, socketConnectedAtom } from '#client/realtime/connection-state.ts';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import { fetchNotes } from '../api.ts';

export const notesKey = (userId: string) => ['chat', 'notes', userId];

/** Without a socket no event says that a note was written. */
const POLL_MS = 10_000;

/** The notes about a conversation, kept current. @param enabled false while it is known that there are none */
export function useNotes(userId: string, { enabled = true }: { enabled?: boolean } = {}) {
  const queryClient = useQueryClient();
  const query = useQuery({
    queryKey: notesKey(userId),
    queryFn: ({ signal }) => fetchNotes(userId, signal),
    enabled,
    refetchInterval: useAtomValue(socketConnectedAtom) ? false : POLL_MS,
    // An account that does not exist gets no notes by asking again.
    retry: false,
  });
  const reload = useCallback(
    () => void reloadQueries(queryClient, { queryKey: notesKey(userId) }),
    [queryClient, userId],
  );
  const onChange = useCallback(
    (changed: { user_id: string }) => {
      if (changed.user_id === userId) reload();
    },
    [reload, userId],
  );
  useServerEvent('note:changed', onChange);
  // What was loaded before the last connection may lack an event.
  const connectionNumber = useAtomValue(connectionNumberAtom);
  const knownConnection = useRef(connectionNumber);
  useEffect(() => {
    if (knownConnection.current === connectionNumber) return;
    knownConnection.current = connectionNumber;
    reload();
  }, [connectionNumber, reload]);
  return query;
}
