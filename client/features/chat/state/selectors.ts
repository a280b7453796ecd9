import { atom } from 'jotai';
import { BADGE_MAX } from '#shared/limits.ts';
import { type ChatState, type ChatStore, chatStateAtom, conversationOf, type InFlightMessage } from './chat-state.ts';
import type { ChatEvent } from './events.ts';
import { type Conversation, countUnread } from './model/conversation.ts';
import type { OutboxEntry } from './model/outbox-entry.ts';

/** Takes the events of components that know no chat session; without a running one nothing happens. */
export const dispatchAtom = atom<{ dispatch: (event: ChatEvent) => void }>({ dispatch: () => {} });

/** Parts of the state, so that a component is drawn again only when its own part has changed. */

export const currentUserAtom = atom((get) => get(chatStateAtom).currentUser);
export const adminContactAtom = atom((get) => get(chatStateAtom).adminContact);
/** Whether the first load may begin. */
export const mayLoadAtom = atom((get) => get(chatStateAtom).mayLoad);
export const conversationsAtom = atom((get) => get(chatStateAtom).conversations);
export const jumpsAtom = atom((get) => get(chatStateAtom).jumps);
export const listAtom = atom((get) => get(chatStateAtom).list);
export const listPagingAtom = atom((get) => get(chatStateAtom).listPaging);
export const changedUsersAtom = atom((get) => get(chatStateAtom).changedUsers);
export const ephemeralStateAtom = atom((get) => get(chatStateAtom).ephemeral);
export const outboxAtom = atom((get) => get(chatStateAtom).outbox);
const inFlightAtom = atom((get) => get(chatStateAtom).inFlight);
const isConnectedAtom = atom((get) => get(chatStateAtom).isConnected);
const lastPollSucceededAtom = atom((get) => get(chatStateAtom).lastPollSucceeded);

export const connectionHealthAtom = atom((get) => ({
  socketConnected: get(isConnectedAtom),
  lastPollSucceeded: get(lastPollSucceededAtom),
}));

/** The dot Online/Offline: connected, or the last poll worked (R-CHAT-17). */
export const isOnlineAtom = atom((get) => get(isConnectedAtom) || get(lastPollSucceededAtom) === true);

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

export function readConversation(store: ChatStore, userId: string): Conversation {
  return conversationOf(store.get(chatStateAtom), userId);
}

/**
 * The progress of a message with files while this tab sends it. `uploading`: 0 to 100 percent of all its files; `sending`: they
 * are at the server, the message itself is on its way.
 */
export type UploadProgress = { kind: 'uploading'; percent: number } | { kind: 'sending' };

function progressOf({ step, uploadingId, fraction }: InFlightMessage, { files }: OutboxEntry): UploadProgress | null {
  if (files.length === 0 || step === 'claiming') return null;
  if (step !== 'uploading') return { kind: 'sending' };
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const done = files.reduce((sum, { id, bytes, uploadedId }) => {
    if (id === uploadingId) return sum + bytes * fraction;
    return sum + (uploadedId === null ? 0 : bytes);
  }, 0);
  const percent = total === 0 ? 0 : Math.round((100 * done) / total);
  return { kind: 'uploading', percent: Math.min(100, percent) };
}

/** The progress of each message with files that this tab sends, by its `client_id`. */
export function listProgress({
  outbox,
  inFlight,
}: Pick<ChatState, 'outbox' | 'inFlight'>): Record<string, UploadProgress> {
  const progress: Record<string, UploadProgress> = {};
  for (const current of Object.values(inFlight)) {
    const entry = outbox.find(({ client_id }) => client_id === current.clientId);
    const own = entry && progressOf(current, entry);
    if (own) progress[current.clientId] = own;
  }
  return progress;
}

export const uploadProgressAtom = atom((get) => listProgress({ outbox: get(outboxAtom), inFlight: get(inFlightAtom) }));
