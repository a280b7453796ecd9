import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '#client/lib/api/api.ts';
import { useLiveQuery } from '#client/realtime/use-live-query.ts';
import type { NoteForMe } from '#shared/api/chat/inbox.ts';

export const notesForMeQuery = queryOptions({
  queryKey: ['chat', 'notes-for-me'],
  queryFn: ({ signal }) => api.get('/admin/notes/for-me', { signal }),
  retry: false,
});

/** The conversations with a colleague's note for this admin that was not opened yet, the newest first (R-CHAT-62). */
export function useNotesForMe(): readonly NoteForMe[] {
  const { data = [] } = useQuery(notesForMeQuery);
  useLiveQuery('note:changed', notesForMeQuery.queryKey);
  return data;
}
