import { io, type Socket } from 'socket.io-client';
import {
  REALTIME_NAMESPACE,
  type ClientToServerEvents,
  type ServerToClientEvents,
  UNAUTHORIZED,
} from '#shared/events.ts';
import { expireSession } from '#client/lib/session.ts';

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
/** The server pings every 10 s; a line that was silent for longer is dead, whatever the socket still believes. */
const SILENCE_TIMEOUT_MS = 13_000;
const CHECK_INTERVAL_MS = 1000;
/** Several events tell of the same awakening; a try that has only just begun is not cut short by the next one. */
const RECONNECT_MIN_INTERVAL_MS = 2000;
/** What was heard more recently than this is proof of a living line. */
const RECENT_TRAFFIC_MS = 3000;
/** A larger jump of the clock means that the device slept. Hidden tabs are only given a turn once a minute anyway. */
const SLEEP_DETECTION_MS = 5000;
const SLEEP_DETECTION_HIDDEN_MS = 90_000;

export type RealtimeConnection = {
  socket: RealtimeClientSocket;
  /** Tries again at once; a line that may be dead is given up first. */
  ensureConnected: () => void;
  /** A call found no way through: unless the socket has heard something just now, its line is dead too. */
  reconnectIfStale: () => void;
  close: () => void;
};

/**
 * The one Socket.IO connection of this page; for a session's token. It comes back by itself within seconds: after a restart of the
 * server, a change of network, sleep and background. The end of the session takes the same path as a 401 of `lib/api.ts`.
 */
export function openRealtimeConnection(token: string): RealtimeConnection {
  const socket: Socket<ServerToClientEvents, ClientToServerEvents> = io(REALTIME_NAMESPACE, {
    path: '/socket.io',
    auth: { token },
    autoConnect: false,
    // One round trip less than beginning with polling; where WebSockets are blocked the order turns round below.
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
    // A proxy that swallows WebSockets lets the first try time out; the next one begins with plain requests.
    manager.opts.transports?.reverse();
  });
  socket.on('connect_error', (error) => {
    if (error.message === UNAUTHORIZED) expireSession(token);
    // Refused for another reason, the socket would rest for good.
    else if (!socket.active) retryTimer = setTimeout(reconnect, RECONNECTION_DELAY_MAX_MS * Math.random());
  });
  socket.on('session:ended', () => expireSession(token));
  socket.on('disconnect', (reason) => {
    // The server stops or starts anew. Everybody was told in the same moment and should not come back in the same one.
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
  // Without a network the open line is dead at once; trying on shows when there is one again.
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
