import type { Message } from '#shared/api/chat.ts';
import { ApiError } from '#client/lib/api-error.ts';
import type { OutboxEntry } from '../outbox/outbox-storage.ts';
import type { ChatApi } from './api.ts';
import type { createContact } from './contact.ts';
import { receiveInList } from './conversation-list.ts';
import { type ChatStore, type Identity, listAtom } from './state.ts';
import type { Sync } from './sync.ts';

export type DeliverDeps = {
  identity: Identity;
  store: ChatStore;
  calls: Pick<ChatApi, 'send'>;
  contact: ReturnType<typeof createContact>;
  sync: Pick<Sync, 'receive' | 'refresh' | 'stamp'>;
  onAnswer: (error?: unknown) => void;
};

/** Takes one message of the outbox to the server, and the answer into the store. Rejects when it was not stored. */
export function createDeliver({ identity, store, calls, contact, sync, onAnswer }: DeliverDeps) {
  const { side, selfId } = identity;

  async function post({ user_id, content, client_id }: OutboxEntry): Promise<Message> {
    if (side === 'admin') return calls.send(user_id, content, client_id);
    const peerId = await contact.id();
    try {
      return await calls.send(peerId, content, client_id);
    } catch (error) {
      const gone = error instanceof ApiError && (error.status === 403 || error.status === 404);
      const other = gone ? await contact.askAgain() : peerId;
      if (other === peerId) throw error;
      return calls.send(other, content, client_id);
    }
  }

  return async (entry: OutboxEntry): Promise<void> => {
    const userId = side === 'admin' ? entry.user_id : selfId;
    const before = sync.stamp(userId);
    const message = await post(entry).catch((error: unknown) => {
      onAnswer(error);
      throw error;
    });
    onAnswer();
    // Sent before, or read anew meanwhile: it may be of long ago and deleted since. Only the history knows.
    if (entry.attempts > 0 || sync.stamp(userId) !== before) {
      await sync.refresh(userId);
      return;
    }
    sync.receive(message, userId);
    if (side === 'admin') store.set(listAtom, receiveInList(store.get(listAtom), message));
  };
}
