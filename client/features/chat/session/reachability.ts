import { ApiError } from '#client/lib/api-error.ts';
import type { RealtimeConnection } from '#client/realtime/socket.ts';
import { NoAdminContactError } from '../outbox/retry-policy.ts';
import { socketConnectedAtom } from '#client/realtime/connection-state.ts';
import { type ChatStore, lastPollSucceededAtom } from './state.ts';

export type ReachabilityDeps = {
  store: ChatStore;
  connection: Pick<RealtimeConnection, 'ensureConnected' | 'reconnectIfStale'>;
  /** Loads again what could not be loaded. */
  refreshFailed: () => void;
  /** Loads everything on the screen again and sends waiting messages. */
  catchUp: () => void;
};

const RETRY_FAILED_MS = 2000;
const RETRY_NO_ADMIN_MS = 10_000;
const RECONNECT_MIN_INTERVAL_MS = 10_000;
/** After a longer absence the socket may be dead without noticing it; loading through REST shows the state at once. */
const CATCH_UP_AFTER_HIDDEN_MS = 5000;

function isConnectionError(error: unknown): boolean {
  return error instanceof ApiError && (error.kind === 'network' || error.kind === 'timeout');
}

/** Whether the server answered at all; a refusal, or no admin to write to, is an answer. */
function isServerAnswer(error: unknown): boolean {
  return (
    error instanceof NoAdminContactError || (error instanceof ApiError && error.kind === 'http' && error.status < 500)
  );
}

/** Learns from calls and browser events whether the server can be reached, and repeats what failed meanwhile. */
export function createReachability({ store, connection, refreshFailed, catchUp }: ReachabilityDeps) {
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let lastReconnectAtMs = 0;
  let hiddenAtMs: number | null = null;

  const setLastPollSucceeded = (succeeded: boolean): void => store.set(lastPollSucceededAtom, succeeded);

  function handleServerAnswer(): void {
    if (store.get(socketConnectedAtom)) return;
    setLastPollSucceeded(true);
    // The server can be reached, so the socket need not wait for its own timer.
    if (Date.now() - lastReconnectAtMs < RECONNECT_MIN_INTERVAL_MS) return;
    lastReconnectAtMs = Date.now();
    connection.ensureConnected();
  }

  const onOffline = (): void => setLastPollSucceeded(false);
  const onVisibilityChange = (): void => {
    if (document.visibilityState === 'hidden') {
      hiddenAtMs = Date.now();
      return;
    }
    if (hiddenAtMs !== null && Date.now() - hiddenAtMs > CATCH_UP_AFTER_HIDDEN_MS) catchUp();
    hiddenAtMs = null;
  };
  const onPageShow = (event: PageTransitionEvent): void => {
    if (event.persisted) catchUp();
  };
  window.addEventListener('offline', onOffline);
  window.addEventListener('online', catchUp);
  window.addEventListener('pageshow', onPageShow);
  document.addEventListener('visibilitychange', onVisibilityChange);

  return {
    /** A call has ended, with an answer or an error. */
    reportCallSettled(error?: unknown): void {
      if (error === undefined) {
        handleServerAnswer();
        return;
      }
      // Polling would repeat it; while the socket is connected nothing else does.
      clearTimeout(retryTimer);
      retryTimer = setTimeout(
        refreshFailed,
        error instanceof NoAdminContactError ? RETRY_NO_ADMIN_MS : RETRY_FAILED_MS,
      );
      if (isServerAnswer(error)) handleServerAnswer();
      else if (!store.get(socketConnectedAtom)) setLastPollSucceeded(false);
      else if (isConnectionError(error)) connection.reconnectIfStale();
    },
    stop(): void {
      clearTimeout(retryTimer);
      window.removeEventListener('offline', onOffline);
      window.removeEventListener('online', catchUp);
      window.removeEventListener('pageshow', onPageShow);
      document.removeEventListener('visibilitychange', onVisibilityChange);
    },
  };
}
