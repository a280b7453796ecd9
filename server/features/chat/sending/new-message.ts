import type { Transaction } from '#server/db/engine.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { CreateLink, UploadLinks } from '#server/uploads/upload-links.ts';
import type { ConversationWatch } from '../conversation-watch.ts';
import type { MessageParts } from '../message-parts.ts';
import type { ConversationRow, MessageRow } from '../message-queries.ts';
import { presentMessage } from '../present.ts';
import { chatQueries } from '../queries.ts';
import type { MessageIndexer } from '../search/indexer.ts';
import { stateAfterMessage } from '../state/conversation-state.ts';
import type { ConversationStates } from '../state/state-service.ts';
import type { UnreadCounts } from '../unread.ts';

/** All that a new message changes or that hears of it. */
export type MessageDeps = {
  context: ServiceContext;
  states: ConversationStates;
  unread: UnreadCounts;
  watch: ConversationWatch;
  indexer: MessageIndexer;
  links: UploadLinks;
};

export type Sender = Pick<CurrentUser, 'id' | 'name' | 'isAdmin'>;
/** The text of a message and its parts. */
type NewMessage = Pick<
  MessageRow,
  'kind' | 'content' | 'photoCount' | 'documentCount' | 'recordId' | 'recordThen' | 'clientId' | 'replyTo'
>;
/** A stored message, and its conversation before and after it. */
export type StoredMessage = { row: MessageRow; before: ConversationRow; after: ConversationRow };

/** Stores a new message inside the caller's transaction. @param stored the conversation as the database has it */
export async function storeMessage(
  { context, states, watch }: MessageDeps,
  tx: Transaction,
  sender: Sender,
  stored: ConversationRow,
  message: NewMessage,
): Promise<StoredMessage> {
  const before = await states.settle(tx, stored);
  const { userId, userOrdinal, adminOrdinal } = before;
  const fromAdmin = sender.isAdmin;
  const sideOrdinal = (fromAdmin ? adminOrdinal : userOrdinal) + 1;
  const row = {
    ...message,
    userId,
    senderId: sender.id,
    senderName: sender.name,
    fromAdmin,
    // Half an emoji cannot be stored: the event must contain what a reload shows.
    content: message.content.toWellFormed(),
    prevId: before.lastMessageId || null,
    sideOrdinal,
    // A notice is no answer (R-CARD-20).
    waitedSince: fromAdmin && message.kind === 'chat' ? before.unansweredSince : null,
    createdAt: context.now(),
  };
  const id = await chatQueries(tx).insertMessage(row);
  const after = {
    ...before,
    lastMessageId: id,
    userOrdinal: fromAdmin ? userOrdinal : sideOrdinal,
    adminOrdinal: fromAdmin ? sideOrdinal : adminOrdinal,
    ...stateAfterMessage(before, row),
  };
  await chatQueries(tx).advanceConversation(after);
  await watch.messageStoring(tx, { id, userId, fromAdmin });
  return { row: { id, ...row }, before: stored, after };
}

const noLink: CreateLink = () => {
  throw new Error('an event to all sessions has no links');
};

/** Links work only for the session that gets them, so each process makes those of its own sockets. */
export const MESSAGE_WITH_FILES = 'message with files';

/** Publishes a message with files to the sockets of this process. */
export function publishWithLinks(
  { context, links }: Pick<MessageDeps, 'context' | 'links'>,
  row: MessageRow,
  parts: MessageParts,
): void {
  const build = (linkFor: CreateLink) => presentMessage(row, parts, linkFor);
  context.publish.here.toUserAndAdminsWithLinks(row.userId, 'message:new', build, (sessionId) =>
    links.forSession(sessionId),
  );
}

/** Publishes a new message to both sides; called after its commit. */
export async function publishMessage(
  { context, states, unread, indexer, links }: MessageDeps,
  { row, before, after }: StoredMessage,
  parts: MessageParts,
): Promise<void> {
  const { publish } = context;
  if (parts.attachments.size === 0) {
    publish.toUserAndAdmins(row.userId, 'message:new', presentMessage(row, parts, noLink));
  } else {
    publishWithLinks({ context, links }, row, parts);
    context.processes.tell(MESSAGE_WITH_FILES, row.id);
  }
  indexer.messageStored();
  await Promise.all([states.changed(before, after), unread.changed(row.userId, row.fromAdmin ? 'user' : 'admin')]);
}
