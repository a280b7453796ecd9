import { createStore } from 'jotai';
import { fakeSocket } from '#client/realtime/testing/fake-socket.ts';
import type { ChatApi } from '../effects/api.ts';
import { createOutboxStorage } from '../effects/outbox-storage.ts';
import { type Effects, type Mirror, startRunner } from '../effects/runner.ts';
import { bindPage, readPage } from '../effects/sources.ts';
import { timers } from '../effects/timers.ts';
import type { Notifier } from '../notifications/notifier.ts';
import { type ChatState, type ChatStore, chatStateAtom, emptyChatState } from '../state/chat-state.ts';
import { updateAdmin } from '../state/admin-update.ts';
import { update } from '../state/update.ts';
import { noopNotifier } from './noop-notifier.ts';

type Options = {
  /** The values that differ from the state of a connected page that may load. */
  initial: Partial<ChatState> & Pick<ChatState, 'currentUser'>;
  effects: Effects;
  mirrors?: readonly Mirror[];
  api?: Partial<ChatApi>;
  notifier?: Partial<Notifier>;
  store?: ChatStore;
};

const notCalled = () => Promise.reject(new Error('not called in this test'));

/** A chat with some effects only, beside the timers and the events of the page. */
export function runChat({ initial, effects, mirrors = [], api = {}, notifier = {}, store = createStore() }: Options) {
  const socket = fakeSocket();
  socket.connect();
  const storage = createOutboxStorage(initial.currentUser?.id ?? '');
  const runner = startRunner({
    store,
    initial: {
      ...emptyChatState,
      tabId: 'a',
      isConnected: true,
      mayLoad: true,
      page: readPage(),
      outbox: storage.readAll(),
      ...initial,
    },
    ports: {
      api: {
        fetchAdminContact: notCalled,
        fetchHistory: notCalled,
        fetchConversations: notCalled,
        fetchUser: notCalled,
        sendMessage: notCalled,
        uploadAttachment: notCalled,
        removeUpload: notCalled,
        markSeen: notCalled,
        deleteHistory: notCalled,
        ...api,
      },
      connection: socket.connection,
      notifier: { ...noopNotifier(), ...notifier },
      contactCall: { current: null },
    },
    update: initial.currentUser?.side === 'admin' ? updateAdmin : update,
    effects: { timers, ...effects },
    mirrors,
    outbox: storage,
  });
  const unbindPage = bindPage(runner.dispatch);
  return {
    store,
    storage,
    socket,
    dispatch: runner.dispatch,
    state: (): ChatState => store.get(chatStateAtom),
    stop(): void {
      unbindPage();
      runner.stop();
    },
  };
}
export type RunningChat = ReturnType<typeof runChat>;
