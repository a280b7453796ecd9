import { useMergedRef } from '@mantine/hooks';
import { type Ref, useEffect, useRef } from 'react';
import type { ChatSession } from '../../session/chat-session.ts';
import { bindQuoteField, writeQuoteDraft } from '../../session/quote-drafts.ts';
import { AttachMenu } from './attach/attach-menu.tsx';
import { AttachTray } from './attach/attach-tray.tsx';
import { useOutgoing } from './attach/use-outgoing.ts';
import { usePastedPictures } from './attach/use-pasted-pictures.tsx';
import { useRoomNotice } from './attach/use-room-notice.ts';
import { ComposerForm } from './composer-form.tsx';
import { QuoteBar } from './quote-bar.tsx';
import { useDraft } from './use-draft.ts';

type Props = {
  chatSession: ChatSession;
  userId: string;
  placeholder: string;
  autoFocus?: boolean;
  ref?: Ref<HTMLTextAreaElement>;
};

/** The message field of a user; the draft with its files, and what it quotes, are kept. */
export function Composer(props: Props) {
  // Another conversation has another draft.
  return <ConversationComposer key={props.userId} {...props} />;
}

function ConversationComposer({ chatSession, userId, placeholder, autoFocus, ref }: Props) {
  const { id: currentUserId, side } = chatSession.currentUser;
  const [text, setText] = useDraft(currentUserId, userId);
  const outgoing = useOutgoing({ chatSession, userId, text, setText });
  const { attachments, quote } = outgoing;
  const pasted = usePastedPictures(attachments.add);
  const notice = useRoomNotice(attachments.files);
  const field = useRef<HTMLTextAreaElement>(null);
  const fieldRef = useMergedRef(ref, field);
  useEffect(() => {
    if (autoFocus) field.current?.focus();
  }, [autoFocus]);
  useEffect(
    () =>
      bindQuoteField(userId, (chosen) => {
        writeQuoteDraft(currentUserId, userId, chosen);
        field.current?.focus();
      }),
    [currentUserId, userId],
  );

  return (
    <ComposerForm
      side={side}
      field={fieldRef}
      text={text}
      length={outgoing.length}
      maySend={outgoing.maySend}
      preparing={outgoing.preparing}
      refused={attachments.refusals.length}
      onChange={(value) => {
        setText(value);
        chatSession.typed(userId, value.trim() !== '');
      }}
      onSend={outgoing.send}
      onDrop={attachments.add}
      onPaste={pasted.take}
      dropLabel="Lepaskan berkas untuk melampirkan"
      placeholder={placeholder}
      clip={<AttachMenu userId={userId} field={field} onFiles={attachments.add} />}
      above={
        <>
          <QuoteBar quote={quote} currentUserId={currentUserId} field={field} onCancel={outgoing.cancelQuote} />
          {pasted.offer}
          <AttachTray attachments={attachments} field={field} notice={notice} />
        </>
      }
    />
  );
}
