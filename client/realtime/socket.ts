import { io, type Socket } from 'socket.io-client';
import {
  REALTIME_NAMESPACE,
  type ClientToServerEvents,
  type ServerToClientEvents,
  UNAUTHORIZED,
} from '#shared/events.ts';
import { reportNoAnswer } from '#client/lib/api/server-reachability.ts';
import { expireSession } from '#client/lib/session/session.ts';

type LifecycleEvents = { connect: () => void; disconnect: (reason: string) => void };
export type SocketEvents = ServerToClientEvents & LifecycleEvents;

/** A socket as its users see it; Socket.IO's own types cannot follow an event's name through a generic. */
export type RealtimeClientSocket = {
  readonly connected: boolean;
  on: <E extends keyof SocketEvents>(event: E, listener: SocketEvents[E]) => unknown;
  off: <E extends keyof SocketEvents>(event: E, listener: SocketEvents[E]) => unknown;
  emit: <E extends keyof ClientToServerEvents>(event: E, payload: Parameters<ClientToServerEvents[E]>[0]) => unknown;
};

const RECONNECTION_DELAY_MS = 500;
const RECONNECTION_DELAY_MAX_MS = 5000;
const CONNECT_TIMEOUT_MS = 8000;
/** The server pings every 10 s; a connection that was silent for longer is dead, even if the socket does not know it yet. */
const SILENCE_TIMEOUT_MS = 13_000;
const CHECK_INTERVAL_MS = 1000;
/** One wake-up causes several events; a connection attempt that has only just begun is not repeated for each. */
const RECONNECT_MIN_INTERVAL_MS = 2000;
/** Traffic more recent than this proves that the connection is alive. */
const RECENT_TRAFFIC_MS = 3000;
/** A larger jump of the clock means that the device slept. Timers of hidden tabs run only once a minute anyway. */
const SLEEP_DETECTION_MS = 5000;
const SLEEP_DETECTION_HIDDEN_MS = 90_000;

export type RealtimeConnection = {
  socket: RealtimeClientSocket;
  /** Tries to connect at once; a connection that may be dead is closed first. */
  ensureConnected: () => void;
  /** Called when a REST call could not reach the server: without recent traffic the socket is taken for dead, too. */
  reconnectIfStale: () => void;
  close: () => void;
};

/**
 * Opens the Socket.IO connection of this page for a session's token. It reconnects within seconds after a server restart, a
 * change of network, sleep or background. The end of the session is handled like a 401 of `lib/api.ts`.
 */
export function openRealtimeConnection(token: string): RealtimeConnection {
  const socket: Socket<ServerToClientEvents, ClientToServerEvents> = io(REALTIME_NAMESPACE, {
    path: '/socket.io',
    // Without it the server sends an admin each unread count by itself, as to pages of older versions.
    auth: { token, unread_changes: true },
    autoConnect: false,
    // Saves one round trip against starting with polling; where WebSockets are blocked the order is reversed below.
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    timeout: CONNECT_TIMEOUT_MS,
    reconnectionDelay: RECONNECTION_DELAY_MS,
    reconnectionDelayMax: RECONNECTION_DELAY_MAX_MS,
  });
  const manager = socket.io;
  let lastTrafficAtMs = Date.now();
  let lastAttemptAtMs = 0;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;

  const recordTraffic = (): void => void (lastTrafficAtMs = Date.now());
  function reconnect(): void {
    clearTimeout(retryTimer);
    lastAttemptAtMs = Date.now();
    socket.disconnect().connect();
  }
  function reconnectIfStale(): void {
    if (socket.connected && Date.now() - lastTrafficAtMs > RECENT_TRAFFIC_MS) reconnect();
  }
  function ensureConnected(): void {
    const idle = !socket.connected && Date.now() - lastAttemptAtMs > RECONNECT_MIN_INTERVAL_MS;
    const silent = socket.connected && Date.now() - lastTrafficAtMs > SILENCE_TIMEOUT_MS;
    if (idle || silent) reconnect();
  }

  socket.on('connect', recordTraffic);
  socket.onAny(recordTraffic);
  manager.on('ping', recordTraffic);
  manager.on('error', () => {
    // A proxy that swallows WebSockets lets the first attempt time out; the next one starts with polling.
    manager.opts.transports?.reverse();
  });
  socket.on('connect_error', (error) => {
    if (error.message === UNAUTHORIZED) expireSession(token);
    // After a refusal for another reason Socket.IO would not try again.
    else if (!socket.active) retryTimer = setTimeout(reconnect, RECONNECTION_DELAY_MAX_MS * Math.random());
    // The attempt reached no server. A server that stops may still have answered when the connection broke.
    else reportNoAnswer();
  });
  socket.on('session:ended', () => expireSession(token));
  socket.on('disconnect', (reason) => {
    // The server disconnects a socket only after `session:ended`, which closes this connection. If the disconnect comes alone,
    // Socket.IO would not try again; an ended session then gets 'unauthorized'. A server that stops looks like a lost
    // connection, and Socket.IO reconnects by itself. Jitter: clients disconnected in the same moment must not reconnect in the
    // same one.
    if (reason === 'io server disconnect')
      retryTimer = setTimeout(reconnect, RECONNECTION_DELAY_MS * (1 + Math.random()));
  });

  let lastCheckAtMs = Date.now();
  const checkTimer = setInterval(() => {
    const slept =
      Date.now() - lastCheckAtMs >
      (document.visibilityState === 'visible' ? SLEEP_DETECTION_MS : SLEEP_DETECTION_HIDDEN_MS);
    lastCheckAtMs = Date.now();
    if (slept) reconnectIfStale();
    if (slept || socket.connected) ensureConnected();
  }, CHECK_INTERVAL_MS);
  // Without a network the open connection is dead at once; reconnecting notices when there is one again.
  const onOffline = (): void => reconnect();
  const onOnline = (): void => reconnect();
  const onVisible = (): void => {
    if (document.visibilityState === 'visible') ensureConnected();
  };
  window.addEventListener('offline', onOffline);
  window.addEventListener('online', onOnline);
  window.addEventListener('focus', ensureConnected);
  window.addEventListener('pageshow', ensureConnected);
  document.addEventListener('visibilitychange', onVisible);

  reconnect();
  return {
    socket: socket as RealtimeClientSocket,
    ensureConnected,
    reconnectIfStale,
    close(): void {
      clearInterval(checkTimer);
      clearTimeout(retryTimer);
      window.removeEventListener('offline', onOffline);
      window.removeEventListener('online', onOnline);
      window.removeEventListener('focus', ensureConnected);
      window.removeEventListener('pageshow', ensureConnected);
      document.removeEventListener('visibilitychange', onVisible);
      socket.offAny(recordTraffic);
      manager.off('ping', recordTraffic);
      socket.disconnect();
    },
  };
}
