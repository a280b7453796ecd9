import type { ServiceContext } from '#server/service-context.ts';
import type { CreateLink, UploadLinks } from '#server/uploads/upload-links.ts';
import type { MessageParts } from '../message-parts.ts';
import { presentMessage } from '../present.ts';
import type { MessageIndexer } from '../search/indexer.ts';
import type { ConversationStates } from '../state/state-service.ts';
import type { UnreadCounts } from '../unread.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ConversationRow, MessageRow } from '../message-queries.ts';
import type { ChatQueries } from '../queries.ts';
import { stateAfterMessage } from '../state/conversation-state.ts';
import type { ConversationWatch } from '../conversation-watch.ts';

export type Sender = Pick<CurrentUser, 'id' | 'name' | 'isAdmin'>;
/** The text of a message and its parts. */
export type NewMessage = Pick<
  MessageRow,
  'kind' | 'content' | 'photoCount' | 'documentCount' | 'recordId' | 'recordThen' | 'clientId' | 'replyTo'
>;
/** A stored message, and its conversation before and after it. */
export type StoredMessage = { row: MessageRow; before: ConversationRow; after: ConversationRow };

/** @returns stores a new message inside the caller's transaction */
export function createMessageStore(
  { now }: Pick<ServiceContext, 'now'>,
  statements: ChatQueries,
  states: Pick<ConversationStates, 'settle'>,
  watch: Pick<ConversationWatch, 'messageStoring'>,
) {
  return (sender: Sender, stored: ConversationRow, message: NewMessage): StoredMessage => {
    const before = states.settle(stored);
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
      createdAt: now(),
    };
    const id = statements.insertMessage(row);
    const after = {
      ...before,
      lastMessageId: id,
      userOrdinal: fromAdmin ? userOrdinal : sideOrdinal,
      adminOrdinal: fromAdmin ? sideOrdinal : adminOrdinal,
      ...stateAfterMessage(before, row),
    };
    statements.advanceConversation(after);
    watch.messageStoring({ id, userId, fromAdmin });
    return { row: { id, ...row }, before: stored, after };
  };
}
export type StoreMessage = ReturnType<typeof createMessageStore>;

type Deps = { states: ConversationStates; unread: UnreadCounts; indexer: MessageIndexer; links: UploadLinks };

const noLink: CreateLink = () => {
  throw new Error('what goes to all has no links');
};

/** @returns tells both sides about a new message; called after its commit */
export function createMessageEvents(
  { publish }: Pick<ServiceContext, 'publish'>,
  { states, unread, indexer, links }: Deps,
) {
  return async ({ row, before, after }: StoredMessage, parts: MessageParts): Promise<void> => {
    if (parts.attachments.size === 0) {
      publish.toUserAndAdmins(row.userId, 'message:new', presentMessage(row, parts, noLink));
    } else {
      // Links work only for the session that gets them.
      publish.toSessionsOfUserAndAdmins(row.userId, 'message:new', (sessionId) =>
        presentMessage(row, parts, links.forSession(sessionId)),
      );
    }
    indexer.messageStored();
    await Promise.all([states.changed(before, after), unread.changed(row.userId, row.fromAdmin ? 'user' : 'admin')]);
  };
}
export type PublishMessage = ReturnType<typeof createMessageEvents>;
