import type { Transaction } from '#server/db/open.ts';
import { readCardRows } from '#server/records/card-queries.ts';
import { cardFieldsOf } from '#server/records/present-card.ts';
import { readMessageParts } from '../message-parts.ts';
import { type MessageDeps, publishMessage, type Sender, storeMessage } from './new-message.ts';

export type Notice = {
  /** The account that did what it says. */
  actor: Sender;
  /** The user of the conversation. */
  userId: string;
  content: string;
  /** A record of that user, whose card it carries. */
  recordId?: string | null;
  /** A message of that conversation that it is about. */
  replyTo?: number | null;
};

/** Within a write, see `storeNotice`. */
export type StoreNotice = (tx: Transaction, notice: Notice) => () => Promise<void>;

/**
 * Stores a message that the server writes about what somebody did with a record (R-CARD-20): inside the caller's
 * transaction, after the change that it describes.
 * @returns publishes the notice; called after the commit, and after the events of the change
 */
export function storeNotice(
  deps: MessageDeps,
  tx: Transaction,
  { actor, userId, content, recordId = null, replyTo = null }: Notice,
): () => Promise<void> {
  const { statements, context } = deps;
  // The inbox shows no conversation of an admin's account.
  const conversation = statements.findUser(userId)?.isAdmin === false ? statements.findConversation(userId) : undefined;
  if (!conversation) return () => Promise.resolve();
  const record = recordId === null ? undefined : readCardRows(tx, [recordId]).get(recordId);
  const card = record?.userId === userId ? record : null;
  const stored = storeMessage(deps, actor, conversation, {
    kind: 'notice',
    content,
    photoCount: 0,
    documentCount: 0,
    recordId: card?.id ?? null,
    recordThen: card && cardFieldsOf(card),
    clientId: null,
    replyTo,
  });
  return () => publishMessage(deps, stored, readMessageParts(context.orm, [stored.row]));
}
