import type { Message } from '#shared/api/chat.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { MessageIndexer } from '../search/indexer.ts';
import type { ConversationStates } from '../state/state-service.ts';
import type { UnreadCounts } from '../unread.ts';
import type { StoredMessage } from './message-store.ts';

type Deps = { states: ConversationStates; unread: UnreadCounts; indexer: MessageIndexer };

/** @returns tells both sides about a new message; called after its commit */
export function createMessageEvents({ publish }: Pick<ServiceContext, 'publish'>, { states, unread, indexer }: Deps) {
  return async ({ row, before, after }: StoredMessage, message: Message): Promise<void> => {
    publish.toUserAndAdmins(row.userId, 'message:new', message);
    indexer.messageStored();
    await Promise.all([states.changed(before, after), unread.changed(row.userId, row.fromAdmin ? 'user' : 'admin')]);
  };
}
export type PublishMessage = ReturnType<typeof createMessageEvents>;
