import { atom, type createStore } from 'jotai';
import type { AdminContact } from '#shared/api/auth.ts';
import { socketConnectedAtom } from '#client/realtime/connection-state.ts';
import { BADGE_MAX } from '#shared/limits.ts';
import type { Side } from '#shared/events.ts';
import { type Conversation, countUnread, type LoadState, emptyConversation } from './conversation.ts';
import { type ConversationListState, emptyConversationList, type SortKey } from './conversation-list-state.ts';
import { type EphemeralState, emptyEphemeralState } from './ephemeral-state.ts';

export type ChatStore = ReturnType<typeof createStore>;

/** Who chats here. A resident's conversation is kept under their own id, whatever the office's side is called. */
export type ChatCurrentUser = { side: Side; id: string; name: string };

/** `contact`: whom a resident's messages are addressed to; 'none': there is no active administrator. */
export type AdminContactState = AdminContact | 'none' | null;

/** How far a list has been read. */
export type ListPaging = {
  pagesRead: number;
  hasMore: boolean;
  lastLoadedKey: SortKey | null;
  loadState: LoadState;
  error: unknown;
};

export const currentUserAtom = atom<ChatCurrentUser | null>(null);
export const adminContactAtom = atom<AdminContactState>(null);
/** Whether the last call without a socket succeeded; null while none was made. */
export const lastPollSucceededAtom = atom<boolean | null>(null);
export const connectionHealthAtom = atom((get) => ({
  socketConnected: get(socketConnectedAtom),
  lastPollSucceeded: get(lastPollSucceededAtom),
}));
export const conversationsAtom = atom<Readonly<Record<string, Conversation>>>({});
export const listAtom = atom<ConversationListState>(emptyConversationList);
export const listPagingAtom = atom<Readonly<Record<string, ListPaging>>>({});
export const ephemeralStateAtom = atom<EphemeralState>(emptyEphemeralState);

/** The Online/Offline dot of contract 6: connected, or the last poll worked. */
export const isOnlineAtom = atom((get) => {
  const { socketConnected, lastPollSucceeded } = get(connectionHealthAtom);
  return socketConnected || lastPollSucceeded === true;
});

/** Unread messages of this side over all conversations, for badges. */
export const totalUnreadAtom = atom((get) => {
  const currentUser = get(currentUserAtom);
  if (!currentUser) return 0;
  const { totalUnread, entries } = get(listAtom);
  if (currentUser.side === 'user') {
    const ownConversation = get(conversationsAtom)[currentUser.id];
    return ownConversation?.loaded ? countUnread(ownConversation, 'user') : (totalUnread ?? 0);
  }
  return totalUnread ?? Object.values(entries).reduce((sum, { summary }) => sum + summary.unread_count, 0);
});

/** '9+' above nine, '' for none (specification 9). */
export function badgeText(count: number): string {
  if (count <= 0) return '';
  return count > BADGE_MAX ? `${BADGE_MAX}+` : String(count);
}

/** Forgets everything of the person who chatted here. */
export function resetChatState(store: ChatStore): void {
  store.set(currentUserAtom, null);
  store.set(adminContactAtom, null);
  store.set(lastPollSucceededAtom, null);
  store.set(conversationsAtom, {});
  store.set(listAtom, emptyConversationList);
  store.set(listPagingAtom, {});
  store.set(ephemeralStateAtom, emptyEphemeralState);
}

export function readConversation(store: ChatStore, userId: string): Conversation {
  return store.get(conversationsAtom)[userId] ?? emptyConversation;
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
