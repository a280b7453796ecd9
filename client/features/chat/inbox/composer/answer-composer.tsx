import { Button } from '@mantine/core';
import { IconPlayerTrackNext, IconSlash } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect } from 'react';
import { useOpenNextWaiting } from '../actions/next-waiting.ts';
import { bindQuoteField, writeQuoteDraft } from '../../drafts/quote-drafts.ts';
import { AttachMenu } from '../../thread/composer/attach-menu.tsx';
import { AttachTray } from '../../thread/composer/attach-tray.tsx';
import { useOutgoing } from '../../thread/composer/use-outgoing.ts';
import { usePastedPictures } from '../../thread/composer/pasted-files.tsx';
import { ComposerForm, isComposing } from '../../thread/composer/composer-form.tsx';
import { QuoteBar } from '../../thread/composer/quote-bar.tsx';
import { useDraft } from '../../thread/composer/use-draft.ts';
import classes from './admin-composer.module.css';
import { type ModeProps, ModeSwitch } from './mode-switch.tsx';
import { FillNotice } from './fill-reply.tsx';
import { MissingParts } from './missing-parts.tsx';
import { ReplyList } from './reply-list.tsx';
import { useQuickReply } from './use-quick-reply.ts';

type Props = ModeProps & {
  /** Opens another conversation in the place of this one. `wasWriting`: this field had the focus. */
  onOpen: (userId: string, wasWriting: boolean) => void;
};

/** The field of an answer, with quick replies. */
export function AnswerComposer({ chatSession, userId, currentUserId, field, fieldRef, changeMode, onOpen }: Props) {
  const [text, setText] = useDraft(currentUserId, userId);
  const [noteDraft] = useDraft(currentUserId, userId, 'note');
  const outgoing = useOutgoing({ chatSession, userId, text, setText });
  const { attachments, quote } = outgoing;
  const pasted = usePastedPictures(attachments.add);
  const reply = useQuickReply({ currentUserId, userId, text, field, change });
  const openNext = useOpenNextWaiting(currentUserId, userId, (id) =>
    onOpen(id, document.activeElement === field.current),
  );
  useEffect(
    () =>
      bindQuoteField(userId, (chosen) => {
        writeQuoteDraft(currentUserId, userId, chosen);
        field.current?.focus();
      }),
    [currentUserId, userId, field],
  );

  function change(value: string): void {
    setText(value);
    chatSession.typed(userId, value.trim() !== '');
    if (value.trim() === '') reply.forget();
  }

  function send(): boolean {
    if (!reply.isComplete() || !outgoing.send()) return false;
    reply.forget();
    return true;
  }

  function sendAndContinue(): boolean {
    if (!outgoing.maySend || outgoing.preparing !== null || !send()) return false;
    void openNext();
    return true;
  }

  function handleKey(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
    if (reply.handleKey(event)) return true;
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isComposing(event)) return false;
    sendAndContinue();
    return true;
  }

  return (
    <ComposerForm
      side="admin"
      field={fieldRef}
      text={text}
      length={outgoing.length}
      maySend={outgoing.maySend}
      preparing={outgoing.preparing}
      refused={attachments.refusals.length}
      onDrop={attachments.add}
      onPaste={pasted.take}
      dropLabel="Lepaskan berkas untuk melampirkan"
      clip={<AttachMenu userId={userId} field={field} onFiles={attachments.add} />}
      onChange={(value) => {
        change(value);
        if (field.current) reply.cursor.follow(field.current);
      }}
      onSend={send}
      onKeyDown={handleKey}
      placeholder="Tulis pesan..."
      fieldProps={{
        ...reply.picker.fieldProps,
        onSelect: ({ currentTarget }) => reply.cursor.follow(currentTarget),
        onBlur: ({ relatedTarget }) => reply.leave(relatedTarget),
      }}
      above={
        <>
          <ReplyList
            picker={reply.picker}
            onFollow={reply.close}
            onLeave={reply.leave}
            onEscape={() => {
              reply.close();
              reply.focusField();
            }}
          />
          <div className={classes['tools']}>
            <ModeSwitch mode="answer" hasOtherDraft={noteDraft.trim() !== ''} onChange={changeMode} />
            <Button
              variant="default"
              size="sm"
              className={classes['tool'] ?? ''}
              aria-label="Balasan cepat"
              title="Balasan cepat ( / )"
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => reply.openPicker()}
            >
              <IconSlash size={18} aria-hidden />
              <span className={classes['toolLabel']}>Balasan cepat</span>
            </Button>
            <Button
              variant="default"
              size="sm"
              className={classes['next'] ?? ''}
              aria-label="Kirim & lanjut"
              disabled={!outgoing.maySend || outgoing.preparing !== null}
              title="Kirim, lalu buka yang paling lama menunggu (Ctrl+Enter)"
              onPointerDown={(event) => event.preventDefault()}
              onClick={sendAndContinue}
            >
              <span className={classes['nextLabel']}>Kirim &amp; lanjut</span>
              <IconPlayerTrackNext size={18} aria-hidden />
            </Button>
          </div>
          <QuoteBar quote={quote} currentUserId={currentUserId} field={field} onCancel={outgoing.cancelQuote} />
          {pasted.offer}
          <AttachTray attachments={attachments} field={field} notice={null} />
        </>
      }
      below={
        <>
          <FillNotice filling={reply.filling} />
          <MissingParts
            open={reply.missing.open}
            isReminder={reply.isReminded}
            onSelect={reply.selectPart}
            onIgnore={(name) => {
              reply.missing.ignore(name);
              field.current?.focus();
            }}
          />
        </>
      }
    />
  );
}
