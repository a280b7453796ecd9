import type { Message } from '#shared/api/chat.ts';
import type { ConversationStateUpdate } from '#shared/api/inbox.ts';
import { ApiError } from '#client/lib/api-error.ts';
import { withWorker } from '#client/lib/notifications/with-worker.ts';
import type { RealtimeConnection } from '#client/realtime/socket.ts';
import type { OnOpen } from '../notifications/browser-notifier.ts';
import type { Notifier } from '../notifications/notifier.ts';
import type { WaitLookup } from '../notifications/repeated-beep.ts';
import { createOutbox } from '../outbox/outbox.ts';
import { createOutboxStorage, type OutboxEntry, type Quote } from '../outbox/outbox-storage.ts';
import type { ChatApi } from './api.ts';
import { createAdminContact } from './contact-admin.ts';
import { clearConversationInList } from './list/conversation-list-state.ts';
import { emptyConversation, sideOfMessage, toIdNumber } from './conversation.ts';
import { createFirstLoad } from './sync/first-load.ts';
import { createSendMessage } from './send-message.ts';
import { createShownMessages } from './reading/shown-messages.ts';
import type { ListFilter } from './list/list-order.ts';
import { createJumpSync } from './sync/jump-sync.ts';
import { createListSync } from './sync/list-sync.ts';
import { createPolling } from './sync/polling.ts';
import { createFileCare } from './sync/file-care.ts';
import { createReachability } from './reachability.ts';
import { createReadReceipts } from './reading/read-receipts.ts';
import { bindSocketHandlers } from './sync/socket-handlers.ts';
import {
  type ChatStore,
  conversationsAtom,
  type ChatCurrentUser,
  currentUserAtom,
  listAtom,
  readConversation,
  resetChatState,
} from './state.ts';
import { createConversationSync } from './sync/conversation-sync.ts';
import { createTypingEmitter } from './typing-emitter.ts';
import { createViewing } from './reading/viewing.ts';
import { createWaitLookup } from './wait-lookup.ts';

export type ChatSessionDeps = {
  currentUser: ChatCurrentUser;
  store: ChatStore;
  api: ChatApi;
  openConnection: () => RealtimeConnection;
  createNotifier: (currentUser: ChatCurrentUser, tabId: string, onOpen: OnOpen, lookup: WaitLookup) => Notifier;
  tabId: string;
};

/** Most visits upload nothing. */
const loadUploads = () => import('./upload-attachment.ts');

/**
 * The chat of one signed-in user on this page: joins the store, REST, the socket, polling, the outbox and the notifications.
 */
export function startChatSession({ currentUser, store, api, openConnection, createNotifier, tabId }: ChatSessionDeps) {
  const { side, id: currentUserId } = currentUser;
  const openCounts = new Map<string, number>();
  const notificationOpenListeners = new Set<OnOpen>();

  resetChatState(store);
  store.set(currentUserAtom, currentUser);
  store.set(listAtom, { ...store.get(listAtom), adminId: currentUserId });
  const adminContact = createAdminContact(store, api);
  const resolvePeerId = (userId: string): Promise<string> =>
    side === 'admin' ? Promise.resolve(userId) : adminContact.requireId();

  function onNewMessages(messages: readonly Message[], wasLoaded: boolean): void {
    outbox.confirm(messages.flatMap(({ client_id }) => client_id ?? []));
    // The first page is history, not news.
    if (!wasLoaded) return;
    for (const message of messages) if (sideOfMessage(message) !== side) notifier.incoming(message);
    fileCare.receive(messages);
  }

  function onCallSettled(error?: unknown): void {
    reachability.reportCallSettled(error);
    if (error === undefined) outbox.resume();
  }
  const requestOpen: OnOpen = (userId, how) => {
    for (const listener of notificationOpenListeners) listener(userId, how);
  };
  const notifier = createNotifier(currentUser, tabId, requestOpen, createWaitLookup(store, api));
  const conversationSync = createConversationSync({
    store,
    api,
    resolvePeerId,
    onNewMessages,
    onSeenMoved: (userId, { seen }) => notifier.seen(userId, seen[side]),
    onCallSettled,
  });
  const jumpSync = createJumpSync({
    store,
    api,
    resolvePeerId,
    refresh: conversationSync.refresh,
    onCallSettled,
  });
  const fileCare = createFileCare({ store, currentUser, api, resolvePeerId, onCallSettled });
  const listSync = createListSync({ store, api, onCallSettled, onNewerRows: (rows) => notifier.newer(rows) });
  const connection = openConnection();
  const reachability = createReachability({ store, connection, refreshFailed, catchUp });
  const { socket } = connection;
  const emitTyping = (userId: string, typing: boolean): void => {
    if (socket.connected) socket.emit('typing', side === 'admin' ? { user_id: userId, typing } : { typing });
  };
  const viewing = createViewing(side, (payload) => {
    if (socket.connected) socket.emit('viewing', payload);
  });
  const readReceipts = createReadReceipts({
    store,
    currentUser,
    api,
    resolvePeerId,
    onReadingChange: notifier.setReading,
    emitDelivered: (userId, upTo) =>
      socket.emit('delivered', { ...(side === 'admin' ? { user_id: userId } : {}), up_to: String(upTo) }),
  });
  const shownMessages = createShownMessages(store);
  const typingEmitter = createTypingEmitter(emitTyping);
  const outbox = createOutbox({
    store,
    storage: createOutboxStorage(currentUserId),
    tabId,
    uploadFile: async (file, options) => {
      const { createUploadAttachment } = await loadUploads();
      return createUploadAttachment({ api, currentUserId, onCallSettled })(file, options);
    },
    removeUploads: (files) => {
      loadUploads().then(
        ({ createRemoveUploads }) => createRemoveUploads(api)(files),
        () => undefined,
      );
    },
    sendMessage: createSendMessage({ currentUser, store, api, adminContact, conversationSync, onCallSettled }),
  });

  function refreshOpenConversations(): void {
    for (const userId of openCounts.keys()) void conversationSync.retry(userId);
  }
  function loadShown(): void {
    refreshOpenConversations();
    void listSync.refreshShown();
  }
  // Also where no socket ever connects: messages may wait there since the page was loaded before.
  const firstLoad = createFirstLoad(store, catchUp);
  function catchUp(): void {
    firstLoad.open();
    loadShown();
    outbox.flush();
  }
  function refreshFailed(): void {
    for (const userId of openCounts.keys()) {
      const { loadState, error } = readConversation(store, userId);
      // An account that an admin cannot find does not come back by asking again.
      const isGone = side === 'admin' && error instanceof ApiError && (error.status === 403 || error.status === 404);
      if (loadState === 'failed' && !isGone) void conversationSync.poll(userId);
    }
    listSync.refreshFailed();
  }
  const polling = createPolling({
    side,
    pollConversations: () => {
      for (const userId of openCounts.keys()) void conversationSync.poll(userId);
    },
    pollList: listSync.poll,
  });
  const unbind = bindSocketHandlers(socket, store, {
    currentUser,
    conversationSync,
    listSync,
    onConnect: () => {
      polling.stop();
      catchUp();
      readReceipts.emitDeliveredAgain();
      viewing.emitAgain();
    },
    onDisconnect: () => polling.start(),
    onIncomingMessage: (message) => notifier.incoming(message),
    onSeenByOwnSide: (userId, upTo) => notifier.seen(userId, upTo),
    onRecordChanged: fileCare.recordChanged,
  });
  if (!socket.connected) polling.start();
  const unbindWorker = withWorker(async (registration) =>
    (await import('./worker/worker-state.ts')).bindWorkerState({ registration, store, currentUser }),
  );

  function openConversation(userId: string): () => void {
    openCounts.set(userId, (openCounts.get(userId) ?? 0) + 1);
    const known = store.get(conversationsAtom);
    if (!known[userId]) store.set(conversationsAtom, { ...known, [userId]: emptyConversation });
    if (firstLoad.isOpen()) void conversationSync.refresh(userId);
    return () => {
      const count = (openCounts.get(userId) ?? 1) - 1;
      if (count > 0) openCounts.set(userId, count);
      else openCounts.delete(userId);
    };
  }
  // The badge and the notifications of a user need the conversation even while the panel is closed.
  if (side === 'user') {
    openConversation(currentUserId);
    // Does not depend on the socket, and the first load needs it; an error is reported there.
    adminContact.requireId().catch(() => undefined);
  }

  return {
    currentUser,
    lists: {
      /** A list is on the screen: loads it and keeps it current. @returns the undo */
      show(filter: ListFilter): () => void {
        const hide = listSync.show(filter, firstLoad.isOpen());
        notifier.setListOnScreen(true);
        return () => {
          hide();
          notifier.setListOnScreen(listSync.isShown());
        };
      },
      refresh: listSync.refresh,
      /** Keeps the summary of one conversation current, also where no list has it. @returns the undo */
      watchSummary: (userId: string): (() => void) => listSync.watchSummary(userId),
      /** The answer to a call that changed the state of a conversation; its event comes too, if there is a socket. */
      applyState(update: ConversationStateUpdate): void {
        listSync.applyState(update);
        listSync.changed();
      },
      readMore: (filter: ListFilter): Promise<void> =>
        firstLoad.isOpen() ? listSync.readMore(filter) : Promise.resolve(),
    },
    /** Loads a conversation and keeps it current while it is on the screen. @returns the undo */
    open: openConversation,
    /** The button 'Coba lagi': starts a new call even while another one hangs. */
    refresh: conversationSync.retry,
    readOlder: conversationSync.readOlder,
    /** Shows a message of an open conversation with what stands around it, however old it is. */
    jumpToMessage: (userId: string, messageId: string): Promise<void> => jumpSync.jumpTo(userId, toIdNumber(messageId)),
    /** Loads the page before or after the messages around a message. */
    readBeside: jumpSync.readPage,
    /** Reads a message again, with fresh links to its files. Never rejects. */
    renewMessage: fileCare.renewMessage,
    /** Back to the newest messages. */
    endJump: jumpSync.end,
    /** Which conversations are open, and whether their newest message is visible; decides what counts as read. */
    watch(userId: string, atBottom: boolean): void {
      shownMessages.watch(userId, atBottom);
      readReceipts.watch(userId, atBottom);
    },
    unwatch(userId: string): void {
      shownMessages.unwatch(userId);
      readReceipts.unwatch(userId);
    },
    /** Which of several open conversations has the focus: only that one is being read. */
    setFocused: readReceipts.setFocused,
    /** @returns whether there was anything to send: a text, a file, a record */
    send(
      userId: string,
      text: string,
      quote: Quote | null = null,
      { files = [], record = null }: Partial<Pick<OutboxEntry, 'files' | 'record'>> = {},
    ): boolean {
      const typed = text.trim();
      if (typed === '' && files.length === 0 && !record) return false;
      typingEmitter.stop();
      const seenId = side === 'admin' ? shownMessages.newestShown(userId) : null;
      outbox.add(userId, typed, { quote, seen_id: seenId, files, record });
      return true;
    },
    /** Sends what waits, before the user leaves. @returns whether all of it was sent */
    sendUnsent(): Promise<boolean> {
      connection.ensureConnected();
      return outbox.sendAll();
    },
    retry: outbox.retry,
    sendHeld: (clientId: string, seenId: string | null): void => outbox.sendHeld(clientId, seenId),
    /** @param options with `keepFiles` its files go back into the draft (drafts/take-back.ts) */
    discard: (clientId: string, options?: { keepFiles?: boolean }): void => outbox.discard(clientId, options),
    cancelUpload: (clientId: string): void => outbox.cancelUpload(clientId),
    removeFile: (clientId: string, fileId: string): void => outbox.removeFile(clientId, fileId),
    typed: typingEmitter.handleInput,
    /** A conversation is on the screen: other admins see this one there, and its messages are not pushed. @returns the undo */
    view: (userId: string): (() => void) => viewing.add(userId),
    /** Deletes a history for both sides; rejects with `ApiError`. */
    async clear(userId: string): Promise<void> {
      const deletionsBefore = readConversation(store, userId).epoch;
      try {
        await api.deleteHistory(userId);
      } catch (error) {
        // Overwriting a long history may outlast the call. The event has already said that it is deleted.
        const isDeleted = readConversation(store, userId).epoch > deletionsBefore;
        if (!(isDeleted && error instanceof ApiError && error.kind === 'timeout')) throw error;
      }
      store.set(listAtom, clearConversationInList(store.get(listAtom), userId));
      conversationSync.clear(userId);
    },
    /** Calls back when a notification was clicked. */
    onOpenRequest(listener: OnOpen): () => void {
      notificationOpenListeners.add(listener);
      return () => void notificationOpenListeners.delete(listener);
    },
    /** The user asked to retry: at once instead of at the next timer. */
    retryNow(): void {
      connection.ensureConnected();
      catchUp();
    },
    stop(): void {
      unbindWorker();
      firstLoad.stop();
      reachability.stop();
      typingEmitter.stop();
      viewing.stop();
      polling.stop();
      unbind();
      readReceipts.stop();
      notifier.stop();
      outbox.stop();
      jumpSync.stop();
      listSync.stop();
      connection.close();
      resetChatState(store);
    },
  };
}
export type ChatSession = ReturnType<typeof startChatSession>;
