import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Note } from '#shared/api/inbox.ts';
import { notesForMeQuery } from '../../display/use-notes-for-me.ts';
import { markNotesSeen } from '../api.ts';

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
