import { atom, type createStore } from 'jotai';
import type { AdminContact } from '#shared/api/auth.ts';
import { socketConnectedAtom } from '#client/realtime/connection-state.ts';
import { BADGE_MAX } from '#shared/limits.ts';
import type { Side, UserChange } from '#shared/events.ts';
import { type Conversation, countUnread, type LoadState, emptyConversation } from './conversation.ts';
import { type ConversationListState, emptyConversationList } from './list/conversation-list-state.ts';
import type { SortKey } from './list/list-order.ts';
import type { Jump } from './segment.ts';
import type { DraftMode } from './drafts.ts';
import { type EphemeralState, emptyEphemeralState } from './ephemeral-state.ts';

export type ChatStore = ReturnType<typeof createStore>;

/** The signed-in user of this chat. A user's conversation is kept under the user's own id, whichever admin is addressed. */
export type ChatCurrentUser = { side: Side; id: string; name: string };

/** The admin to whom a user's messages are addressed; 'none': there is no active admin. */
export type AdminContactState = AdminContact | 'none' | null;

/** How many pages of a list were loaded, and where they end. */
export type ListPaging = {
  pagesRead: number;
  hasMore: boolean;
  lastLoadedKey: SortKey | null;
  loadState: LoadState;
  error: unknown;
};

export const currentUserAtom = atom<ChatCurrentUser | null>(null);
export const adminContactAtom = atom<AdminContactState>(null);
/** Whether the first load may begin (first-load.ts). */
export const mayLoadAtom = atom(false);
/** Whether the last call without a socket succeeded; null while none was made. */
export const lastPollSucceededAtom = atom<boolean | null>(null);
export const connectionHealthAtom = atom((get) => ({
  socketConnected: get(socketConnectedAtom),
  lastPollSucceeded: get(lastPollSucceededAtom),
}));
export const conversationsAtom = atom<Readonly<Record<string, Conversation>>>({});
/** The messages to which somebody has jumped, by conversation. */
export const jumpsAtom = atom<Readonly<Record<string, Jump>>>({});
export const listAtom = atom<ConversationListState>(emptyConversationList);
export const listPagingAtom = atom<Readonly<Record<string, ListPaging>>>({});
/** The accounts about which an event came while connected, as they are now. What was loaded before may be older. */
export const changedUsersAtom = atom<Readonly<Record<string, UserChange>>>({});
/**
 * What the admin writes in each conversation, by its user. Not stored: after a reload the field is for answers again, and a
 * note that was begun waits in its own mode.
 */
export const composerModesAtom = atom<Readonly<Record<string, DraftMode>>>({});
export type NoteState = { isBusy: boolean; error: string | null };
/** Notes that are being stored, by the conversation's user, also while another conversation is open. */
export const noteStatesAtom = atom<Readonly<Record<string, NoteState>>>({});
export const ephemeralStateAtom = atom<EphemeralState>(emptyEphemeralState);

/** The dot Online/Offline: connected, or the last poll worked (R-CHAT-17). */
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

/** '9+' above nine, '' for none (R-CHAT-18). */
export function badgeText(count: number): string {
  if (count <= 0) return '';
  return count > BADGE_MAX ? `${BADGE_MAX}+` : String(count);
}

/** Clears everything of the user who was signed in. */
export function resetChatState(store: ChatStore): void {
  store.set(currentUserAtom, null);
  store.set(adminContactAtom, null);
  store.set(mayLoadAtom, false);
  store.set(lastPollSucceededAtom, null);
  store.set(conversationsAtom, {});
  store.set(jumpsAtom, {});
  store.set(listAtom, emptyConversationList);
  store.set(listPagingAtom, {});
  store.set(changedUsersAtom, {});
  store.set(ephemeralStateAtom, emptyEphemeralState);
  store.set(composerModesAtom, {});
  store.set(noteStatesAtom, {});
}

export function readConversation(store: ChatStore, userId: string): Conversation {
  return store.get(conversationsAtom)[userId] ?? emptyConversation;
}

/** Changes one known conversation; unknown ones are ignored. */
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
