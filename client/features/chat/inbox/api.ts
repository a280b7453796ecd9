import { api } from '#client/lib/api/api.ts';
import type { Note } from '#shared/api/chat/inbox.ts';

/** The calls of the admins about a conversation, beside its messages. */

/** Oldest first. */
export const fetchNotes = (userId: string, signal?: AbortSignal): Promise<Note[]> =>
  api.get('/admin/conversations/{userId}/notes', { params: { userId }, ...(signal ? { signal } : {}) });

/** @param clientId of this note: the same one again stores nothing (R-NOTE-2) */
export const addNote = (userId: string, content: string, clientId: string, forAdminId: string | null): Promise<Note> =>
  api.post('/admin/conversations/{userId}/notes', {
    params: { userId },
    body: { content, client_id: clientId, ...(forAdminId === null ? {} : { for_admin_id: forAdminId }) },
  });

/** The notes for this admin are on the screen. */
export const markNotesSeen = (userId: string) =>
  api.post('/admin/conversations/{userId}/notes/seen', { params: { userId } });

export const deleteNote = (id: string) => api.delete('/admin/notes/{id}', { params: { id } });

export const fetchTranscript = (userId: string, period: { from: string; to: string }, signal?: AbortSignal) =>
  api.get('/admin/conversations/{userId}/transcript', {
    params: { userId },
    query: period,
    ...(signal ? { signal } : {}),
  });

/** The calls about the state of a conversation. Each gives the state afterwards, or throws an `ApiError`. */

/** 409 'Sedang ditangani {nama}', unless `take`. */
export const claimConversation = (userId: string, { take = false } = {}) =>
  api.post('/admin/conversations/{userId}/claim', { params: { userId }, body: { take } });

export const releaseConversation = (userId: string) =>
  api.post('/admin/conversations/{userId}/release', { params: { userId } });

/** "Tidak perlu dibalas". @param upTo the newest message on the screen; 409 'Ada pesan baru' if there is a newer one */
export const dismissConversation = (userId: string, upTo: string) =>
  api.post('/admin/conversations/{userId}/dismiss', { params: { userId }, body: { up_to: upTo } });

export const undoDismiss = (userId: string) =>
  api.delete('/admin/conversations/{userId}/dismiss', { params: { userId } });

/** @param until an instant in ISO 8601. @param upTo as for `dismissConversation` */
export const snoozeConversation = (userId: string, until: string, upTo: string) =>
  api.post('/admin/conversations/{userId}/snooze', { params: { userId }, body: { until, up_to: upTo } });

export const undoSnooze = (userId: string) =>
  api.delete('/admin/conversations/{userId}/snooze', { params: { userId } });
