import { v4 as newClientId } from 'uuid';
import type { ConversationStateUpdate } from '#shared/api/chat/inbox.ts';
import { ApiError } from '#client/lib/api/api-error.ts';
import { withWorker } from '#client/lib/notifications/with-worker.ts';
import type { RealtimeConnection } from '#client/realtime/socket.ts';
import type { ChatApi } from '../effects/api.ts';
import { contact } from '../effects/contact.ts';
import { jumps, olderPages, pagesBeside, refreshes, renewals } from '../effects/history.ts';
import { notifications } from '../effects/notify.ts';
import { createOutboxStorage } from '../effects/outbox-storage.ts';
import {
  mirrorDelivered,
  mirrorReading,
  mirrorReconnection,
  mirrorTyping,
  seenCalls,
  viewingReports,
} from '../effects/reports.ts';
import { type Effects, startRunner } from '../effects/runner.ts';
import { fileJobs, sends, uploads } from '../effects/send.ts';
import { bindPage, bindSocket, bindStorage, mirrorUploads, readPage } from '../effects/sources.ts';
import { timers } from '../effects/timers.ts';
import { waitUntilSent } from '../effects/unsent-messages.ts';
import type { OnOpen } from '../notifications/browser-notifier.ts';
import type { Notifier } from '../notifications/notifier.ts';
import type { WaitLookup } from '../notifications/repeated-beep.ts';
import { createWaitLookup } from '../effects/wait-lookup.ts';
import {
  type ChatCurrentUser,
  type ChatState,
  type ChatStore,
  chatStateAtom,
  conversationOf,
} from '../state/chat-state.ts';
import { toIdNumber } from '../state/model/conversation.ts';
import type { ListFilter } from '../state/model/list-order.ts';
import type { OutboxEntry, Quote } from '../state/model/outbox-entry.ts';
import type { Direction } from '../state/model/segment.ts';
import { CLAIM_LEASE_MS } from '../state/sending.ts';
import { startState, update } from '../state/update.ts';

export type ChatSessionDeps = {
  currentUser: ChatCurrentUser;
  store: ChatStore;
  api: ChatApi;
  openConnection: () => RealtimeConnection;
  createNotifier: (currentUser: ChatCurrentUser, tabId: string, onOpen: OnOpen, lookup: WaitLookup) => Notifier;
  tabId: string;
  /** The list of an admin, which the page of a user comes without. */
  admin?: AdminPart | null;
};

export type AdminPart = { update: typeof update; effects: Effects };

const effects = {
  timers,
  contact,
  refreshes,
  olderPages,
  jumps,
  pagesBeside,
  renewals,
  uploads,
  sends,
  fileJobs,
  seenCalls,
  viewingReports,
  notifications,
};
const mirrors = [mirrorUploads, mirrorReconnection, mirrorDelivered, mirrorTyping, mirrorReading];

/** Resolves as soon as the state is as wanted; at once after the end of the session. */
function waitFor(store: ChatStore, isReached: (state: ChatState) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (!isReached(store.get(chatStateAtom))) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = store.sub(chatStateAtom, check);
    check();
  });
}

/**
 * The chat of one signed-in user on this page. Its functions dispatch events; what came of them is in the state
 * (`state/selectors.ts`). `state/update.ts` says what follows from an event, `effects/` what is done about it.
 */
export function startChatSession({
  currentUser,
  store,
  api,
  openConnection,
  createNotifier,
  tabId,
  admin = null,
}: ChatSessionDeps) {
  const openListeners = new Set<OnOpen>();
  const requestOpen: OnOpen = (userId, how) => {
    for (const listener of openListeners) listener(userId, how);
  };
  const storage = createOutboxStorage(currentUser.id);
  const connection = openConnection();
  const notifier = createNotifier(currentUser, tabId, requestOpen, createWaitLookup(store, api));
  const start = { currentUser, tabId, outbox: storage.readAll(), page: readPage() };
  const runner = startRunner({
    store,
    initial: startState(start, { ms: Date.now(), random: Math.random() }),
    ports: { api, connection, notifier, contactCall: { current: null } },
    update: admin?.update ?? update,
    effects: { ...effects, ...admin?.effects },
    mirrors,
    outbox: storage,
  });
  const { dispatch, read } = runner;
  const undoSteps = [
    bindSocket(connection.socket, dispatch),
    bindPage(dispatch),
    bindStorage(storage, dispatch),
    withWorker(async (registration) =>
      (await import('./worker-state.ts')).bindWorkerState({ registration, store, currentUser }),
    ),
  ];

  return {
    currentUser,
    lists: {
      /** A list is on the screen: loads it and keeps it current. @returns the undo */
      show(filter: ListFilter): () => void {
        dispatch({ type: 'user.showsList', filter });
        return () => dispatch({ type: 'user.hidesList', filter });
      },
      refresh: (filter: ListFilter): void => dispatch({ type: 'user.reloadsList', filter }),
      /** Keeps the summary of one conversation current, also where no list has it. @returns the undo */
      watchSummary(userId: string): () => void {
        dispatch({ type: 'user.watchesSummary', userId });
        return () => dispatch({ type: 'user.unwatchesSummary', userId });
      },
      /** The answer to a call that changed the state of a conversation; its event comes too, if there is a socket. */
      applyState: (changed: ConversationStateUpdate): void => dispatch({ type: 'user.changedState', update: changed }),
      readMore: (filter: ListFilter): void => dispatch({ type: 'user.readsMoreRows', filter }),
    },
    /** Loads a conversation and keeps it current while it is on the screen. @returns the undo */
    open(userId: string): () => void {
      dispatch({ type: 'user.opens', userId });
      return () => dispatch({ type: 'user.closes', userId });
    },
    /** The button 'Coba lagi': starts a new call even while another one hangs. */
    refresh: (userId: string): void => dispatch({ type: 'user.reloads', userId }),
    readOlder: (userId: string): void => dispatch({ type: 'user.readsOlder', userId }),
    /** Shows a message of an open conversation with what stands around it, however old it is. */
    jumpToMessage: (userId: string, messageId: string): void =>
      dispatch({ type: 'user.jumps', userId, messageId: toIdNumber(messageId) }),
    /** Loads the page before or after the messages around a message. */
    readBeside: (userId: string, direction: Direction): void =>
      dispatch({ type: 'user.readsBeside', userId, direction }),
    /** Reads a message again, with fresh links to its files. Never rejects. */
    renewMessage(userId: string, messageId: string): Promise<void> {
      dispatch({ type: 'user.renewsMessage', userId, messageId });
      return waitFor(store, ({ renewals: { [userId]: renewal } }) => renewal === undefined);
    },
    /** Back to the newest messages. */
    endJump: (userId: string): void => dispatch({ type: 'user.endsJump', userId }),
    /** A conversation is open, and whether its newest message is visible; decides what counts as read. */
    watch: (userId: string, atBottom: boolean): void => dispatch({ type: 'user.watches', userId, atBottom }),
    unwatch: (userId: string): void => dispatch({ type: 'user.unwatches', userId }),
    /** Which of several open conversations has the focus: only that one is being read. */
    setFocused: (userId: string | null): void => dispatch({ type: 'user.focuses', userId }),
    /** @returns whether there was anything to send: a text, a file, a record */
    send(
      userId: string,
      text: string,
      quote: Quote | null = null,
      { files = [], record = null }: Partial<Pick<OutboxEntry, 'files' | 'record'>> = {},
    ): boolean {
      if (text.trim() === '' && files.length === 0 && !record) return false;
      dispatch({ type: 'user.sends', userId, clientId: newClientId(), text, quote, files, record });
      return true;
    },
    /** Sends what waits, before the user leaves. @returns whether all of it was sent */
    sendUnsent(): Promise<boolean> {
      const before = storage.readAll();
      dispatch({ type: 'user.sendsAll' });
      return waitUntilSent(store, before, CLAIM_LEASE_MS);
    },
    retry: (clientId: string): void => dispatch({ type: 'user.sendsAgain', clientId }),
    sendHeld: (clientId: string, seenId: string | null): void => dispatch({ type: 'user.sendsHeld', clientId, seenId }),
    /** @param options with `keepFiles` its files go back into the draft (drafts/take-back.ts) */
    discard: (clientId: string, { keepFiles = false }: { keepFiles?: boolean } = {}): void =>
      dispatch({ type: 'user.discards', clientId, keepsFiles: keepFiles }),
    cancelUpload: (clientId: string): void => dispatch({ type: 'user.cancelsUpload', clientId }),
    removeFile: (clientId: string, fileId: string): void => dispatch({ type: 'user.removesFile', clientId, fileId }),
    typed: (userId: string, hasText: boolean): void => dispatch({ type: 'user.types', userId, hasText }),
    /** A conversation is on the screen: other admins see this one there, and its messages are not pushed. @returns the undo */
    view(userId: string): () => void {
      dispatch({ type: 'user.views', userId });
      return () => dispatch({ type: 'user.leavesView', userId });
    },
    /** Deletes a history for both sides; rejects with `ApiError`. */
    async clear(userId: string): Promise<void> {
      const deletionsBefore = conversationOf(read(), userId).deletionCount;
      const isNoticed = (): boolean => conversationOf(read(), userId).deletionCount > deletionsBefore;
      try {
        await api.deleteHistory(userId);
      } catch (error) {
        // Overwriting a long history may outlast the call. The event has already said that it is deleted.
        if (!(isNoticed() && error instanceof ApiError && error.kind === 'timeout')) throw error;
      }
      // The answer comes later than the event: what was written in between stays on the screen.
      if (!isNoticed()) dispatch({ type: 'call.historyDeleted', userId });
    },
    /** Calls back when a notification was clicked. */
    onOpenRequest(listener: OnOpen): () => void {
      openListeners.add(listener);
      return () => void openListeners.delete(listener);
    },
    /** The user asked to retry: at once instead of at the next timer. */
    retryNow: (): void => dispatch({ type: 'user.retriesNow' }),
    stop(): void {
      for (const undo of undoSteps) undo();
      dispatch({ type: 'user.types', userId: '', hasText: false });
      storage.releaseClaims(tabId);
      runner.stop();
      notifier.stop();
      connection.close();
    },
  };
}
export type ChatSession = ReturnType<typeof startChatSession>;
