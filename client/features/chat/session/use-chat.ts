import { atom, getDefaultStore, useAtomValue } from 'jotai';
import { useEffect, useMemo, useState } from 'react';
import { v4 as newTabId } from 'uuid';
import type { ConversationSummary } from '#shared/api/chat/chat.ts';
import type { UserChange } from '#shared/events.ts';
import { accountIdOf, onSessionChange, type Session, useSession } from '#client/lib/session/session.ts';
import { acquireConnection } from '#client/realtime/connection.ts';
import { createBrowserNotifier } from '../notifications/browser-notifier.ts';
import type { OutboxEntry } from '../state/model/outbox-entry.ts';
import { chatApi } from '../effects/api.ts';
import { type AdminPart, type ChatSession, startChatSession } from './chat-session.ts';
import { type Conversation, emptyConversation } from '../state/model/conversation.ts';
import type { Participant } from '../state/model/ephemeral-state.ts';
import type { Jump } from '../state/model/segment.ts';
import {
  changedUsersAtom,
  conversationsAtom,
  connectionHealthAtom,
  listAtom,
  ephemeralStateAtom,
  jumpsAtom,
  outboxAtom,
} from '../state/selectors.ts';

/** Layouts are exchanged when the user moves between areas; the chat keeps running meanwhile. */
const STOP_DELAY_MS = 1000;

const tabId = newTabId();
let sharedSession: { token: string; chatSession: ChatSession; consumerCount: number } | null = null;

let adminPart: AdminPart | null = null;

/** The code of an admin's list is no part of a user's first page. */
export function provideAdminPart(part: AdminPart): void {
  adminPart = part;
}

function startForLogin({ token, user }: Session): ChatSession {
  return startChatSession({
    currentUser: {
      side: user?.is_admin ? 'admin' : 'user',
      id: user ? accountIdOf(user) : '',
      name: user?.name ?? '',
    },
    store: getDefaultStore(),
    api: chatApi,
    openConnection: () => acquireConnection(token),
    createNotifier: createBrowserNotifier,
    tabId,
    admin: user?.is_admin ? adminPart : null,
  });
}

function stopIfUnused(): void {
  if (!sharedSession || sharedSession.consumerCount > 0) return;
  sharedSession.chatSession.stop();
  sharedSession = null;
}

// After sign-out no call may be made for that user any more.
onSessionChange(() => {
  sharedSession?.chatSession.stop();
  sharedSession = null;
});

/**
 * Sends what waits in the outbox of the running chat, also what was refused before.
 * @returns whether all of it was sent; false as soon as one attempt has failed
 */
export async function sendUnsentMessages(): Promise<boolean> {
  return sharedSession ? sharedSession.chatSession.sendUnsent() : false;
}

function acquireChatSession(session: Session): ChatSession {
  sharedSession ??= { token: session.token, chatSession: startForLogin(session), consumerCount: 0 };
  sharedSession.consumerCount += 1;
  return sharedSession.chatSession;
}

/** The chat of the signed-in user, shared by all components of this page; null without a signed-in user. */
export function useChatSession(): ChatSession | null {
  const session = useSession();
  const [chatSession, setChatSession] = useState<ChatSession | null>(null);
  const token = session?.user ? session.token : null;

  useEffect(() => {
    if (!session?.user) return undefined;
    const acquired = acquireChatSession(session);
    setChatSession(acquired);
    return () => {
      setChatSession(null);
      if (sharedSession?.chatSession !== acquired) return;
      sharedSession.consumerCount -= 1;
      setTimeout(stopIfUnused, STOP_DELAY_MS);
    };
    // A new name of the same user is no reason to start again.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [token]);

  return chatSession;
}

export function useConversation(userId: string): Conversation {
  return useAtomValue(useMemo(() => atom((get) => get(conversationsAtom)[userId] ?? emptyConversation), [userId]));
}

/** The message to which somebody has jumped in a conversation; null without one. */
export function useJump(userId: string): Jump | null {
  return useAtomValue(useMemo(() => atom((get) => get(jumpsAtom)[userId] ?? null), [userId]));
}

/** The messages of a conversation that are not stored yet, in order. */
export function useOutbox(userId: string): readonly OutboxEntry[] {
  const all = useAtomValue(outboxAtom);
  return useMemo(() => all.filter((entry) => entry.user_id === userId), [all, userId]);
}

const noParticipants: readonly Participant[] = [];

/** An account of which an event came while connected, as it is now; undefined for all others. */
export function useChangedUser(userId: string): UserChange | undefined {
  return useAtomValue(useMemo(() => atom((get) => get(changedUsersAtom)[userId]), [userId]));
}

export function useTypists(userId: string): readonly Participant[] {
  return useAtomValue(useMemo(() => atom((get) => get(ephemeralStateAtom).typing[userId] ?? noParticipants), [userId]));
}

/** `polling`: no socket, but calls succeed; `waiting`: nothing was tried yet. */
export type ConnectionState = 'live' | 'polling' | 'waiting' | 'offline';

export function useConnectionState(): ConnectionState {
  const { socketConnected, lastPollSucceeded } = useAtomValue(connectionHealthAtom);
  if (socketConnected) return 'live';
  if (lastPollSucceeded === null) return 'waiting';
  return lastPollSucceeded ? 'polling' : 'offline';
}

/**
 * The summary of a conversation, for an admin: who handles it, how long its user waits, how many notes it has. Loaded where no
 * list has it, and kept current while the component is on the screen; undefined until then.
 */
export function useConversationSummary(userId: string): ConversationSummary | undefined {
  const chatSession = useChatSession();
  useEffect(() => chatSession?.lists.watchSummary(userId), [chatSession, userId]);
  return useAtomValue(useMemo(() => atom((get) => get(listAtom).entries[userId]?.summary), [userId]));
}

/** The unread messages of a conversation, as the list knows them. */
export function useUnreadCount(userId: string): number {
  return useAtomValue(useMemo(() => atom((get) => get(listAtom).entries[userId]?.summary.unread_count ?? 0), [userId]));
}

/** The user of a conversation, as the list knows them. */
export function useListedUser(userId: string): ConversationSummary['other_user'] | undefined {
  return useAtomValue(useMemo(() => atom((get) => get(listAtom).entries[userId]?.summary.other_user), [userId]));
}
