import type { Message } from '#shared/api/chat.ts';
import type { RecordChange } from '#shared/chat-events.ts';
import type { Link } from '#client/realtime/socket.ts';
import type { Notifier } from '../notifications/notifier.ts';
import { createOutbox } from '../outbox/outbox.ts';
import { createOutboxStorage } from '../outbox/outbox-storage.ts';
import type { ChatApi } from './api.ts';
import { createContact } from './contact.ts';
import { clearInList, type ListFilter } from './conversation-list.ts';
import { newConversation, sideOfMessage } from './conversation.ts';
import { createDeliver } from './deliver.ts';
import { createListSync } from './list-sync.ts';
import { createPolling } from './polling.ts';
import { createReach } from './reach.ts';
import { createReading } from './reading.ts';
import { bindChat } from './realtime.ts';
import {
  type ChatStore,
  conversationsAtom,
  type Identity,
  identityAtom,
  listAtom,
  readConversation,
  resetChat,
} from './state.ts';
import { createSync } from './sync.ts';
import { createTypingHints } from './typing-hints.ts';

export type ClientDeps = {
  identity: Identity;
  store: ChatStore;
  calls: ChatApi;
  openLink: () => Link;
  createNotifier: (identity: Identity, tabId: string, onOpen: (userId: string) => void) => Notifier;
  tabId: string;
};

/** One person's chat on this page: joins the store, REST, the socket, polling, the outbox and the notifications. */
export function startChat({ identity, store, calls, openLink, createNotifier, tabId }: ClientDeps) {
  const { side, selfId } = identity;
  const open = new Map<string, number>();
  const recordListeners = new Set<(change: RecordChange) => void>();
  const openListeners = new Set<(userId: string) => void>();
  let viewed: string | null = null;

  resetChat(store);
  store.set(identityAtom, identity);
  const contact = createContact(store, calls);
  const peerOf = (userId: string): Promise<string> => (side === 'admin' ? Promise.resolve(userId) : contact.id());

  function onNew(messages: readonly Message[], arrived: boolean): void {
    outbox.confirm(messages.flatMap(({ client_id }) => client_id ?? []));
    if (!arrived) return;
    for (const message of messages) if (sideOfMessage(message) !== side) notifier.incoming(message);
  }

  const onAnswer = (error?: unknown): void => reach.note(error);
  const notifier = createNotifier(identity, tabId, (userId) => {
    for (const listener of openListeners) listener(userId);
  });
  const sync = createSync({
    store,
    calls,
    peerOf,
    onNew,
    onSeen: (userId, { seen }) => notifier.seen(userId, seen[side]),
    onAnswer,
  });
  const lists = createListSync({ store, calls, onAnswer, onNewer: (rows) => notifier.newer(rows) });
  const link = openLink();
  const reach = createReach({ store, link, refreshFailed, catchUp });
  const { socket } = link;
  const emitTyping = (userId: string, typing: boolean): void => {
    if (socket.connected) socket.emit('typing', side === 'admin' ? { user_id: userId, typing } : { typing });
  };
  const emitViewing = (): void => {
    if (socket.connected && side === 'admin') socket.emit('viewing', { user_id: viewed });
  };
  const reading = createReading({
    store,
    identity,
    calls,
    peerOf,
    onAttention: notifier.attend,
    emitDelivered: (userId, upTo) =>
      socket.emit('delivered', { ...(side === 'admin' ? { user_id: userId } : {}), up_to: String(upTo) }),
  });
  const typing = createTypingHints(emitTyping);
  const outbox = createOutbox({
    store,
    storage: createOutboxStorage(selfId),
    tabId,
    deliver: createDeliver({ identity, store, calls, contact, sync, onAnswer }),
  });

  function refreshOpen(): void {
    for (const userId of open.keys()) void sync.retry(userId);
  }
  function catchUp(): void {
    refreshOpen();
    void lists.refreshShown();
    outbox.flush();
  }
  function refreshFailed(): void {
    for (const userId of open.keys()) if (readConversation(store, userId).load === 'failed') void sync.poll(userId);
    lists.refreshFailed();
  }
  const polling = createPolling({
    side,
    pollConversations: () => {
      for (const userId of open.keys()) void sync.poll(userId);
    },
    pollList: lists.poll,
  });
  const unbind = bindChat(socket, store, {
    identity,
    sync,
    lists,
    onConnect: () => {
      polling.stop();
      catchUp();
      reading.hintAgain();
      if (viewed !== null) emitViewing();
    },
    onDisconnect: () => polling.start(),
    onIncoming: (message) => notifier.incoming(message),
    onSeenHere: (userId, upTo) => notifier.seen(userId, upTo),
    onRecordChange: (change) => {
      for (const listener of recordListeners) listener(change);
    },
  });
  if (!socket.connected) polling.start();

  function openConversation(userId: string): () => void {
    open.set(userId, (open.get(userId) ?? 0) + 1);
    const known = store.get(conversationsAtom);
    if (!known[userId]) store.set(conversationsAtom, { ...known, [userId]: newConversation });
    void sync.refresh(userId);
    return () => {
      const count = (open.get(userId) ?? 1) - 1;
      if (count > 0) open.set(userId, count);
      else open.delete(userId);
    };
  }
  // A resident's badge and notifications need the conversation even while the panel is closed.
  if (side === 'user') openConversation(selfId);

  return {
    identity,
    lists: {
      /** A list is on show: it is loaded and kept current. @returns the undo */
      show(filter: ListFilter): () => void {
        const hide = lists.show(filter);
        notifier.setListOnScreen(true);
        return () => {
          hide();
          notifier.setListOnScreen(lists.isShown());
        };
      },
      refresh: lists.refresh,
      readMore: lists.readMore,
    },
    /** Loads a conversation and keeps it current while it is on show. @returns the undo */
    open: openConversation,
    /** 'Coba lagi': asks anew even while a call hangs. */
    refresh: sync.retry,
    readOlder: sync.readOlder,
    /** What is open here and whether its newest message is on the screen; decides what counts as read. */
    watch: reading.watch,
    unwatch: reading.unwatch,
    /** @returns whether there was anything to send */
    send(userId: string, text: string): boolean {
      const content = text.trim();
      if (content === '') return false;
      typing.stop();
      outbox.add(userId, content);
      return true;
    },
    retry: outbox.retry,
    discard: outbox.discard,
    typed: typing.typed,
    /** Administrators only: which conversation the others see this one in. */
    view(userId: string | null): void {
      if (viewed === userId) return;
      viewed = userId;
      emitViewing();
    },
    /** Deletes a history for both sides; rejects with `ApiError`. */
    async clear(userId: string): Promise<void> {
      await calls.clear(userId);
      store.set(listAtom, clearInList(store.get(listAtom), userId));
      sync.clear(userId);
    },
    onRecordChange(listener: (change: RecordChange) => void): () => void {
      recordListeners.add(listener);
      return () => void recordListeners.delete(listener);
    },
    /** A notification was pressed. */
    onOpenRequest(listener: (userId: string) => void): () => void {
      openListeners.add(listener);
      return () => void openListeners.delete(listener);
    },
    /** The person asked for it: now, not at the next turn. */
    retryNow(): void {
      link.wake();
      catchUp();
    },
    stop(): void {
      reach.stop();
      typing.stop();
      polling.stop();
      unbind();
      reading.stop();
      notifier.stop();
      outbox.stop();
      link.close();
      resetChat(store);
    },
  };
}
export type ChatClient = ReturnType<typeof startChat>;
