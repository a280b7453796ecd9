import { VisuallyHidden } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { type Ref, useEffect, useReducer, useRef, useState } from 'react';
import { useAtom } from 'jotai';
import { usePageKeys } from '#client/ui/keys/page-keys.ts';
import type { ChatSession } from '../../session/chat-session.ts';
import type { DraftMode } from '../../drafts/drafts.ts';
import classes from './admin-composer.module.css';
import { AnswerComposer } from './answer-composer.tsx';
import { HeldBar } from './held-bar.tsx';
import { NoteComposer } from './note-composer.tsx';
import { composerModesAtom } from './composer-state.ts';

export function useComposerMode(userId: string): [mode: DraftMode, setMode: (mode: DraftMode) => void] {
  const [modes, setModes] = useAtom(composerModesAtom);
  return [modes[userId] ?? 'answer', (mode) => setModes((known) => ({ ...known, [userId]: mode }))];
}

type Props = {
  chatSession: ChatSession;
  userId: string;
  /** Opens another conversation in the place of this one. `wasWriting`: this field had the focus. */
  onOpen: (userId: string, wasWriting: boolean) => void;
  ref?: Ref<HTMLTextAreaElement>;
};

/** The field of an admin: an answer, or a note for the other admins; each with its own draft. */
export function AdminComposer({ chatSession, userId, onOpen, ref }: Props) {
  const [mode, setMode] = useComposerMode(userId);
  const { id: currentUserId } = chatSession.currentUser;
  const field = useRef<HTMLTextAreaElement>(null);
  const fieldRef = useMergedRef(ref, field);
  // The other field takes the focus once it is there.
  const [focusRequests, requestFocus] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (focusRequests > 0) field.current?.focus({ preventScroll: true });
  }, [focusRequests]);

  /** The user of the note that was stored last, for screen readers. */
  const [storedFor, setStoredFor] = useState<string | null>(null);

  function changeMode(next: DraftMode): void {
    setStoredFor(null);
    // Ends the typing notice of the reply; a note is written without one.
    if (next === 'note') chatSession.typed(userId, false);
    setMode(next);
    requestFocus();
  }

  /** The next text is an answer again, so that none becomes a note unseen. */
  function leaveNote(isDisplayed: boolean): void {
    setMode('answer');
    if (!isDisplayed) return;
    setStoredFor(userId);
    const { activeElement } = document;
    // Not away from what the admin has turned to meanwhile. A button that was disabled has lost the focus to the page.
    if (activeElement === document.body || field.current?.form?.contains(activeElement)) requestFocus();
  }

  usePageKeys(
    (event) => {
      // By `code`: with Alt some keyboards write another character.
      if (event.code !== 'KeyN' || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (!isForComposer(field.current)) return;
      event.preventDefault();
      changeMode(mode === 'note' ? 'answer' : 'note');
    },
    { inFields: true },
  );

  const props = { chatSession, userId, currentUserId, fieldRef, field, changeMode };
  return (
    <div className={classes['composer']} data-composer>
      <HeldBar
        chatSession={chatSession}
        userId={userId}
        onEdit={() => changeMode('answer')}
        onDone={() => field.current?.focus({ preventScroll: true })}
      />
      <VisuallyHidden component="output">
        {storedFor === userId ? 'Catatan disimpan. Kembali ke Balas.' : null}
      </VisuallyHidden>
      {/* Two components, so that nothing of one mode can end up in the other. */}
      {mode === 'note' ? (
        <NoteComposer key={`${userId} note`} {...props} onStored={leaveNote} />
      ) : (
        <AnswerComposer key={userId} {...props} onOpen={onOpen} />
      )}
    </div>
  );
}

/** Whether a key belongs to this composer: the focus is in its conversation, or there is no other one. */
function isForComposer(field: HTMLTextAreaElement | null): boolean {
  const { activeElement } = document;
  if (!field) return false;
  const isOnly = document.querySelectorAll('[data-composer]').length === 1;
  return isOnly || (field.closest('section')?.contains(activeElement) ?? false);
}
