import { IconDeviceFloppy, IconLock } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { bindQuoteField } from '../../session/quote-drafts.ts';
import { ComposerForm } from '../../thread/composer/composer-form.tsx';
import { useDraft } from '../../thread/composer/use-draft.ts';
import classes from './admin-composer.module.css';
import type { ModeProps } from './composer-props.ts';
import { ModeSwitch } from './mode-switch.tsx';
import { useNoteSending } from './use-note-sending.ts';

type Props = ModeProps & {
  /** @param isDisplayed whether this conversation is still on the screen */
  onStored: (isDisplayed: boolean) => void;
};

/** The field of a note for the other admins. */
export function NoteComposer({ userId, currentUserId, field, fieldRef, changeMode, onStored }: Props) {
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
