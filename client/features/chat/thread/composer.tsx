import { Button, Textarea } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { IconSend2 } from '@tabler/icons-react';
import { type KeyboardEvent, type Ref, useEffect, useId, useRef, useState } from 'react';
import { MESSAGE_MAX } from '#shared/limits.ts';
import { fieldTexts } from '#shared/texts.ts';
import type { ChatClient } from '../session/client.ts';
import { readDraft, writeDraft } from '../session/drafts.ts';
import classes from './composer.module.css';

type Props = {
  client: ChatClient;
  userId: string;
  placeholder: string;
  sendLabel?: string;
  autoFocus?: boolean;
  onEscape?: () => void;
  ref?: Ref<HTMLTextAreaElement>;
};

/** From here on the person sees how much room is left. */
const COUNT_FROM = MESSAGE_MAX - 200;

/** Some keyboards end a composed word with Enter; that is no wish to send. */
function isSending(event: KeyboardEvent): boolean {
  if (event.key !== 'Enter' || event.shiftKey) return false;
  return !event.nativeEvent.isComposing && event.nativeEvent.keyCode !== 229;
}

/** Where one writes: Enter sends, Shift+Enter makes a new line, and what is half-written stays. */
export function Composer(props: Props) {
  // Another conversation has another draft.
  return <ComposerForm key={props.userId} {...props} />;
}

function ComposerForm({ client, userId, placeholder, sendLabel = 'Kirim', autoFocus, onEscape, ref }: Props) {
  const { selfId } = client.identity;
  const [text, setText] = useState(() => readDraft(selfId, userId));
  const countId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const fieldRef = useMergedRef(ref, field);
  useEffect(() => {
    if (autoFocus) field.current?.focus();
  }, [autoFocus]);
  const length = Array.from(text.trim()).length;
  const tooLong = length > MESSAGE_MAX;

  function change(value: string): void {
    setText(value);
    writeDraft(selfId, userId, value);
    client.typed(userId, value.trim() !== '');
  }

  function send(): void {
    if (tooLong || !client.send(userId, text)) return;
    setText('');
    writeDraft(selfId, userId, '');
  }

  return (
    <form
      className={classes['composer']}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Textarea
        ref={fieldRef}
        className={classes['field'] ?? ''}
        placeholder={placeholder}
        aria-label={placeholder}
        aria-describedby={countId}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && onEscape) {
            event.stopPropagation();
            onEscape();
          }
          if (!isSending(event)) return;
          event.preventDefault();
          send();
        }}
        error={tooLong}
        autosize
        minRows={1}
        maxRows={5}
        enterKeyHint="send"
        autoComplete="off"
      />
      <Button
        type="submit"
        disabled={length === 0 || tooLong}
        // Pressed by thumb, it must not take the focus: the keyboard would go down after every message.
        onPointerDown={(event) => event.preventDefault()}
        rightSection={<IconSend2 size={18} aria-hidden />}
      >
        {sendLabel}
      </Button>
      <output id={countId} className={classes['count']} data-wrong={tooLong || undefined}>
        {tooLong ? `${fieldTexts.tooLong('Pesan', MESSAGE_MAX)} (${length})` : null}
        {!tooLong && length >= COUNT_FROM ? `${length} dari ${MESSAGE_MAX} karakter` : null}
      </output>
    </form>
  );
}
