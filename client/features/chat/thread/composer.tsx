import { Button, Textarea } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { IconSend2 } from '@tabler/icons-react';
import { type KeyboardEvent, type Ref, useEffect, useId, useRef } from 'react';
import { MESSAGE_MAX } from '#shared/limits.ts';
import { fieldTexts } from '#shared/texts.ts';
import type { ChatSession } from '../session/chat-session.ts';
import classes from './composer.module.css';
import { RefusedFileNotice } from './refused-file-notice.tsx';
import { useDraft } from './use-draft.ts';
import { useRefusedFiles } from './use-refused-files.ts';

type Props = {
  chatSession: ChatSession;
  userId: string;
  placeholder: string;
  sendLabel?: string;
  autoFocus?: boolean;
  onEscape?: () => void;
  ref?: Ref<HTMLTextAreaElement>;
};

/** From this length on the number of characters is shown. */
const SHOW_COUNT_FROM = MESSAGE_MAX - 200;

/** Some keyboards end a composed word with Enter; that must not send the message. */
function isSendKey(event: KeyboardEvent): boolean {
  if (event.key !== 'Enter' || event.shiftKey) return false;
  return !event.nativeEvent.isComposing && event.nativeEvent.keyCode !== 229;
}

/** The message field: Enter sends, Shift+Enter makes a new line, and the draft is kept. */
export function Composer(props: Props) {
  // Another conversation has another draft.
  return <ComposerForm key={props.userId} {...props} />;
}

function ComposerForm({ chatSession, userId, placeholder, sendLabel = 'Kirim', autoFocus, onEscape, ref }: Props) {
  const { id: currentUserId, side } = chatSession.currentUser;
  const [text, setText] = useDraft(currentUserId, userId);
  const form = useRef<HTMLFormElement>(null);
  const { refused, handlePaste, dismiss } = useRefusedFiles(form);
  const countId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const fieldRef = useMergedRef(ref, field);
  useEffect(() => {
    if (autoFocus) field.current?.focus();
  }, [autoFocus]);
  const length = Array.from(text.trim()).length;
  const isTooLong = length > MESSAGE_MAX;

  function handleChange(value: string): void {
    setText(value);
    chatSession.typed(userId, value.trim() !== '');
  }

  function send(): void {
    if (isTooLong || !chatSession.send(userId, text)) return;
    setText('');
    dismiss();
  }

  return (
    <form
      ref={form}
      className={classes['composer']}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <RefusedFileNotice refused={refused} side={side} onDismiss={dismiss} />
      <Textarea
        ref={fieldRef}
        className={classes['field'] ?? ''}
        placeholder={placeholder}
        aria-label={placeholder}
        aria-describedby={countId}
        value={text}
        onPaste={handlePaste}
        onChange={(event) => handleChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && onEscape) {
            event.stopPropagation();
            onEscape();
          }
          if (!isSendKey(event)) return;
          event.preventDefault();
          send();
        }}
        error={isTooLong}
        autosize
        minRows={1}
        maxRows={5}
        enterKeyHint="send"
        autoComplete="off"
      />
      <Button
        type="submit"
        disabled={length === 0 || isTooLong}
        // A tap must not take the focus: the phone's keyboard would close after every message.
        onPointerDown={(event) => event.preventDefault()}
        rightSection={<IconSend2 size={18} aria-hidden />}
      >
        {sendLabel}
      </Button>
      <output id={countId} className={classes['count']} data-wrong={isTooLong || undefined}>
        {isTooLong ? `${fieldTexts.tooLong('Pesan', MESSAGE_MAX)} (${length})` : null}
        {!isTooLong && length >= SHOW_COUNT_FROM ? `${length} dari ${MESSAGE_MAX} karakter` : null}
      </output>
    </form>
  );
}
