import type { AttachmentType } from '#shared/message-contents.ts';
import type { Transaction } from '#server/db/open.ts';

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

/** Notes the name of the copy that became a proof, so that the photo says it from then on. */
export type StoreProofCopy = (tx: Transaction, attachmentId: string, proofFile: string) => void;
