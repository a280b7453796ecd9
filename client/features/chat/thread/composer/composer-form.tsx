import { Button, Textarea, type TextareaProps } from '@mantine/core';
import { IconSend2 } from '@tabler/icons-react';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useId,
  useRef,
  useEffect,
  useEffectEvent,
  useState,
} from 'react';
import type { Side } from '#shared/events.ts';
import { MESSAGE_MAX } from '#shared/limits.ts';
import { fieldTexts } from '#shared/texts.ts';
import { DropZone } from './drop-zone.tsx';
import { type Pasted, readPasted } from './pasted-files.tsx';
import classes from './composer.module.css';

/**
 * Sends at once, or as soon as the files of the message are prepared. When one of them is refused meanwhile, its writer decides.
 * @param preparing names the files that are being prepared; null for none
 * @param refused how many chosen files were refused
 */
function useSendWhenReady(preparing: string | null, refused: number, maySend: boolean, onSend: () => boolean) {
  /** The files after which it is to be sent, and how many had been refused by then. */
  const [wanted, setWanted] = useState<{ files: string; refused: number } | null>(null);
  const last = useRef<string | null>(null);
  const sendNow = useEffectEvent(() => {
    if (maySend && refused === wanted?.refused) onSend();
  });
  useEffect(() => {
    const prepared = last.current;
    last.current = preparing;
    if (preparing === null && prepared !== null && prepared === wanted?.files) sendNow();
  }, [preparing, wanted]);
  return {
    isWaiting: preparing !== null && preparing === wanted?.files,
    send(): void {
      if (!maySend) return;
      if (preparing === null) onSend();
      else setWanted({ files: preparing, refused });
    },
    cancel: (): void => setWanted(null),
  };
}

type Props = {
  side: Side;
  field: Ref<HTMLTextAreaElement>;
  text: string;
  /** Characters of what is sent, with the words for what is attached. */
  length: number;
  /** Whether there is something to send, and not too much. */
  maySend: boolean;
  /** Names the files that are being prepared, after which it is sent; null for none. */
  preparing?: string | null;
  /** The number of chosen files that were refused; above 0 the message is not sent by itself. */
  refused?: number;
  onChange: (text: string) => void;
  /** @returns whether the text was taken */
  onSend: () => boolean;
  /** Files that were dropped on the conversation. */
  onDrop: (files: File[]) => void;
  /** Files that were pasted into the field; text beside them is pasted as usual. */
  onPaste: (pasted: Pasted) => void;
  /** The text over the conversation while files are dragged over it. */
  dropLabel: string;
  placeholder: string;
  sendLabel?: string;
  sendIcon?: typeof IconSend2;
  /** The name of the text, for the message about its length. */
  noun?: 'Pesan' | 'Catatan';
  isBusy?: boolean;
  /** The look of the field; for admins. */
  look?: 'note' | undefined;
  /** Above the field. */
  above?: ReactNode;
  /** Below the field. */
  below?: ReactNode;
  /** Before the field. */
  clip?: ReactNode;
  /** @returns whether the key was used up */
  onKeyDown?: (event: KeyboardEvent<HTMLTextAreaElement>) => boolean;
  onEscape?: (() => void) | undefined;
  fieldProps?: Pick<
    TextareaProps,
    | 'onSelect'
    | 'onBlur'
    | 'readOnly'
    | 'aria-autocomplete'
    | 'aria-controls'
    | 'aria-activedescendant'
    | 'aria-haspopup'
  >;
};

/** From this length on the number of characters is shown. */
const SHOW_COUNT_FROM = MESSAGE_MAX - 200;

/** Some keyboards end a composed word with Enter; that must not send the message. */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229;

/** The message field with its button: Enter sends, Shift+Enter makes a new line. */
export function ComposerForm({
  side,
  field,
  text,
  length,
  maySend,
  preparing = null,
  refused = 0,
  onChange,
  onSend,
  onDrop,
  onPaste,
  dropLabel,
  placeholder,
  sendLabel = 'Kirim',
  sendIcon: SendIcon = IconSend2,
  noun = 'Pesan',
  isBusy = false,
  look,
  above,
  below,
  clip,
  onKeyDown,
  onEscape,
  fieldProps,
}: Props) {
  const form = useRef<HTMLFormElement>(null);
  const countId = useId();
  const isTooLong = length > MESSAGE_MAX;
  const whenReady = useSendWhenReady(preparing, refused, maySend && !isBusy, onSend);

  function handlePaste(event: ClipboardEvent): void {
    const pasted = readPasted(event.clipboardData);
    if (pasted.files.length === 0) return;
    if (!pasted.hasText) event.preventDefault();
    onPaste(pasted);
  }

  return (
    <form
      ref={form}
      className={classes['composer']}
      data-look={look}
      data-clip={clip ? true : undefined}
      onPaste={handlePaste}
      onSubmit={(event) => {
        event.preventDefault();
        whenReady.send();
      }}
    >
      <DropZone inside={form} label={dropLabel} onFiles={onDrop} />
      {above}
      {clip}
      <Textarea
        {...fieldProps}
        ref={field}
        className={classes['field'] ?? ''}
        placeholder={placeholder}
        aria-label={placeholder}
        aria-describedby={countId}
        value={text}
        onChange={(event) => {
          // A user who types on has not finished the message.
          whenReady.cancel();
          onChange(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (onKeyDown?.(event)) {
            event.preventDefault();
            event.stopPropagation();
            return;
          }
          if (event.key === 'Escape' && onEscape) {
            event.stopPropagation();
            onEscape();
          }
          if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
          event.preventDefault();
          whenReady.send();
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
        className={classes['send'] ?? ''}
        data-side={side}
        title={sendLabel}
        loading={isBusy || whenReady.isWaiting}
        disabled={!maySend}
        // A tap must not take the focus: the phone's keyboard would close after every message.
        onPointerDown={(event) => event.preventDefault()}
        rightSection={<SendIcon size={18} aria-hidden />}
      >
        <span className={classes['sendLabel']}>{sendLabel}</span>
      </Button>
      {below}
      <output id={countId} className={classes['count']} data-wrong={isTooLong || undefined}>
        {isTooLong ? `${fieldTexts.tooLong(noun, MESSAGE_MAX)} (${length})` : null}
        {!isTooLong && length >= SHOW_COUNT_FROM ? `${length} dari ${MESSAGE_MAX} karakter` : null}
      </output>
    </form>
  );
}
