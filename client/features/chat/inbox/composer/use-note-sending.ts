import { useAtomValue, useStore } from 'jotai';
import { v4 as newClientId } from 'uuid';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { messageOf } from '#client/lib/api/api-error.ts';
import { isPlainObject } from '#client/lib/storage/is-plain-object.ts';
import { readStored } from '#client/lib/storage/safe-storage.ts';
import type { Note } from '#shared/api/chat/inbox.ts';
import { changeDraft, readDraft } from '../../drafts/drafts.ts';
import { type NoteState, noteStatesAtom } from './composer-state.ts';
import { writeStoredText } from '../../drafts/stored-text.ts';
import { addNote } from '../api.ts';
import { notesKey } from '../notes/use-notes.ts';

/** Stores a note and shows it at once, with or without a socket. It throws the `ApiError` of a refusal. */
function useAddNote(userId: string) {
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

const idle: NoteState = { isBusy: false, error: null };

/**
 * The text of the last attempt with its id: the same text for the same admin again is the same note, also after a reload, so that a repeat
 * after a lost answer stores nothing twice.
 */
function clientIdOf(key: string, content: string, forAdminId: string | null): string {
  try {
    const value: unknown = JSON.parse(readStored(key) ?? 'null');
    if (
      isPlainObject(value) &&
      value['content'] === content &&
      (value['for_admin_id'] ?? null) === forAdminId &&
      typeof value['client_id'] === 'string'
    )
      return value['client_id'];
  } catch {
    // Written by other code.
  }
  return newClientId();
}

/**
 * Stores notes. The draft stays until the server has the note.
 * @param onStored called when nothing is left to write
 */
export function useNoteSending(currentUserId: string, userId: string, onStored: () => void) {
  const store = useStore();
  const storeNote = useAddNote(userId);
  const state = useAtomValue(noteStatesAtom)[userId] ?? idle;
  const setState = (next: NoteState): void =>
    store.set(noteStatesAtom, { ...store.get(noteStatesAtom), [userId]: next });

  async function send(text: string, forAdminId: string | null): Promise<void> {
    const content = text.trim();
    const key = `pbb-chat-note:${currentUserId}:${userId}`;
    const clientId = clientIdOf(key, content, forAdminId);
    writeStoredText(key, JSON.stringify({ content, client_id: clientId, for_admin_id: forAdminId }));
    setState({ isBusy: true, error: null });
    try {
      await storeNote(content, clientId, forAdminId);
      writeStoredText(key, null);
      // Text that another tab has typed meanwhile stays.
      changeDraft(currentUserId, userId, 'note', (draft) => (draft.trim() === content ? '' : draft));
      setState(idle);
      if (readDraft(currentUserId, userId, 'note') === '') onStored();
    } catch (error) {
      setState({ isBusy: false, error: messageOf(error, 'Catatan belum tersimpan. Periksa koneksi, lalu coba lagi.') });
    }
  }

  return {
    ...state,
    send: (text: string, forAdminId: string | null): void => void send(text, forAdminId),
    clearError: () => setState(idle),
  };
}
