import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Note } from '#shared/api/inbox.ts';
import { addNote } from '../api.ts';
import { notesKey } from './use-notes.ts';

/** Stores a note and shows it at once, with or without a socket. It throws the `ApiError` of a refusal. */
export function useAddNote(userId: string) {
  const queryClient = useQueryClient();
  return useCallback(
    async (content: string, clientId: string, forAdminId: string | null): Promise<Note> => {
      const note = await addNote(userId, content, clientId, forAdminId);
      queryClient.setQueryData<Note[]>(notesKey(userId), (known = []) =>
        known.some(({ id }) => id === note.id) ? known : [...known, note],
      );
      return note;
    },
    [queryClient, userId],
  );
}
