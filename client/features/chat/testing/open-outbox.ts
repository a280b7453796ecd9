import type { Message } from '#shared/api/chat/chat.ts';
import type { ChatApi } from '../effects/api.ts';
import { refreshes } from '../effects/history.ts';
import { fileJobs, sends, uploads } from '../effects/send.ts';
import { bindStorage, mirrorUploads } from '../effects/sources.ts';
import { waitUntilSent } from '../effects/unsent-messages.ts';
import type { ChatState } from '../state/chat-state.ts';
import type { OutboxEntry } from '../state/model/outbox-entry.ts';
import { listProgress } from '../state/selectors.ts';
import { CLAIM_LEASE_MS } from '../state/sending.ts';
import { buildHistory, buildMessage } from './build-chat-data.ts';
import { runChat } from './run-chat.ts';

type Attempt = { entry: OutboxEntry; wasSentBefore: boolean };
type Options = {
  tabId: string;
  currentUserId?: string;
  /** Resolves once the server has stored the message. */
  send: (attempt: Attempt) => Promise<void>;
  api?: Partial<ChatApi>;
  /** The values of the state besides the unsent messages. */
  initial?: Partial<ChatState>;
};

/** One tab of an admin that only sends what is unsent, until it is stopped. */
export function openOutbox({ tabId, currentUserId = 'u1', send, api = {}, initial = {} }: Options) {
  const findAttempt = (clientId: string): Attempt => {
    const { outbox, inFlight } = chat.state();
    const entry = outbox.find(({ client_id }) => client_id === clientId);
    const current = Object.values(inFlight).find((own) => own.clientId === clientId);
    if (!entry || !current) throw new Error('Not on its way');
    return { entry, wasSentBefore: current.wasSentBefore };
  };
  const chat = runChat({
    initial: { currentUser: { side: 'admin', id: currentUserId, name: 'Ratna' }, tabId, ...initial },
    api: {
      fetchHistory: () => Promise.resolve(buildHistory([])),
      async sendMessage(userId, content, clientId): Promise<Message> {
        await send(findAttempt(clientId));
        return buildMessage({ user_id: userId, content, client_id: clientId });
      },
      ...api,
    },
    effects: { refreshes, uploads, sends, fileJobs },
    mirrors: [mirrorUploads],
  });
  const { storage, store, dispatch, state } = chat;
  const unbindStorage = bindStorage(storage, dispatch);
  let clientNumber = 0;

  return {
    entries: (): readonly OutboxEntry[] => state().outbox,
    contents: (): string[] => state().outbox.map(({ content }) => content),
    progress: () => Object.values(listProgress(state())),
    add(
      userId: string,
      text: string,
      { quote = null, files = [], record = null }: Partial<Pick<OutboxEntry, 'quote' | 'files' | 'record'>> = {},
    ): void {
      const clientId = `${tabId} ${(clientNumber += 1)}`;
      dispatch({ type: 'user.sends', userId, clientId, text, quote, files, record });
    },
    retry: (clientId: string): void => dispatch({ type: 'user.sendsAgain', clientId }),
    sendHeld: (clientId: string, seenId: string): void => dispatch({ type: 'user.sendsHeld', clientId, seenId }),
    sendAll(): Promise<boolean> {
      const before = storage.readAll();
      dispatch({ type: 'user.sendsAll' });
      return waitUntilSent(store, before, CLAIM_LEASE_MS);
    },
    discard: (clientId: string, { keepFiles = false } = {}): void =>
      dispatch({ type: 'user.discards', clientId, keepsFiles: keepFiles }),
    cancelUpload: (clientId: string): void => dispatch({ type: 'user.cancelsUpload', clientId }),
    removeFile: (clientId: string, fileId: string): void => dispatch({ type: 'user.removesFile', clientId, fileId }),
    /** The server pushes a message that it has stored. */
    confirm: (clientId: string | null): void =>
      dispatch({ type: 'socket.message:new', payload: buildMessage({ client_id: clientId, prev_id: null }) }),
    /** The connection is back. */
    flush: (): void => dispatch({ type: 'page.online' }),
    /** The server has answered another call. */
    resume: (): void => dispatch({ type: 'call.counted', number: 0, answer: { data: [] } }),
    stop(): void {
      unbindStorage();
      storage.releaseClaims(tabId);
      chat.stop();
    },
  };
}
export type OpenOutbox = ReturnType<typeof openOutbox>;
