import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api } from '#client/lib/api/api.ts';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import type { NoteForMe } from '#shared/api/chat/inbox.ts';

export const notesForMeQuery = queryOptions({
  queryKey: ['chat', 'notes-for-me'],
  queryFn: ({ signal }) => api.get('/admin/notes/for-me', { signal }),
  retry: false,
});

/** The conversations with a colleague's note for this admin that was not opened yet, the newest first (R-CHAT-62). */
export function useNotesForMe(): readonly NoteForMe[] {
  const queryClient = useQueryClient();
  const { data = [] } = useQuery(notesForMeQuery);
  const reload = useCallback(
    () => void queryClient.invalidateQueries({ queryKey: notesForMeQuery.queryKey }),
    [queryClient],
  );
  useServerEvent('note:changed', reload);
  return data;
}
