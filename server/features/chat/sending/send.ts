import type { Message, SendBody } from '#shared/api/chat/chat.ts';
import { SENDS_MAX, SENDS_WINDOW_MS } from '#shared/limits.ts';
import { isPhoto } from '#shared/message-contents.ts';
import { errorTexts, inboxTexts } from '#shared/texts.ts';
import type { Transaction } from '#server/db/open.ts';
import { conflict, invalid, notFound } from '#server/http/errors.ts';
import { createRateLimit } from '#server/http/limits/rate-limit.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { type CardRow, readCardRows } from '#server/records/card-queries.ts';
import { cardFieldsOf } from '#server/records/present-card.ts';
import { requireReceiverConversation } from '../access.ts';
import { attachToMessage, findUnsent } from '../files/attachment-queries.ts';
import { noParts, readMessageParts } from '../message-parts.ts';
import type { ConversationRow, MessageRow } from '../message-queries.ts';
import { presentMessage } from '../present.ts';
import { type MessageDeps, publishMessage, type StoredMessage, storeMessage } from './new-message.ts';

/** `stored`: null when the message was stored by an earlier request. */
type Sent = { row: MessageRow; isDeleted: boolean; stored: StoredMessage | null };

/** Sending of messages by persons (R-CHAT-5, R-CHAT-6). */
export function createSend(deps: MessageDeps) {
  const { context, statements, links } = deps;
  const { orm, policy, write, monotonicNow, rateLimits } = context;
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
    const { row, isDeleted, stored } = await write((tx) => {
      policy.requireLiveSession(currentUser);
      const before = body.client_id === null ? undefined : statements.findSentMessage(currentUser.id, body.client_id);
      return before ? findStored(deps, before, body.content.toWellFormed()) : storeNew(deps, tx, currentUser, body);
    });
    const parts = isDeleted ? noParts : readMessageParts(orm, [row]);
    const message = presentMessage(row, parts, links.forSession(currentUser.sessionId));
    if (stored) await publishMessage(deps, stored, parts);
    return { message, isNew: stored !== null };
  };
}
export type Send = ReturnType<typeof createSend>;

/** The first message again, for a repeated send. */
function findStored({ statements }: MessageDeps, row: MessageRow, content: string): Sent {
  const conversation = statements.findConversation(row.userId);
  // An account that was deleted leaves its messages for a moment.
  if (!conversation) throw notFound(errorTexts.userMissing);
  const isDeleted = row.id <= conversation.clearedId;
  // The text of a deleted message is gone; its sender gets back the text of this request.
  return { row: isDeleted ? { ...row, content } : row, isDeleted, stored: null };
}

function storeNew(deps: MessageDeps, tx: Transaction, currentUser: CurrentUser, body: SendBody): Sent {
  const { context, statements } = deps;
  const receiving = requireReceiverConversation(statements, currentUser, body.to_user_id);
  requireNoUnseenAnswer(deps, currentUser, receiving, body.seen_id);
  const shared = findShared(tx, receiving, body.record_id);
  const { rows: files, missing } = findUnsent(tx, currentUser, body.attachment_ids);
  if (missing.length > 0) throw notFound(inboxTexts.attachmentMissing);
  context.userWrites.countMessage(currentUser);
  const photoCount = files.filter(({ type }) => isPhoto(type)).length;
  const stored = storeMessage(deps, currentUser, receiving, {
    kind: 'chat',
    content: body.content,
    photoCount,
    documentCount: files.length - photoCount,
    recordId: shared?.id ?? null,
    recordThen: shared && cardFieldsOf(shared),
    clientId: body.client_id,
    replyTo: findQuotable(deps, receiving, body.reply_to)?.id ?? null,
  });
  attachToMessage(tx, files, { userId: receiving.userId, messageId: stored.row.id });
  return { row: stored.row, isDeleted: false, stored };
}

/** @throws 409 when another admin has written after what this admin saw (R-INBOX-10) */
function requireNoUnseenAnswer(
  { states }: MessageDeps,
  { id, isAdmin }: CurrentUser,
  { userId, lastMessageId, clearedId }: ConversationRow,
  seenId: number | undefined,
): void {
  if (!isAdmin || seenId === undefined || seenId >= lastMessageId) return;
  const name = states.findOtherAnswer(userId, Math.max(seenId, clearedId), id);
  if (name !== null) throw conflict(inboxTexts.answered(name));
}

/** The record whose card a new message carries. @throws 404, also for a record of somebody else */
function findShared(tx: Transaction, { userId }: ConversationRow, recordId: string | null): CardRow | null {
  if (recordId === null) return null;
  const record = readCardRows(tx, [recordId]).get(recordId);
  if (record?.userId !== userId) throw notFound(inboxTexts.sharedRecordMissing);
  return record;
}

/** The message that a new one quotes. @throws 422 */
function findQuotable(
  { statements }: MessageDeps,
  { userId, clearedId }: ConversationRow,
  replyTo: number | undefined,
): MessageRow | null {
  if (replyTo === undefined) return null;
  const quoted = statements.findMessage(replyTo);
  if (!quoted || quoted.userId !== userId || quoted.id <= clearedId) {
    throw invalid('reply_to', inboxTexts.quotedMissing);
  }
  return quoted;
}
