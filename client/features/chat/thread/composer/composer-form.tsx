import { Button, Textarea, type TextareaProps } from '@mantine/core';
import { IconSend2 } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, type Ref, useId, useRef } from 'react';
import type { Side } from '#shared/events.ts';
import { MESSAGE_MAX } from '#shared/limits.ts';
import { fieldTexts } from '#shared/texts.ts';
import classes from './composer.module.css';
import { RefusedFileNotice } from './refused-file-notice.tsx';
import { useRefusedFiles } from './use-refused-files.ts';

type Props = {
  side: Side;
  field: Ref<HTMLTextAreaElement>;
  text: string;
  onChange: (text: string) => void;
  /** @returns whether the text was taken */
  onSend: () => boolean;
  placeholder: string;
  sendLabel?: string;
  sendIcon?: typeof IconSend2;
  /** What is written, in the message about its length. */
  noun?: 'Pesan' | 'Catatan';
  isBusy?: boolean;
  /** How the field looks; for admins. */
  look?: 'note' | undefined;
  /** Above the field. */
  above?: ReactNode;
  /** Below the field. */
  below?: ReactNode;
  /** Beside the button. */
  moreButtons?: ReactNode;
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

/** Unicode code points, as the server counts. */
export const lengthOf = (text: string): number => Array.from(text.trim()).length;
export const maySend = (text: string): boolean => lengthOf(text) > 0 && lengthOf(text) <= MESSAGE_MAX;

/** Some keyboards end a composed word with Enter; that must not send the message. */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229;

/** The message field with its button: Enter sends, Shift+Enter makes a new line. */
export function ComposerForm({
  side,
  field,
  text,
  onChange,
  onSend,
  placeholder,
  sendLabel = 'Kirim',
  sendIcon: SendIcon = IconSend2,
  noun = 'Pesan',
  isBusy = false,
  look,
  above,
  below,
  moreButtons,
  onKeyDown,
  onEscape,
  fieldProps,
}: Props) {
  const form = useRef<HTMLFormElement>(null);
  const { refused, handlePaste, dismiss } = useRefusedFiles(form);
  const countId = useId();
  const length = lengthOf(text);
  const isTooLong = length > MESSAGE_MAX;

  function send(): void {
    if (!isBusy && maySend(text) && onSend()) dismiss();
  }

  return (
    <form
      ref={form}
      className={classes['composer']}
      data-look={look}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <RefusedFileNotice refused={refused} side={side} onDismiss={dismiss} />
      {above}
      <Textarea
        {...fieldProps}
        ref={field}
        className={classes['field'] ?? ''}
        placeholder={placeholder}
        aria-label={placeholder}
        aria-describedby={countId}
        value={text}
        onPaste={handlePaste}
        onChange={(event) => onChange(event.currentTarget.value)}
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
          send();
        }}
        error={isTooLong}
        autosize
        minRows={1}
        maxRows={5}
        enterKeyHint="send"
        autoComplete="off"
      />
      <div className={classes['buttons']}>
        {moreButtons}
        <Button
          type="submit"
          className={classes['send'] ?? ''}
          data-side={side}
          title={sendLabel}
          loading={isBusy}
          disabled={!maySend(text)}
          // A tap must not take the focus: the phone's keyboard would close after every message.
          onPointerDown={(event) => event.preventDefault()}
          rightSection={<SendIcon size={18} aria-hidden />}
        >
          <span className={classes['sendLabel']}>{sendLabel}</span>
        </Button>
      </div>
      {below}
      <output id={countId} className={classes['count']} data-wrong={isTooLong || undefined}>
        {isTooLong ? `${fieldTexts.tooLong(noun, MESSAGE_MAX)} (${length})` : null}
        {!isTooLong && length >= SHOW_COUNT_FROM ? `${length} dari ${MESSAGE_MAX} karakter` : null}
      </output>
    </form>
  );
}
