import type { Attachment, Message } from '#shared/api/chat.ts';

type Props = {
  attachment: Attachment;
  message: Message;
};

/** Under a sent photo: makes it the payment proof of a record (R-CARD-30). */
export function FileAsProof({ attachment }: Props) {
  return <span hidden data-file-as-proof={attachment.id} />;
}
