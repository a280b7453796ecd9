import { writeContent } from '#shared/message-contents.ts';
import { ATTACHMENTS_PER_MESSAGE_MAX, MESSAGE_MAX } from '#shared/limits.ts';
import { writeRecordDraft } from '../../drafts/record-draft.ts';
import { draftFiles } from '../../drafts/draft-files.ts';
import type { ChatSession } from '../../session/chat-session.ts';
import { useQuoteDraft, writeQuoteDraft } from '../../drafts/quote-drafts.ts';
import { useAttachments } from './use-attachments.ts';

/** Unicode code points, as the server counts. */
export const lengthOf = (text: string): number => Array.from(text.trim()).length;
export const isTextSendable = (text: string): boolean => lengthOf(text) > 0 && lengthOf(text) <= MESSAGE_MAX;

type Options = { chatSession: ChatSession; userId: string; text: string; setText: (text: string) => void };

/** The next message of a conversation with everything that it carries. */
export function useOutgoing({ chatSession, userId, text, setText }: Options) {
  const { id: currentUserId } = chatSession.currentUser;
  const attachments = useAttachments(currentUserId, userId);
  const quote = useQuoteDraft(currentUserId, userId);
  const { files, record, preparing, missing } = attachments;
  const hasExtras = files.length > 0 || record !== null;
  // The words for files and record count, too: the server stores them as a part of the text.
  const length = lengthOf(writeContent(text, files, record));
  const isComplete =
    length > 0 && length <= MESSAGE_MAX && files.length <= ATTACHMENTS_PER_MESSAGE_MAX && missing.length === 0;
  return {
    attachments,
    quote,
    length,
    hasExtras,
    /** Names the files that are being prepared; null for none. */
    preparing: preparing.at(-1)?.id ?? null,
    /** With files that are still being prepared it is sent after them. */
    maySend: isComplete || (preparing.length > 0 && length <= MESSAGE_MAX && missing.length === 0),
    cancelQuote: (): void => writeQuoteDraft(currentUserId, userId, null),
    /** @returns whether the message was taken */
    send: (): boolean => {
      if (!isComplete || preparing.length > 0) return false;
      if (!chatSession.send(userId, text, quote, { files, record })) return false;
      setText('');
      draftFiles(currentUserId, userId).take(files);
      writeRecordDraft(currentUserId, userId, null);
      writeQuoteDraft(currentUserId, userId, null);
      attachments.dismissRefusals();
      return true;
    },
  };
}
