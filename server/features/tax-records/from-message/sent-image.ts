import type { AttachmentType } from '#shared/message-contents.ts';

/** A file of a message that is still in its conversation. */
export type SentFile = {
  /** The user of the conversation. */
  userId: string;
  messageId: number | null;
  /** Its name in the folder of uploads. */
  file: string;
  type: AttachmentType;
};

/** Within a write it is part of the transaction. @returns null for what was never sent, or deleted with its history */
export type FindSentImage = (attachmentId: string) => SentFile | null;
