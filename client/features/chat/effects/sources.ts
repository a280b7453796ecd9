import type { RealtimeClientSocket } from '#client/realtime/socket.ts';
import { isInMemory, rememberUploads, sweepLocalFiles } from '../files/local-files.ts';
import type { ChatState } from '../state/chat-state.ts';
import { type ChatEvent, type EventOf, SERVER_EVENTS } from '../state/events.ts';
import { CLAIM_LEASE_MS } from '../state/sending.ts';
import { createEventBatch } from './event-batch.ts';
import { listUsedFileIds, type OutboxStorage } from './outbox-storage.ts';
import type { Mirror } from './runner.ts';

/** Events come from the socket, the page and the storage of the browser; each `bindX` returns its undo. */

type Dispatch = (event: ChatEvent) => void;

export function bindSocket(socket: RealtimeClientSocket, dispatch: Dispatch): () => void {
  const batch = createEventBatch();
  const undoSteps: (() => void)[] = [() => batch.stop()];
  function listen(event: 'connect' | 'disconnect', type: 'socket.connected' | 'socket.disconnected'): void {
    const listener = (): void => {
      batch.flush();
      dispatch({ type });
    };
    socket.on(event, listener);
    undoSteps.push(() => void socket.off(event, listener));
  }
  listen('connect', 'socket.connected');
  listen('disconnect', 'socket.disconnected');
  for (const name of SERVER_EVENTS) {
    const listener = (payload: unknown): void =>
      // The name and the payload belong together; the compiler cannot follow that through the loop.
      batch.run(() => dispatch({ type: `socket.${name}`, payload } as EventOf<`socket.${typeof name}`>));
    socket.on(name, listener);
    undoSteps.push(() => void socket.off(name, listener));
  }
  if (socket.connected) dispatch({ type: 'socket.connected' });
  return () => {
    for (const undo of undoSteps) undo();
  };
}

export const readPage = (): ChatState['page'] => ({
  isVisible: document.visibilityState === 'visible',
  hasFocus: document.hasFocus(),
  hiddenAtMs: document.visibilityState === 'visible' ? null : Date.now(),
});

export function bindPage(dispatch: Dispatch): () => void {
  const onChange = (): void => {
    const { isVisible, hasFocus } = readPage();
    dispatch({ type: 'page.changed', isVisible, hasFocus });
  };
  const onOnline = (): void => dispatch({ type: 'page.online' });
  const onOffline = (): void => dispatch({ type: 'page.offline' });
  const onHide = (): void => dispatch({ type: 'page.leaves' });
  const onShow = (event: PageTransitionEvent): void => {
    if (event.persisted) dispatch({ type: 'page.restored' });
  };
  document.addEventListener('visibilitychange', onChange);
  window.addEventListener('focus', onChange);
  window.addEventListener('blur', onChange);
  window.addEventListener('online', onOnline);
  window.addEventListener('offline', onOffline);
  window.addEventListener('pagehide', onHide);
  window.addEventListener('pageshow', onShow);
  return () => {
    document.removeEventListener('visibilitychange', onChange);
    window.removeEventListener('focus', onChange);
    window.removeEventListener('blur', onChange);
    window.removeEventListener('online', onOnline);
    window.removeEventListener('offline', onOffline);
    window.removeEventListener('pagehide', onHide);
    window.removeEventListener('pageshow', onShow);
  };
}

/** Unsent messages that only this page can send, because a file of theirs could not be stored. */
function findOnlyHere(storage: OutboxStorage): string[] {
  return storage
    .readAll()
    .filter(({ files }) => files.some(({ id, isKept }) => !isKept && isInMemory(id)))
    .map(({ client_id }) => client_id);
}

export function bindStorage(storage: OutboxStorage, dispatch: Dispatch): () => void {
  const unbind = storage.onOtherTab(() => dispatch({ type: 'storage.changed' }));
  const timer = setInterval(
    () => dispatch({ type: 'storage.checked', onlyHere: findOnlyHere(storage) }),
    CLAIM_LEASE_MS / 3,
  );
  const stopSweep = sweepLocalFiles(
    () => new Set([...listUsedFileIds(), ...storage.readAll().flatMap(({ files }) => files.map(({ id }) => id))]),
  );
  return () => {
    unbind();
    clearInterval(timer);
    stopSweep();
  };
}

/** A photo keeps its id of this browser on the screen after it was uploaded. */
export const mirrorUploads: Mirror = ({ outbox }, before) => {
  if (outbox === before.outbox) return;
  for (const { files } of outbox) rememberUploads(files);
};
