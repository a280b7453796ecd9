import type { Server as HttpServer } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { Server, type Socket } from 'socket.io';
import {
  REALTIME_NAMESPACE,
  UNAUTHORIZED,
  UNAVAILABLE,
  type ClientToServerEvents,
  type ServerToClientEvents,
} from '#shared/events.ts';
import type { CurrentUser } from '#server/http/session.ts';
import { isAllowedOrigin } from './origin.ts';
import type { Presence } from './presence.ts';
import { rooms, type RealtimeNamespace, type Publish, type SocketData } from './publish.ts';
import type { Recheck } from './session-watch.ts';
import { trackWebSockets } from './close-websockets.ts';

export type NamespaceSocket = Socket<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketData>;

export type NamespaceDeps = {
  resolve: (token: string) => CurrentUser | null;
  resolveId: (sessionId: string) => CurrentUser | null;
  publish: Publish;
  presence: Presence;
  /** Binds the hints of one socket; joined in app.ts. */
  bindClientEvents: (socket: NamespaceSocket) => void;
  corsOrigins: string[];
  trustProxy: boolean;
  log: FastifyBaseLogger;
};

/** A hint is a few dozen bytes; whatever is much larger is no hint. */
const PACKET_MAX_BYTES = 16_384;
/** Who is connected and does not say who they are is let go. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Every device and tab of one person; whoever opens more slows down nobody else. */
const ACCOUNT_SOCKETS_MAX = 100;
/** Sessions that ran out of time are noticed within this even where nobody says anything. */
const SWEEP_PERIOD_S = 30;
/** How long a closing connection may take to say goodbye before it is cut. */
const CLOSE_GRACE_MS = 300;

/** The `/chat` namespace: handshake, rooms and ends of sessions. It pushes only; every write goes through REST. */
export function openNamespace(
  httpServer: HttpServer,
  deps: NamespaceDeps,
): {
  namespace: RealtimeNamespace;
  /** Begins a round over every socket that ends those whose session no longer counts. */
  recheckAll: () => Recheck;
  /** Ends every socket; clients see a lost connection and come back by themselves. */
  close: () => Promise<void>;
} {
  let closing = false;
  const closeWebSockets = trackWebSockets(httpServer);
  /*
   * No connectionStateRecovery: Socket.IO hands a recovered socket what it missed before any middleware has looked at
   * its session, keeps every packet of minutes in memory and searches them all at each reconnect. After a reconnect
   * clients reload through REST anyway (contract 5).
   */
  const io = new Server<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketData>(httpServer, {
    path: '/socket.io',
    serveClient: false,
    maxHttpBufferSize: PACKET_MAX_BYTES,
    pingInterval: 10_000,
    pingTimeout: 8000,
    connectTimeout: CONNECT_TIMEOUT_MS,
    allowRequest: (request, done) => done(null, !closing && isAllowedOrigin(request, deps)),
    ...(deps.corsOrigins.length > 0 ? { cors: { origin: deps.corsOrigins } } : {}),
  });
  // The namespace that Socket.IO opens by itself would let anybody in.
  io.use((_socket, next) => next(new Error(UNAUTHORIZED)));
  const namespace: RealtimeNamespace = io.of(REALTIME_NAMESPACE);

  namespace.use((socket, next) => {
    const errorMessage = authenticate(socket, deps);
    if (errorMessage === null) next();
    else next(new Error(errorMessage));
  });
  namespace.on('connection', (socket) => {
    try {
      handleConnection(socket, deps);
    } catch (error) {
      deps.log.error({ err: error }, 'a socket could not be welcomed');
      closeConnection(socket);
    }
  });
  const stopSweep = startSessionSweep(namespace, deps);

  return {
    namespace,
    recheckAll: () => {
      const all = namespace.sockets.values();
      return (limit) => checkNextSockets(all, limit, deps);
    },
    close: async () => {
      closing = true;
      stopSweep();
      // Not io.close(): that would close the HTTP server under Fastify's feet.
      io.engine.close();
      await closeWebSockets(CLOSE_GRACE_MS);
    },
  };
}

/** Lets a socket in as whom its token stands for. @returns why not, or null; throwing here would end the process */
function authenticate(socket: NamespaceSocket, { resolve, presence, log }: NamespaceDeps): string | null {
  try {
    const token: unknown = socket.handshake.auth['token'];
    const currentUser = typeof token === 'string' ? resolve(token) : null;
    if (!currentUser) return UNAUTHORIZED;
    // Its client polls, and tries again now and then.
    if (presence.socketsOf(currentUser) >= ACCOUNT_SOCKETS_MAX) return UNAVAILABLE;
    socket.data.currentUser = currentUser;
    return null;
  } catch (error) {
    // The database did not answer: that is nobody's sign-out.
    log.error({ err: error }, 'a socket could not be checked');
    return UNAVAILABLE;
  }
}

function handleConnection(socket: NamespaceSocket, deps: NamespaceDeps): void {
  const { currentUser } = socket.data;
  const { presence, publish } = deps;
  void socket.join([
    rooms.user(currentUser.id),
    rooms.session(currentUser.sessionId),
    currentUser.isAdmin ? rooms.admins : rooms.users,
  ]);
  // Only a socket in its rooms hears of its session's end; one that ended before that is noticed here.
  if (endIfSessionInvalid(socket, deps)) return closeConnection(socket);

  socket.on('disconnect', () => handleDisconnect(socket, deps));
  // The hints drop what is too much; what is left asks again whether the session still counts.
  deps.bindClientEvents(socket);
  socket.use((_packet, next) => {
    if (!endIfSessionInvalid(socket, deps)) next();
  });

  const adminWasOnline = presence.isAdminOnline();
  const isFirst = presence.enter(socket.id, currentUser);
  if (currentUser.isAdmin) publish.toSocket(socket.id, 'presence', { online_user_ids: presence.onlineResidents() });
  else publish.toSocket(socket.id, 'presence', { admin_online: adminWasOnline });
  if (currentUser.isAdmin && !adminWasOnline) publish.toResidents('presence', { admin_online: true });
  if (!currentUser.isAdmin && isFirst) publish.toAdmins('presence', { user_id: currentUser.id, online: true });
}

/** Closes the connection under a socket that is in no room to stay; its client tries again by itself. */
function closeConnection(socket: NamespaceSocket): void {
  socket.conn.close();
}

function handleDisconnect(socket: NamespaceSocket, { presence, publish }: NamespaceDeps): void {
  const { currentUser } = socket.data;
  const { gone: wasLastSocket, viewed: viewedUserId } = presence.leave(socket.id);
  if (viewedUserId !== null)
    publish.toAdmins('viewing', { user_id: viewedUserId, viewers: presence.viewersOf(viewedUserId) });
  if (!wasLastSocket) return;
  if (!currentUser.isAdmin) publish.toAdmins('presence', { user_id: currentUser.id, online: false });
  else if (!presence.isAdminOnline()) publish.toResidents('presence', { admin_online: false });
}

/** @returns whether the session had ended (or changed its role) and the socket was closed */
function endIfSessionInvalid(socket: NamespaceSocket, { resolveId, publish, log }: NamespaceDeps): boolean {
  const { currentUser } = socket.data;
  try {
    const fresh = resolveId(currentUser.sessionId);
    if (fresh && fresh.isAdmin === currentUser.isAdmin) {
      // A new name shows in the next hint.
      socket.data.currentUser = fresh;
      return false;
    }
    publish.endSession(currentUser.sessionId);
  } catch (error) {
    // The database did not answer: nothing is let through, and the socket may try again.
    log.error({ err: error }, 'a socket session could not be checked');
  }
  return true;
}

/** @returns whether there was none left */
function checkNextSockets(sockets: Iterator<NamespaceSocket>, limit: number, deps: NamespaceDeps): boolean {
  for (let checked = 0; checked < limit; checked += 1) {
    const { value: socket, done } = sockets.next();
    if (done) return true;
    endIfSessionInvalid(socket, deps);
  }
  return false;
}

/** Asks about every socket's session once a round, a few each second: all at once would hold the event loop. */
function startSessionSweep(namespace: RealtimeNamespace, deps: NamespaceDeps): () => void {
  let round = namespace.sockets.values();
  const timer = setInterval(() => {
    const batchSize = Math.ceil(namespace.sockets.size / SWEEP_PERIOD_S);
    if (checkNextSockets(round, batchSize, deps)) round = namespace.sockets.values();
  }, 1000);
  timer.unref();
  return () => clearInterval(timer);
}
