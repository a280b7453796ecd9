import { isPhoto, writeContent } from '#shared/message-contents.ts';
import { inboxTexts } from '#shared/texts.ts';
import type { Transaction } from '#server/db/engine.ts';
import { notFound } from '#server/http/errors.ts';
import { readCardRows } from '#server/records/card-queries.ts';
import { cardFieldsOf } from '#server/records/present-card.ts';
import { attachToMessage, findUnsent } from '../files/attachment-queries.ts';
import { readMessageParts } from '../message-parts.ts';
import { chatQueries } from '../queries.ts';
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
  /** Files of the actor that no message carries yet. */
  attachmentIds?: readonly string[];
};

/** Within a write, see `storeNotice`. */
export type StoreNotice = (tx: Transaction, notice: Notice) => Promise<() => Promise<void>>;

/**
 * Stores a message that the server writes about what somebody did with a record (R-CARD-20): inside the caller's
 * transaction, after the change that it describes.
 * @returns publishes the notice; called after the commit, and after the events of the change
 * @throws 404 for a file that is not there, was sent already, or is another account's
 */
export async function storeNotice(
  deps: MessageDeps,
  tx: Transaction,
  { actor, userId, content, recordId = null, replyTo = null, attachmentIds = [] }: Notice,
): Promise<() => Promise<void>> {
  const { findConversation, findUser } = chatQueries(tx);
  // The inbox shows no conversation of an admin's account.
  const conversation = (await findUser(userId))?.isAdmin === false ? await findConversation(userId) : undefined;
  if (!conversation) return () => Promise.resolve();
  const record = recordId === null ? undefined : (await readCardRows(tx, [recordId])).get(recordId);
  const card = record?.userId === userId ? record : null;
  const { rows: files, missing } = await findUnsent(tx, actor, attachmentIds);
  if (missing.length > 0) throw notFound(inboxTexts.attachmentMissing);
  const photoCount = files.filter(({ type }) => isPhoto(type)).length;
  const stored = await storeMessage(deps, tx, actor, conversation, {
    kind: 'notice',
    content: writeContent(content, files, null),
    photoCount,
    documentCount: files.length - photoCount,
    recordId: card?.id ?? null,
    recordThen: card && cardFieldsOf(card),
    clientId: null,
    replyTo,
  });
  await attachToMessage(tx, files, { userId, messageId: stored.row.id });
  // Read before the commit, so that the event leaves in the order of the commits.
  const parts = await readMessageParts(tx, [stored.row]);
  return () => publishMessage(deps, stored, parts);
}
