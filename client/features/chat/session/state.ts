import { atom, type createStore } from 'jotai';
import type { AdminContact } from '#shared/api/auth.ts';
import { BADGE_MAX } from '#shared/limits.ts';
import type { Side } from '#shared/chat-events.ts';
import { type Conversation, countUnread, type LoadState, newConversation } from './conversation.ts';
import { type ConversationList, emptyList, type SortKey } from './conversation-list.ts';
import { type Live, nobody } from './live.ts';

export type ChatStore = ReturnType<typeof createStore>;

/** Who chats here. A resident's conversation is kept under their own id, whatever the office's side is called. */
export type Identity = { side: Side; selfId: string; name: string };

/** `contact`: whom a resident's messages are addressed to; 'none': there is no active administrator. */
export type Contact = AdminContact | 'none' | null;

/** `polled`: whether the last call while there was no socket got through; null while none was made. */
export type Connection = { socket: boolean; polled: boolean | null };

/** How far a list has been read. */
export type ListPages = {
  read: number;
  hasMore: boolean;
  floor: SortKey | null;
  load: LoadState;
  error: unknown;
};

export const identityAtom = atom<Identity | null>(null);
export const contactAtom = atom<Contact>(null);
export const connectionAtom = atom<Connection>({ socket: false, polled: null });
export const conversationsAtom = atom<Readonly<Record<string, Conversation>>>({});
export const listAtom = atom<ConversationList>(emptyList);
export const listPagesAtom = atom<Readonly<Record<string, ListPages>>>({});
export const liveAtom = atom<Live>(nobody);

/** The Online/Offline dot of contract 6: connected, or the last poll worked. */
export const isOnlineAtom = atom((get) => {
  const { socket, polled } = get(connectionAtom);
  return socket || polled === true;
});

/** Unread messages of this side over all conversations, for badges. */
export const totalUnreadAtom = atom((get) => {
  const identity = get(identityAtom);
  if (!identity) return 0;
  const { totalUnread, entries } = get(listAtom);
  if (identity.side === 'user') {
    const own = get(conversationsAtom)[identity.selfId];
    return own?.loaded ? countUnread(own, 'user') : (totalUnread ?? 0);
  }
  return totalUnread ?? Object.values(entries).reduce((sum, { summary }) => sum + summary.unread_count, 0);
});

/** '9+' above nine, '' for none (specification 9). */
export function badgeText(count: number): string {
  if (count <= 0) return '';
  return count > BADGE_MAX ? `${BADGE_MAX}+` : String(count);
}

/** Forgets everything of the person who chatted here. */
export function resetChat(store: ChatStore): void {
  store.set(identityAtom, null);
  store.set(contactAtom, null);
  store.set(connectionAtom, { socket: false, polled: null });
  store.set(conversationsAtom, {});
  store.set(listAtom, emptyList);
  store.set(listPagesAtom, {});
  store.set(liveAtom, nobody);
}

export function readConversation(store: ChatStore, userId: string): Conversation {
  return store.get(conversationsAtom)[userId] ?? newConversation;
}

/** Changes one conversation that is known here; others are left alone. */
export function changeConversation(
  store: ChatStore,
  userId: string,
  change: (conversation: Conversation) => Conversation,
): void {
  const all = store.get(conversationsAtom);
  const before = all[userId];
  if (!before) return;
  const after = change(before);
  if (after !== before) store.set(conversationsAtom, { ...all, [userId]: after });
}
