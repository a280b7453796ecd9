import type { Server as HttpServer } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { Server, type Socket } from 'socket.io';
import {
  CHAT_NAMESPACE,
  UNAUTHORIZED,
  UNAVAILABLE,
  type ClientToServer,
  type ServerToClient,
} from '#shared/chat-events.ts';
import type { Viewer } from '#server/http/session.ts';
import { isAllowedOrigin } from './origin.ts';
import type { Presence } from './presence.ts';
import { rooms, type ChatNamespace, type Publish, type SocketData } from './publish.ts';
import type { Recheck } from './session-watch.ts';
import { trackUpgraded } from './upgraded.ts';

export type ChatSocket = Socket<ClientToServer, ServerToClient, Record<string, never>, SocketData>;

export type RealtimeDeps = {
  resolve: (token: string) => Viewer | null;
  resolveId: (sessionId: string) => Viewer | null;
  publish: Publish;
  presence: Presence;
  /** Binds the hints of one socket; joined in app.ts. */
  bindHints: (socket: ChatSocket) => void;
  corsOrigins: string[];
  trustProxy: boolean;
  log: FastifyBaseLogger;
};

/** A hint is a few dozen bytes; whatever is much larger is no hint. */
const PACKET_MAX_BYTES = 16_384;
/** Who is connected and does not say who they are is let go. */
const INTRODUCE_WITHIN_MS = 10_000;
/** Every device and tab of one person; whoever opens more slows down nobody else. */
const ACCOUNT_SOCKETS_MAX = 100;
/** Sessions that ran out of time are noticed within this even where nobody says anything. */
const SWEEP_ROUND_S = 30;
/** How long a closing connection may take to say goodbye before it is cut. */
const GOODBYE_MS = 300;

/** The `/chat` namespace: handshake, rooms and ends of sessions. It pushes only; every write goes through REST. */
export function openNamespace(
  httpServer: HttpServer,
  deps: RealtimeDeps,
): {
  namespace: ChatNamespace;
  /** Begins a round over every socket that ends those whose session no longer counts. */
  recheckAll: () => Recheck;
  /** Ends every socket; clients see a lost connection and come back by themselves. */
  close: () => Promise<void>;
} {
  let closing = false;
  const cutUpgraded = trackUpgraded(httpServer);
  /*
   * No connectionStateRecovery: Socket.IO hands a recovered socket what it missed before any middleware has looked at
   * its session, keeps every packet of minutes in memory and searches them all at each reconnect. After a reconnect
   * clients reload through REST anyway (contract 5).
   */
  const io = new Server<ClientToServer, ServerToClient, Record<string, never>, SocketData>(httpServer, {
    path: '/socket.io',
    serveClient: false,
    maxHttpBufferSize: PACKET_MAX_BYTES,
    pingInterval: 10_000,
    pingTimeout: 8000,
    connectTimeout: INTRODUCE_WITHIN_MS,
    allowRequest: (request, decide) => decide(null, !closing && isAllowedOrigin(request, deps)),
    ...(deps.corsOrigins.length > 0 ? { cors: { origin: deps.corsOrigins } } : {}),
  });
  // The namespace that Socket.IO opens by itself would let anybody in.
  io.use((_socket, next) => next(new Error(UNAUTHORIZED)));
  const namespace: ChatNamespace = io.of(CHAT_NAMESPACE);

  namespace.use((socket, next) => {
    const refusal = admit(socket, deps);
    if (refusal === null) next();
    else next(new Error(refusal));
  });
  namespace.on('connection', (socket) => {
    try {
      welcome(socket, deps);
    } catch (error) {
      deps.log.error({ err: error }, 'a socket could not be welcomed');
      turnAway(socket);
    }
  });
  const stopSweep = sweepSessions(namespace, deps);

  return {
    namespace,
    recheckAll: () => {
      const all = namespace.sockets.values();
      return (most) => checkNext(all, most, deps);
    },
    close: async () => {
      closing = true;
      stopSweep();
      // Not io.close(): that would close the HTTP server under Fastify's feet.
      io.engine.close();
      await cutUpgraded(GOODBYE_MS);
    },
  };
}

/** Lets a socket in as whom its token stands for. @returns why not, or null; throwing here would end the process */
function admit(socket: ChatSocket, { resolve, presence, log }: RealtimeDeps): string | null {
  try {
    const token: unknown = socket.handshake.auth['token'];
    const viewer = typeof token === 'string' ? resolve(token) : null;
    if (!viewer) return UNAUTHORIZED;
    // Its client polls, and tries again now and then.
    if (presence.socketsOf(viewer) >= ACCOUNT_SOCKETS_MAX) return UNAVAILABLE;
    socket.data.viewer = viewer;
    return null;
  } catch (error) {
    // The database did not answer: that is nobody's sign-out.
    log.error({ err: error }, 'a socket could not be checked');
    return UNAVAILABLE;
  }
}

function welcome(socket: ChatSocket, deps: RealtimeDeps): void {
  const { viewer } = socket.data;
  const { presence, publish } = deps;
  void socket.join([
    rooms.user(viewer.id),
    rooms.session(viewer.sessionId),
    viewer.isAdmin ? rooms.admins : rooms.residents,
  ]);
  // Only a socket in its rooms hears of its session's end; one that ended before that is noticed here.
  if (endIfOver(socket, deps)) return turnAway(socket);

  socket.on('disconnect', () => farewell(socket, deps));
  // The hints drop what is too much; what is left asks again whether the session still counts.
  deps.bindHints(socket);
  socket.use((_packet, next) => {
    if (!endIfOver(socket, deps)) next();
  });

  const adminWasOnline = presence.isAdminOnline();
  const isFirst = presence.enter(socket.id, viewer);
  if (viewer.isAdmin) publish.toSocket(socket.id, 'presence', { online_user_ids: presence.onlineResidents() });
  else publish.toSocket(socket.id, 'presence', { admin_online: adminWasOnline });
  if (viewer.isAdmin && !adminWasOnline) publish.toResidents('presence', { admin_online: true });
  if (!viewer.isAdmin && isFirst) publish.toAdmins('presence', { user_id: viewer.id, online: true });
}

/** Closes the connection under a socket that is in no room to stay; its client tries again by itself. */
function turnAway(socket: ChatSocket): void {
  socket.conn.close();
}

function farewell(socket: ChatSocket, { presence, publish }: RealtimeDeps): void {
  const { viewer } = socket.data;
  const { gone, viewed } = presence.leave(socket.id);
  if (viewed !== null) publish.toAdmins('viewing', { user_id: viewed, viewers: presence.viewersOf(viewed) });
  if (!gone) return;
  if (!viewer.isAdmin) publish.toAdmins('presence', { user_id: viewer.id, online: false });
  else if (!presence.isAdminOnline()) publish.toResidents('presence', { admin_online: false });
}

/** @returns whether the session had ended (or changed its role) and the socket was closed */
function endIfOver(socket: ChatSocket, { resolveId, publish, log }: RealtimeDeps): boolean {
  const { viewer } = socket.data;
  try {
    const now = resolveId(viewer.sessionId);
    if (now && now.isAdmin === viewer.isAdmin) {
      // A new name shows in the next hint.
      socket.data.viewer = now;
      return false;
    }
    publish.endSession(viewer.sessionId);
  } catch (error) {
    // The database did not answer: nothing is let through, and the socket may try again.
    log.error({ err: error }, 'a socket session could not be checked');
  }
  return true;
}

/** @returns whether there was none left */
function checkNext(sockets: Iterator<ChatSocket>, most: number, deps: RealtimeDeps): boolean {
  for (let asked = 0; asked < most; asked += 1) {
    const { value: socket, done } = sockets.next();
    if (done) return true;
    endIfOver(socket, deps);
  }
  return false;
}

/** Asks about every socket's session once a round, a few each second: all at once would hold the event loop. */
function sweepSessions(namespace: ChatNamespace, deps: RealtimeDeps): () => void {
  let round = namespace.sockets.values();
  const timer = setInterval(() => {
    const share = Math.ceil(namespace.sockets.size / SWEEP_ROUND_S);
    if (checkNext(round, share, deps)) round = namespace.sockets.values();
  }, 1000);
  timer.unref();
  return () => clearInterval(timer);
}
