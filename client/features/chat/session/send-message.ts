import type { Message } from '#shared/api/chat.ts';
import { ApiError } from '#client/lib/api-error.ts';
import { changeInstallRecord } from '#client/lib/install-record.ts';
import type { ClaimedEntry } from '../outbox/outbox.ts';
import type { OutboxEntry } from '../outbox/outbox-storage.ts';
import type { ChatApi } from './api.ts';
import type { createAdminContact } from './contact-admin.ts';
import { applyMessageToList } from './list/conversation-list-state.ts';
import { type ChatStore, type ChatCurrentUser, listAtom } from './state.ts';
import type { ConversationSync } from './sync/conversation-sync.ts';

export type SendMessageDeps = {
  currentUser: ChatCurrentUser;
  store: ChatStore;
  api: Pick<ChatApi, 'sendMessage'>;
  adminContact: ReturnType<typeof createAdminContact>;
  conversationSync: Pick<ConversationSync, 'receive' | 'refresh' | 'stamp'>;
  onCallSettled: (error?: unknown) => void;
};

/** Sends one message of the outbox and puts the answer into the store. Rejects when it was not stored. */
export function createSendMessage({
  currentUser,
  store,
  api,
  adminContact,
  conversationSync,
  onCallSettled,
}: SendMessageDeps) {
  const { side, id: currentUserId } = currentUser;

  async function postToPeer(entry: OutboxEntry): Promise<Message> {
    const { user_id, content, client_id, quote, seen_id, files, record } = entry;
    const extras = {
      ...(quote && { replyTo: quote._id }),
      ...(seen_id !== null && { seenId: seen_id }),
      ...(files.length > 0 && { attachmentIds: files.flatMap(({ uploadedId }) => uploadedId ?? []) }),
      ...(record && { recordId: record.id }),
    };
    if (side === 'admin') return api.sendMessage(user_id, content, client_id, extras);
    const peerId = await adminContact.requireId();
    try {
      return await api.sendMessage(peerId, content, client_id, extras);
    } catch (error) {
      const isPeerGone = error instanceof ApiError && (error.status === 403 || error.status === 404);
      const newPeerId = isPeerGone ? await adminContact.refetchId() : peerId;
      if (newPeerId === peerId) throw error;
      return api.sendMessage(newPeerId, content, client_id, extras);
    }
  }

  return async ({ entry, wasSentBefore }: ClaimedEntry): Promise<void> => {
    const userId = side === 'admin' ? entry.user_id : currentUserId;
    const stampBefore = conversationSync.stamp(userId);
    const message = await postToPeer(entry).catch((error: unknown) => {
      onCallSettled(error);
      // A colleague's answer refused this one: it must be on the screen, also where its event was missed.
      if (error instanceof ApiError && error.status === 409) void conversationSync.refresh(userId);
      throw error;
    });
    onCallSettled();
    if (side === 'user') changeInstallRecord({ hasWritten: true });
    // The answer to a repeat may be a message whose history was deleted since. The same holds when a page was loaded or the
    // history was deleted during the call. So the history is loaded instead of adding the answer.
    if (wasSentBefore || conversationSync.stamp(userId) !== stampBefore) {
      await conversationSync.refresh(userId);
      return;
    }
    conversationSync.receive(message, userId);
    if (side === 'admin') store.set(listAtom, applyMessageToList(store.get(listAtom), message));
  };
}
