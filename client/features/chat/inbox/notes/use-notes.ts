import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { reloadQueries } from '#client/lib/api/reload-queries.ts';
import { connectionNumberAtom, socketConnectedAtom } from '#client/realtime/connection-state.ts';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import type { Note } from '#shared/api/chat/inbox.ts';
import { fetchNotes, markNotesSeen } from '../api.ts';
import { notesForMeQuery } from '../../display/use-notes-for-me.ts';

export const notesKey = (userId: string) => ['chat', 'notes', userId];

const notesQuery = (userId: string) =>
  queryOptions({
    queryKey: notesKey(userId),
    queryFn: ({ signal }) => fetchNotes(userId, signal),
    // An account that does not exist gets no notes by asking again.
    retry: false,
    staleTime: 0,
  });

/** Without a socket no event says that a note was written. */
const POLL_MS = 10_000;

/** The notes about a conversation, kept current. @param enabled false while it is known that there are none */
export function useNotes(userId: string, { enabled = true }: { enabled?: boolean } = {}) {
  const queryClient = useQueryClient();
  const isConnected = useAtomValue(socketConnectedAtom);
  const options = useMemo(() => notesQuery(userId), [userId]);
  const query = useQuery({ ...options, enabled, refetchInterval: isConnected ? false : POLL_MS });
  const reload = useCallback((): void => {
    // A conversation without notes may have one now, and the library never reloads a query that is not enabled.
    if (enabled) void reloadQueries(queryClient, { queryKey: options.queryKey });
    else queryClient.fetchQuery(options).catch(() => undefined);
  }, [queryClient, options, enabled]);
  const onChange = useCallback(
    (changed: { user_id: string }) => {
      if (changed.user_id === userId) reload();
    },
    [reload, userId],
  );
  useServerEvent('note:changed', onChange);
  // Notes that were loaded before the last connection may lack an event.
  const connectionNumber = useAtomValue(connectionNumberAtom);
  const knownConnection = useRef(connectionNumber);
  useEffect(() => {
    if (knownConnection.current === connectionNumber) return;
    knownConnection.current = connectionNumber;
    reload();
  }, [connectionNumber, reload]);
  return query;
}

/** Tells the server that the notes for this admin are on the screen. A failed call is repeated with the next load of the notes. */
export function useMarkNotesSeen(userId: string, adminId: string, notes: readonly Note[] | undefined): void {
  const queryClient = useQueryClient();
  const newest = notes?.findLast((note) => note.for?.id === adminId && note.seen_at === null)?.id;
  const told = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (newest === undefined || newest === told.current) return;
    told.current = newest;
    markNotesSeen(userId)
      .then(() => queryClient.invalidateQueries({ queryKey: notesForMeQuery.queryKey }))
      .catch(() => {
        told.current = undefined;
      });
  }, [newest, userId, queryClient]);
}
