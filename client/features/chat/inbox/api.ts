import { api } from '#client/lib/api.ts';
import type { Note } from '#shared/api/inbox.ts';

/** The calls of the admins about a conversation, beside its messages. */

/** Oldest first. */
export const fetchNotes = (userId: string, signal?: AbortSignal): Promise<Note[]> =>
  api.get('/admin/conversations/{userId}/notes', { params: { userId }, ...(signal ? { signal } : {}) });

/** @param clientId of this note: the same one again stores nothing (R-NOTE-2) */
export const addNote = (userId: string, content: string, clientId: string): Promise<Note> =>
  api.post('/admin/conversations/{userId}/notes', { params: { userId }, body: { content, client_id: clientId } });

export const deleteNote = (id: string) => api.delete('/admin/notes/{id}', { params: { id } });

export const fetchTranscript = (userId: string, period: { from: string; to: string }, signal?: AbortSignal) =>
  api.get('/admin/conversations/{userId}/transcript', {
    params: { userId },
    query: period,
    ...(signal ? { signal } : {}),
  });
