import { ApiError } from '#client/lib/api-error.ts';
import type { Link } from '#client/realtime/socket.ts';
import { NoContact } from '../outbox/send-fate.ts';
import { type ChatStore, connectionAtom } from './state.ts';

export type ReachDeps = {
  store: ChatStore;
  link: Pick<Link, 'wake' | 'suspect'>;
  /** Loads again what could not be loaded. */
  refreshFailed: () => void;
  /** Reads everything on show anew and sends what waits. */
  catchUp: () => void;
};

const FAILED_AGAIN_MS = 2000;
const NO_CONTACT_AGAIN_MS = 10_000;
const WAKE_APART_MS = 10_000;
/** After a longer absence the socket may be dead without knowing; what is read then comes through REST at once. */
const AWAY_MS = 5000;

function isConnectionError(error: unknown): boolean {
  return error instanceof ApiError && (error.kind === 'network' || error.kind === 'timeout');
}

/** Whether the server answered at all; that it refused something, or has nobody to write to, is an answer. */
function isAnswer(error: unknown): boolean {
  return error instanceof NoContact || (error instanceof ApiError && error.kind === 'http' && error.status < 500);
}

/** Learns from calls and from the browser whether the server is within reach, and makes good what failed meanwhile. */
export function createReach({ store, link, refreshFailed, catchUp }: ReachDeps) {
  let failedTimer: ReturnType<typeof setTimeout> | undefined;
  let wokenAt = 0;
  let hiddenAt: number | null = null;

  const setPolled = (polled: boolean): void => {
    const connection = store.get(connectionAtom);
    if (connection.polled !== polled) store.set(connectionAtom, { ...connection, polled });
  };

  function noteAnswer(): void {
    if (store.get(connectionAtom).socket) return;
    setPolled(true);
    // The server is there: the socket need not wait for its own timer.
    if (Date.now() - wokenAt < WAKE_APART_MS) return;
    wokenAt = Date.now();
    link.wake();
  }

  const onOffline = (): void => setPolled(false);
  const onVisible = (): void => {
    if (document.visibilityState === 'hidden') {
      hiddenAt = Date.now();
      return;
    }
    if (hiddenAt !== null && Date.now() - hiddenAt > AWAY_MS) catchUp();
    hiddenAt = null;
  };
  const onShow = (event: PageTransitionEvent): void => {
    if (event.persisted) catchUp();
  };
  window.addEventListener('offline', onOffline);
  window.addEventListener('online', catchUp);
  window.addEventListener('pageshow', onShow);
  document.addEventListener('visibilitychange', onVisible);

  return {
    /** A call came back with an answer, or with an error. */
    note(error?: unknown): void {
      if (error === undefined) {
        noteAnswer();
        return;
      }
      // Polling would come back to it; where there is none, nobody else does.
      clearTimeout(failedTimer);
      failedTimer = setTimeout(refreshFailed, error instanceof NoContact ? NO_CONTACT_AGAIN_MS : FAILED_AGAIN_MS);
      if (isAnswer(error)) noteAnswer();
      else if (!store.get(connectionAtom).socket) setPolled(false);
      else if (isConnectionError(error)) link.suspect();
    },
    stop(): void {
      clearTimeout(failedTimer);
      window.removeEventListener('offline', onOffline);
      window.removeEventListener('online', catchUp);
      window.removeEventListener('pageshow', onShow);
      document.removeEventListener('visibilitychange', onVisible);
    },
  };
}
