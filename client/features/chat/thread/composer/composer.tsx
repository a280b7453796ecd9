import { useMergedRef } from '@mantine/hooks';
import { type Ref, useEffect, useRef } from 'react';
import { useQuery } from '@tanstack/react-query';
import { BYTES_PER_MB } from '#shared/limits.ts';
import { quotaTexts } from '#shared/texts.ts';
import { quotaQuery } from '#client/features/tax-records/api.ts';
import { formatNumber } from '#client/lib/format.ts';
import type { ChatSession } from '../../session/chat-session.ts';
import { bindQuoteField, writeQuoteDraft } from '../../drafts/quote-drafts.ts';
import { AttachMenu } from './attach-menu.tsx';
import { AttachTray } from './attach-tray.tsx';
import { useOutgoing } from './use-outgoing.ts';
import { usePastedPictures } from './pasted-files.tsx';
import { ComposerForm } from './composer-form.tsx';
import { QuoteBar } from './quote-bar.tsx';
import { useDraft } from './use-draft.ts';
import type { OutboxFile } from '../../files/outbox-file.ts';

/** With one decimal; rounded so that what does not fit never looks as if it did. */
const megabytes = (bytes: number, round: (n: number) => number): string =>
  formatNumber(round((bytes / BYTES_PER_MB) * 10) / 10);

/**
 * Says before the upload that a user's files do not fit into the room that is left (docs/requirements.md R-FILE-43). It disables
 * nothing, because the server decides: the office may have given more room meanwhile.
 */
function useRoomNotice(files: readonly OutboxFile[]): string | null {
  const { data } = useQuery({ ...quotaQuery(null), enabled: files.length > 0 });
  if (!data || files.length === 0) return null;
  const { proof_bytes: used, proof_bytes_max: max } = data;
  if (max === null) return null;
  if (used >= max) return quotaTexts.own.proofs(max);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes <= max - used) return null;
  return `Sisa ruang berkas Anda ${megabytes(max - used, Math.floor)} MB, lampiran ini ${megabytes(bytes, Math.ceil)} MB. Hapus sebagian, atau pilih berkas yang lebih kecil.`;
}

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
