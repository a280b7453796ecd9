import type { ServiceContext } from '#server/service-context.ts';
import type { CreateLink, UploadLinks } from '#server/uploads/upload-links.ts';
import type { MessageParts } from '../contents/message-parts.ts';
import { presentMessage } from '../present.ts';
import type { MessageIndexer } from '../search/indexer.ts';
import type { ConversationStates } from '../state/state-service.ts';
import type { UnreadCounts } from '../unread.ts';
import type { StoredMessage } from './message-store.ts';

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
