import { atom, getDefaultStore, useAtomValue } from 'jotai';
import { useEffect, useMemo, useState } from 'react';
import { v4 as newTabId } from 'uuid';
import { onSessionChange, type Session, useSession } from '#client/lib/session.ts';
import { openLink } from '#client/realtime/socket.ts';
import { createBrowserNotifier } from '../notifications/browser-notifier.ts';
import type { OutboxEntry } from '../outbox/outbox-storage.ts';
import { outboxAtom } from '../outbox/outbox.ts';
import { chatApi } from './api.ts';
import { type ChatClient, startChat } from './client.ts';
import { type ListFilter, visibleSummaries } from './conversation-list.ts';
import { type Conversation, newConversation } from './conversation.ts';
import { filterKey, noPages } from './list-sync.ts';
import type { Person } from './live.ts';
import { conversationsAtom, isOnlineAtom, listAtom, listPagesAtom, liveAtom } from './state.ts';

/** Layouts change places when somebody moves between areas; the connection stays. */
const LINGER_MS = 1000;

const tabId = newTabId();
let running: { token: string; client: ChatClient; users: number } | null = null;

function start({ token, user }: Session): ChatClient {
  return startChat({
    identity: {
      side: user?.is_admin ? 'admin' : 'user',
      selfId: user?.id || (user?.email ?? ''),
      name: user?.name ?? '',
    },
    store: getDefaultStore(),
    calls: chatApi,
    openLink: () => openLink(token),
    createNotifier: createBrowserNotifier,
    tabId,
  });
}

function stopIfUnused(): void {
  if (!running || running.users > 0) return;
  running.client.stop();
  running = null;
}

// Signed out, nothing may be asked for in that person's name any more.
onSessionChange(() => {
  running?.client.stop();
  running = null;
});

function take(session: Session): ChatClient {
  running ??= { token: session.token, client: start(session), users: 0 };
  running.users += 1;
  return running.client;
}

/** The chat of the signed-in person, shared by everything on this page that uses it; null while nobody is signed in. */
export function useChatClient(): ChatClient | null {
  const session = useSession();
  const [client, setClient] = useState<ChatClient | null>(null);
  const token = session?.user ? session.token : null;

  useEffect(() => {
    if (!session?.user) return undefined;
    const taken = take(session);
    setClient(taken);
    return () => {
      setClient(null);
      if (running?.client !== taken) return;
      running.users -= 1;
      setTimeout(stopIfUnused, LINGER_MS);
    };
    // A newer name of the same person is no reason to start anew.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [token]);

  return client;
}

export function useConversation(userId: string): Conversation {
  return useAtomValue(useMemo(() => atom((get) => get(conversationsAtom)[userId] ?? newConversation), [userId]));
}

/** What of a conversation is not stored yet, in order. */
export function useOutbox(userId: string): readonly OutboxEntry[] {
  const all = useAtomValue(outboxAtom);
  return useMemo(() => all.filter((entry) => entry.user_id === userId), [all, userId]);
}

const nobody: readonly Person[] = [];

export function useTypists(userId: string): readonly Person[] {
  return useAtomValue(useMemo(() => atom((get) => get(liveAtom).typing[userId] ?? nobody), [userId]));
}

export function useViewers(userId: string): readonly Person[] {
  return useAtomValue(useMemo(() => atom((get) => get(liveAtom).viewers[userId] ?? nobody), [userId]));
}

export function useIsOnline(): boolean {
  return useAtomValue(isOnlineAtom);
}

/** The desk's list under a filter, live. */
export function useConversationList(client: ChatClient | null, filter: ListFilter) {
  const { search, only } = filter;
  const key = filterKey(filter);
  const list = useAtomValue(listAtom);
  const pages = useAtomValue(listPagesAtom)[key] ?? noPages;
  const summaries = useMemo(
    () => visibleSummaries(list, { search, only }, pages.hasMore ? pages.floor : null),
    [list, search, only, pages.hasMore, pages.floor],
  );
  useEffect(() => client?.lists.show({ search, only }), [client, search, only]);
  return {
    summaries,
    hasMore: pages.hasMore,
    load: pages.load,
    error: pages.error,
    readMore: () => void client?.lists.readMore({ search, only }),
    refresh: () => void client?.lists.refresh({ search, only }),
  };
}
