import { Button, VisuallyHidden } from '@mantine/core';
import { useMergedRef, useWindowEvent } from '@mantine/hooks';
import { IconDeviceFloppy, IconLock, IconPlayerTrackNext, IconSlash } from '@tabler/icons-react';
import { type KeyboardEvent, type Ref, useEffect, useReducer, useRef, useState } from 'react';
import type { Placeholder } from '#shared/domain/reply-template.ts';
import { useReloadQuickReplies } from '#client/features/quick-replies/display/use-reload-quick-replies.ts';
import type { ChatSession } from '../../session/chat-session.ts';
import type { DraftMode } from '../../session/drafts.ts';
import { bindQuoteField, useQuoteDraft, writeQuoteDraft } from '../../session/quote-drafts.ts';
import { ComposerForm, isComposing, maySend } from '../../thread/composer/composer-form.tsx';
import { QuoteBar } from '../../thread/composer/quote-bar.tsx';
import { useDraft } from '../../thread/composer/use-draft.ts';
import classes from './admin-composer.module.css';
import { insertText } from './insert-text.ts';
import { FillNotice } from './fill-notice.tsx';
import { HeldBar } from './held-bar.tsx';
import { MissingParts } from './missing-parts.tsx';
import { ModeSwitch } from './mode-switch.tsx';
import { ReplyList } from './reply-list.tsx';
import { useComposerMode } from './use-composer-mode.ts';
import { useFieldCursor } from './use-field-cursor.ts';
import { type FilledReply, useFillReply } from './use-fill-reply.ts';
import { useMissingParts } from './use-missing-parts.ts';
import { useNoteSending } from './use-note-sending.ts';
import { useReplyPicker } from './use-reply-picker.ts';
import { useOpenNextWaiting } from './use-send-and-continue.ts';

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

  /** Whose note was the last thing that was stored, for screen readers. */
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

  useWindowEvent('keydown', (event) => {
    // By `code`: with Alt some keyboards write another character.
    if (event.code !== 'KeyN' || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!isForComposer(field.current)) return;
    event.preventDefault();
    changeMode(mode === 'note' ? 'answer' : 'note');
  });

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
  if (!field || activeElement?.closest('[role="dialog"]')) return false;
  const isOnly = document.querySelectorAll('[data-composer]').length === 1;
  return isOnly || (field.closest('section')?.contains(activeElement) ?? false);
}

type ModeProps = {
  chatSession: ChatSession;
  userId: string;
  currentUserId: string;
  field: React.RefObject<HTMLTextAreaElement | null>;
  fieldRef: Ref<HTMLTextAreaElement>;
  changeMode: (mode: DraftMode) => void;
};

type NoteProps = ModeProps & {
  /** @param isDisplayed whether this conversation is still on the screen */
  onStored: (isDisplayed: boolean) => void;
};

function NoteComposer({ userId, currentUserId, field, fieldRef, changeMode, onStored }: NoteProps) {
  const [text, setText] = useDraft(currentUserId, userId, 'note');
  const [answerDraft] = useDraft(currentUserId, userId, 'answer');
  const isDisplayed = useRef(false);
  useEffect(() => {
    isDisplayed.current = true;
    return () => {
      isDisplayed.current = false;
    };
  }, []);
  const { isBusy, error, send, clearError } = useNoteSending(currentUserId, userId, () =>
    onStored(isDisplayed.current),
  );
  // A quoted message becomes text: a note stands alone.
  useEffect(() =>
    bindQuoteField(userId, ({ sender_name, excerpt }) => {
      const { value = '' } = field.current ?? {};
      setText(`${value}${value === '' || value.endsWith('\n') ? '' : '\n'}${sender_name}: “${excerpt}”\n`);
      field.current?.focus();
    }),
  );

  return (
    <ComposerForm
      side="admin"
      field={fieldRef}
      text={text}
      onChange={(value) => {
        setText(value);
        if (error !== null) clearError();
      }}
      onSend={() => {
        send(text);
        return true;
      }}
      placeholder="Tulis catatan internal..."
      sendLabel="Simpan"
      sendIcon={IconDeviceFloppy}
      noun="Catatan"
      look="note"
      isBusy={isBusy}
      fieldProps={{ readOnly: isBusy }}
      above={
        <div className={classes['tools']}>
          <ModeSwitch mode="note" hasOtherDraft={answerDraft.trim() !== ''} onChange={changeMode} />
          <span className={classes['only']}>
            <IconLock size={16} aria-hidden />
            Hanya terlihat oleh admin
          </span>
        </div>
      }
      below={
        error === null ? null : (
          <p className={classes['failure']} role="alert">
            {error}
          </p>
        )
      }
    />
  );
}

function AnswerComposer({
  chatSession,
  userId,
  currentUserId,
  field,
  fieldRef,
  changeMode,
  onOpen,
}: ModeProps & { onOpen: (userId: string, wasWriting: boolean) => void }) {
  const [text, setText] = useDraft(currentUserId, userId);
  const [noteDraft] = useDraft(currentUserId, userId, 'note');
  const quote = useQuoteDraft(currentUserId, userId);
  const missing = useMissingParts(currentUserId, userId, text);
  const [isReminded, setReminded] = useState(false);
  const fieldCursor = useFieldCursor(field);
  const filling = useFillReply(userId, insert);
  const openNext = useOpenNextWaiting(currentUserId, userId, (id) =>
    onOpen(id, document.activeElement === field.current),
  );
  useReloadQuickReplies();
  useEffect(
    () =>
      bindQuoteField(userId, (chosen) => {
        writeQuoteDraft(currentUserId, userId, chosen);
        field.current?.focus();
      }),
    [currentUserId, userId, field],
  );
  const picker = useReplyPicker({
    text,
    cursor: fieldCursor.cursor,
    isEnabled: filling.state.kind !== 'busy',
    onChoose: filling.fill,
  });

  function change(value: string): void {
    setText(value);
    chatSession.typed(userId, value.trim() !== '');
    if (value.trim() === '') forgetMissing();
  }

  function forgetMissing(): void {
    missing.clear();
    setReminded(false);
  }

  /** Replaces what was typed for it, or stands at the cursor when that has changed meanwhile. */
  function insert({ text: filled, missing: names, token }: FilledReply): void {
    const value = field.current?.value ?? text;
    const isThere = value.slice(token.from, token.to) === `/${token.query}`;
    const at = field.current?.selectionStart ?? value.length;
    const [from, to] = isThere ? [token.from, token.to] : [at, at];
    missing.add(names);
    replacePart(value, from, to, filled);
  }

  function replacePart(value: string, from: number, to: number, replacement: string): void {
    // When it works, the field reports the change itself.
    if (!field.current || !insertText(field.current, from, to, replacement))
      change(value.slice(0, from) + replacement + value.slice(to));
    fieldCursor.select(from + replacement.length, from + replacement.length);
  }

  function selectPart({ from, to }: Placeholder): void {
    field.current?.focus();
    field.current?.setSelectionRange(from, to);
  }

  function send(): boolean {
    if (filling.state.kind === 'busy') return false;
    const [first] = missing.open;
    if (first) {
      setReminded(true);
      selectPart(first);
      return false;
    }
    if (!chatSession.send(userId, text, quote)) return false;
    setText('');
    forgetMissing();
    writeQuoteDraft(currentUserId, userId, null);
    return true;
  }

  function sendAndContinue(): boolean {
    if (!maySend(text) || !send()) return false;
    void openNext();
    return true;
  }

  function handleKey(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
    if (picker.handleKey(event)) return true;
    if (event.key === 'Escape' && filling.state.kind !== 'idle') {
      filling.cancel();
      return true;
    }
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isComposing(event)) return false;
    sendAndContinue();
    return true;
  }

  /** For those without a '/' at hand. */
  function openPicker(): void {
    const value = field.current?.value ?? text;
    const at = field.current?.selectionStart ?? value.length;
    const slash = at === 0 || /\s/.test(value.charAt(at - 1)) ? '/' : ' /';
    replacePart(value, at, at, slash);
  }

  return (
    <ComposerForm
      side="admin"
      field={fieldRef}
      text={text}
      onChange={(value) => {
        change(value);
        if (field.current) fieldCursor.follow(field.current);
      }}
      onSend={send}
      onKeyDown={handleKey}
      placeholder="Tulis pesan..."
      fieldProps={{
        ...picker.fieldProps,
        onSelect: ({ currentTarget }) => fieldCursor.follow(currentTarget),
        onBlur: fieldCursor.forget,
      }}
      above={
        <>
          <ReplyList picker={picker} />
          <div className={classes['tools']}>
            <ModeSwitch mode="answer" hasOtherDraft={noteDraft.trim() !== ''} onChange={changeMode} />
            <Button
              variant="default"
              size="sm"
              className={classes['tool'] ?? ''}
              aria-label="Balasan cepat"
              title="Balasan cepat ( / )"
              onPointerDown={(event) => event.preventDefault()}
              onClick={openPicker}
            >
              <IconSlash size={18} aria-hidden />
              <span className={classes['toolLabel']}>Balasan cepat</span>
            </Button>
            <Button
              variant="default"
              size="sm"
              className={classes['next'] ?? ''}
              aria-label="Kirim & lanjut"
              disabled={!maySend(text)}
              title="Kirim, lalu buka yang paling lama menunggu (Ctrl+Enter)"
              onPointerDown={(event) => event.preventDefault()}
              onClick={sendAndContinue}
            >
              <span className={classes['nextLabel']}>Kirim &amp; lanjut</span>
              <IconPlayerTrackNext size={18} aria-hidden />
            </Button>
          </div>
          {quote ? (
            <QuoteBar
              quote={quote}
              currentUserId={currentUserId}
              onCancel={() => {
                writeQuoteDraft(currentUserId, userId, null);
                field.current?.focus();
              }}
            />
          ) : null}
        </>
      }
      below={
        <>
          <FillNotice filling={filling} />
          <MissingParts
            open={missing.open}
            isReminder={isReminded}
            onSelect={selectPart}
            onIgnore={(name) => {
              missing.ignore(name);
              field.current?.focus();
            }}
          />
        </>
      }
    />
  );
}
