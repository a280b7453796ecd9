import type { Attachment, Message } from '#shared/api/chat.ts';
import { type ChatCurrentUser, type ChatStore, jumpsAtom, readConversation } from '../state.ts';
import { applyFreshMessages } from './message-renewal.ts';

type ProofMarksDeps = {
  store: ChatStore;
  currentUser: ChatCurrentUser;
  renewMessage: (userId: string, messageId: string) => Promise<void>;
};

/** Keeps what photos say about the records whose proof they became (R-CARD-32). */
export function createProofMarks({ store, currentUser, renewMessage }: ProofMarksDeps) {
  function renewWhere(userId: string, isMeant: (message: Message) => boolean): void {
    for (const message of shownMessages(store, userId)) if (isMeant(message)) void renewMessage(userId, message._id);
  }

  return {
    /** New messages of one conversation: a notice names the message with the photo that became a proof. */
    receive(messages: readonly Message[]): void {
      const notices = messages.filter(({ kind, reply_to: about }) => kind === 'notice' && about !== null);
      const [notice] = notices;
      if (!notice) return;
      const named = new Set(notices.map(({ reply_to: about }) => about));
      const userId = currentUser.side === 'user' ? currentUser.id : notice.user_id;
      renewWhere(userId, ({ _id, attachments }) => attachments.length > 0 && named.has(_id));
    },
    /** Its proof may be another one now. */
    recordChanged(userId: string, recordId: string): void {
      renewWhere(userId, ({ attachments }) => attachments.some(({ proof_of: of }) => of?.record_id === recordId));
    },
  };
}

/** A photo has become the proof of a record here: shows it before any answer of the server is read. */
export function showAsProof(
  store: ChatStore,
  { user_id: userId }: Pick<Message, 'user_id'>,
  attachmentId: string,
  proofOf: NonNullable<Attachment['proof_of']>,
): void {
  const isNamed = ({ id, proof_of: of }: Attachment): boolean =>
    id === attachmentId || of?.record_id === proofOf.record_id;
  const withMark = (message: Message): Message => ({
    ...message,
    attachments: message.attachments.map((file) =>
      isNamed(file) ? { ...file, proof_of: file.id === attachmentId ? proofOf : null } : file,
    ),
  });
  const changed = shownMessages(store, userId).filter(({ attachments }) => attachments.some(isNamed));
  applyFreshMessages(store, userId, changed.map(withMark));
}

function shownMessages(store: ChatStore, userId: string): readonly Message[] {
  const segment = store.get(jumpsAtom)[userId]?.segment?.messages ?? [];
  return [...readConversation(store, userId).messages, ...segment];
}
