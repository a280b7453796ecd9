import type { Message, SendBody } from '#shared/api/chat/chat.ts';
import { SENDS_MAX, SENDS_WINDOW_MS } from '#shared/limits.ts';
import { isPhoto } from '#shared/message-contents.ts';
import { errorTexts, inboxTexts } from '#shared/texts.ts';
import type { Transaction } from '#server/db/engine.ts';
import { conflict, invalid, notFound } from '#server/http/errors.ts';
import { createRateLimit } from '#server/http/limits/rate-limit.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { type CardRow, readCardRows } from '#server/records/card-queries.ts';
import { cardFieldsOf } from '#server/records/present-card.ts';
import { requireReceiverConversation } from '../access.ts';
import { attachToMessage, findUnsent } from '../files/attachment-queries.ts';
import { type MessageParts, noParts, readMessageParts } from '../message-parts.ts';
import type { ConversationRow, MessageRow } from '../message-queries.ts';
import { presentMessage } from '../present.ts';
import { chatQueries } from '../queries.ts';
import { stateQueries } from '../state/state-queries.ts';
import { type MessageDeps, publishMessage, type StoredMessage, storeMessage } from './new-message.ts';

/** `stored`: null when the message was stored by an earlier request. */
type Sent = { row: MessageRow; isDeleted: boolean; stored: StoredMessage | null };

/** The parts are read before the commit, so that the event leaves in the order of the commits. */
async function withParts(tx: Transaction, sent: Sent): Promise<Sent & { parts: MessageParts }> {
  return { ...sent, parts: sent.isDeleted ? noParts : await readMessageParts(tx, [sent.row]) };
}

/** Sending of messages by persons (R-CHAT-5, R-CHAT-6). */
export function createSend(deps: MessageDeps) {
  const { context, links } = deps;
  const { policy, write, monotonicNow, rateLimits } = context;
  const sendLimit = createRateLimit(SENDS_MAX, SENDS_WINDOW_MS, monotonicNow);

  /**
   * Stores a message once; the answer and the events come after its commit is on disk (R-CHAT-6). The same sender and
   * `client_id` again get the first message, and nothing is stored (R-CHAT-5).
   * @throws 401, 403, 404 also for a file or a record that it may not carry, 409 for a second answer, 422 for a quoted message that is gone, 429, 507
   */
  return async (currentUser: CurrentUser, body: SendBody): Promise<{ message: Message; isNew: boolean }> => {
    if (rateLimits) {
      sendLimit.check(currentUser.id);
      sendLimit.count(currentUser.id);
    }
    const { row, stored, parts } = await write(async (tx) => {
      await policy.requireLiveSession(tx, currentUser);
      const before =
        body.client_id === null ? undefined : await chatQueries(tx).findSentMessage(currentUser.id, body.client_id);
      const sent = before
        ? await findStored(tx, before, body.content.toWellFormed())
        : await storeNew(deps, tx, currentUser, body);
      return withParts(tx, sent);
    });
    const message = presentMessage(row, parts, links.forSession(currentUser.sessionId));
    if (stored) await publishMessage(deps, stored, parts);
    return { message, isNew: stored !== null };
  };
}
export type Send = ReturnType<typeof createSend>;

/** The first message again, for a repeated send. */
async function findStored(tx: Transaction, row: MessageRow, content: string): Promise<Sent> {
  const conversation = await chatQueries(tx).findConversation(row.userId);
  // An account that was deleted leaves its messages for a moment.
  if (!conversation) throw notFound(errorTexts.userMissing);
  const isDeleted = row.id <= conversation.clearedId;
  // The text of a deleted message is gone; its sender gets back the text of this request.
  return { row: isDeleted ? { ...row, content } : row, isDeleted, stored: null };
}

async function storeNew(deps: MessageDeps, tx: Transaction, currentUser: CurrentUser, body: SendBody): Promise<Sent> {
  const { context } = deps;
  const receiving = await requireReceiverConversation(tx, currentUser, body.to_user_id);
  await requireNoUnseenAnswer(tx, currentUser, receiving, body.seen_id);
  const shared = await findShared(tx, receiving, body.record_id);
  const { rows: files, missing } = await findUnsent(tx, currentUser, body.attachment_ids);
  if (missing.length > 0) throw notFound(inboxTexts.attachmentMissing);
  context.userWrites.countMessage(currentUser);
  const photoCount = files.filter(({ type }) => isPhoto(type)).length;
  const stored = await storeMessage(deps, tx, currentUser, receiving, {
    kind: 'chat',
    content: body.content,
    photoCount,
    documentCount: files.length - photoCount,
    recordId: shared?.id ?? null,
    recordThen: shared && cardFieldsOf(shared),
    clientId: body.client_id,
    replyTo: (await findQuotable(tx, receiving, body.reply_to))?.id ?? null,
  });
  await attachToMessage(tx, files, { userId: receiving.userId, messageId: stored.row.id });
  return { row: stored.row, isDeleted: false, stored };
}

/** @throws 409 when another admin has written after what this admin saw (R-INBOX-10) */
async function requireNoUnseenAnswer(
  tx: Transaction,
  { id, isAdmin }: CurrentUser,
  { userId, lastMessageId, clearedId }: ConversationRow,
  seenId: number | undefined,
): Promise<void> {
  if (!isAdmin || seenId === undefined || seenId >= lastMessageId) return;
  const name = await stateQueries(tx).findOtherAnswer(userId, Math.max(seenId, clearedId), id);
  if (name !== null) throw conflict(inboxTexts.answered(name));
}

/** The record whose card a new message carries. @throws 404, also for a record of somebody else */
async function findShared(
  tx: Transaction,
  { userId }: ConversationRow,
  recordId: string | null,
): Promise<CardRow | null> {
  if (recordId === null) return null;
  const record = (await readCardRows(tx, [recordId])).get(recordId);
  if (record?.userId !== userId) throw notFound(inboxTexts.sharedRecordMissing);
  return record;
}

/** The message that a new one quotes. @throws 422 */
async function findQuotable(
  tx: Transaction,
  { userId, clearedId }: ConversationRow,
  replyTo: number | undefined,
): Promise<MessageRow | null> {
  if (replyTo === undefined) return null;
  const quoted = await chatQueries(tx).findMessage(replyTo);
  if (!quoted || quoted.userId !== userId || quoted.id <= clearedId) {
    throw invalid('reply_to', inboxTexts.quotedMissing);
  }
  return quoted;
}
