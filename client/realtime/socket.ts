import { io, type Socket } from 'socket.io-client';
import { CHAT_NAMESPACE, type ClientToServer, type ServerToClient, UNAUTHORIZED } from '#shared/chat-events.ts';
import { expireSession } from '#client/lib/session.ts';

type Lifecycle = { connect: () => void; disconnect: (reason: string) => void };
export type SocketEvents = ServerToClient & Lifecycle;

/** A socket as its users see it; Socket.IO's own types cannot follow an event's name through a generic. */
export type ChatSocket = {
  readonly connected: boolean;
  on: <E extends keyof SocketEvents>(event: E, listener: SocketEvents[E]) => unknown;
  off: <E extends keyof SocketEvents>(event: E, listener: SocketEvents[E]) => unknown;
  emit: <E extends keyof ClientToServer>(event: E, payload: Parameters<ClientToServer[E]>[0]) => unknown;
};

const FIRST_DELAY_MS = 500;
const DELAY_MAX_MS = 5000;
const CONNECT_TIMEOUT_MS = 8000;
/** The server pings every 10 s; a line that was silent for longer is dead, whatever the socket still believes. */
const SILENCE_MS = 13_000;
const TICK_MS = 1000;
/** Several events tell of the same awakening; a try that has only just begun is not cut short by the next one. */
const TRY_APART_MS = 2000;
/** What was heard more recently than this is proof of a living line. */
const FRESH_MS = 3000;
/** A larger jump of the clock means that the device slept. Hidden tabs are only given a turn once a minute anyway. */
const SLEPT_MS = 5000;
const SLEPT_HIDDEN_MS = 90_000;

export type Link = {
  socket: ChatSocket;
  /** Tries again at once; a line that may be dead is given up first. */
  wake: () => void;
  /** A call found no way through: unless the socket has heard something just now, its line is dead too. */
  suspect: () => void;
  close: () => void;
};

/**
 * The one Socket.IO connection of this page; for a session's token. It comes back by itself within seconds: after a restart of the
 * server, a change of network, sleep and background. The end of the session takes the same path as a 401 of `lib/api.ts`.
 */
export function openLink(token: string): Link {
  const socket: Socket<ServerToClient, ClientToServer> = io(CHAT_NAMESPACE, {
    path: '/socket.io',
    auth: { token },
    autoConnect: false,
    // One round trip less than beginning with polling; where WebSockets are blocked the order turns round below.
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    timeout: CONNECT_TIMEOUT_MS,
    reconnectionDelay: FIRST_DELAY_MS,
    reconnectionDelayMax: DELAY_MAX_MS,
  });
  const manager = socket.io;
  let heardAt = Date.now();
  let triedAt = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const heard = (): void => void (heardAt = Date.now());
  function reconnect(): void {
    clearTimeout(retry);
    triedAt = Date.now();
    socket.disconnect().connect();
  }
  function suspect(): void {
    if (socket.connected && Date.now() - heardAt > FRESH_MS) reconnect();
  }
  function wake(): void {
    const idle = !socket.connected && Date.now() - triedAt > TRY_APART_MS;
    const silent = socket.connected && Date.now() - heardAt > SILENCE_MS;
    if (idle || silent) reconnect();
  }

  socket.on('connect', heard);
  socket.onAny(heard);
  manager.on('ping', heard);
  manager.on('error', () => {
    // A proxy that swallows WebSockets lets the first try time out; the next one begins with plain requests.
    manager.opts.transports?.reverse();
  });
  socket.on('connect_error', (error) => {
    if (error.message === UNAUTHORIZED) expireSession(token);
    // Refused for another reason, the socket would rest for good.
    else if (!socket.active) retry = setTimeout(reconnect, DELAY_MAX_MS * Math.random());
  });
  socket.on('session:ended', () => expireSession(token));
  socket.on('disconnect', (reason) => {
    // The server stops or starts anew. Everybody was told in the same moment and should not come back in the same one.
    if (reason === 'io server disconnect') retry = setTimeout(reconnect, FIRST_DELAY_MS * (1 + Math.random()));
  });

  let tickedAt = Date.now();
  const tick = setInterval(() => {
    const slept = Date.now() - tickedAt > (document.visibilityState === 'visible' ? SLEPT_MS : SLEPT_HIDDEN_MS);
    tickedAt = Date.now();
    if (slept) suspect();
    if (slept || socket.connected) wake();
  }, TICK_MS);
  // Without a network the open line is dead at once; trying on shows when there is one again.
  const onOffline = (): void => reconnect();
  const onOnline = (): void => reconnect();
  const onVisible = (): void => {
    if (document.visibilityState === 'visible') wake();
  };
  window.addEventListener('offline', onOffline);
  window.addEventListener('online', onOnline);
  window.addEventListener('focus', wake);
  window.addEventListener('pageshow', wake);
  document.addEventListener('visibilitychange', onVisible);

  reconnect();
  return {
    socket: socket as ChatSocket,
    wake,
    suspect,
    close(): void {
      clearInterval(tick);
      clearTimeout(retry);
      window.removeEventListener('offline', onOffline);
      window.removeEventListener('online', onOnline);
      window.removeEventListener('focus', wake);
      window.removeEventListener('pageshow', wake);
      document.removeEventListener('visibilitychange', onVisible);
      socket.offAny(heard);
      manager.off('ping', heard);
      socket.disconnect();
    },
  };
}
