import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { Server } from 'socket.io';
import {
  REALTIME_NAMESPACE,
  UNAUTHORIZED,
  UNAVAILABLE,
  type ClientToServerEvents,
  type ServerToClientEvents,
} from '#shared/events.ts';
import type { Database } from '#server/db/database.ts';
import { type CurrentUser, dutyTexts, type ResolvedUser } from '#server/http/session-guards.ts';
import { clientAddress, type IsTrustedProxy } from '#server/http/trusted-proxies.ts';
import { addressKey } from '#server/security/ip-addresses.ts';
import { createClientEventFilter, createOnClientEvent, type OnClientEvent } from './client-events.ts';
import { trackWebSockets } from './close-websockets.ts';
import type { Presence } from './presence.ts';
import type { Processes } from '#server/process/processes.ts';
import { type Packet, packetOf } from './packets.ts';
import { rooms, type Publish } from './publish.ts';
import { CHECKS_PER_TURN, type Recheck, watchSessions } from './session-watch.ts';
import { createSocketLimits, type SocketLimitsDeps } from './socket-limits.ts';
import type { NamespaceSocket, RealtimeNamespace, SocketData } from './socket-types.ts';
import { createStallCheck, cutConnection } from './stalled-sockets.ts';

export type NamespaceDeps = {
  resolve: (token: string) => Promise<ResolvedUser | null>;
  resolveSession: (sessionId: string) => Promise<CurrentUser | null>;
  publish: Publish;
  presence: Presence;
  processes: Processes;
  monotonicNow: () => number;
  corsOrigins: string[];
  isTrustedProxy: IsTrustedProxy;
  isShared: (address: string) => boolean;
  log: FastifyBaseLogger;
} & Pick<SocketLimitsDeps, 'limits' | 'rateLimits' | 'delayRefusal'>;

type ConnectionListener = (socket: NamespaceSocket, onClientEvent: OnClientEvent) => void;
/** A feature binds its client events to every socket with it, before the server listens. */
export type OnConnection = (listener: ConnectionListener) => void;

type ConnectionDeps = NamespaceDeps & {
  filterClientEvents: (socket: NamespaceSocket) => void;
  connectionListeners: readonly ConnectionListener[];
  onlinePacket: (ids: readonly string[]) => Packet;
};

/** A client event has a few dozen bytes; nothing legitimate comes near this. */
const PACKET_MAX_BYTES = 16_384;
/**
 * Enough for every device and tab of one account; more sockets must not slow down other accounts. At the limit the newest is
 * refused and polls. Closing the oldest instead would make it connect again and push out the next.
 */
const ACCOUNT_SOCKETS_MAX = 20;
/** An expired session, and a client that does not read, are noticed within about this time. */
const SWEEP_PERIOD_S = 10;
/** A closing connection has so long for its closing handshake before it is cut. */
const CLOSE_GRACE_MS = 300;

/** The Socket.IO namespace: handshake, rooms and ends of sessions. Every write goes through REST (R-EVENT-1). */
export function openNamespace(
  httpServer: HttpServer,
  deps: NamespaceDeps,
): {
  namespace: RealtimeNamespace;
  onConnection: OnConnection;
  /** Begins a round over all sockets that ends those whose session no longer counts. */
  recheckAll: () => Recheck;
  /** Closes every socket; clients see a lost connection and reconnect by themselves. */
  close: () => Promise<void>;
} {
  let closing = false;
  const connectionListeners: ConnectionListener[] = [];
  const connectionDeps = {
    ...deps,
    filterClientEvents: createClientEventFilter(deps.monotonicNow),
    connectionListeners,
    onlinePacket: createOnlinePacket(),
  };
  const closeWebSockets = trackWebSockets(httpServer);
  /*
   * No connectionStateRecovery: Socket.IO sends a recovered socket the events it missed before any middleware has checked its
   * session. It also keeps every packet of minutes in memory and searches them all at each reconnect. After a reconnect clients
   * reload through REST anyway (R-EVENT-8).
   */
  const io = new Server<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketData>(httpServer, {
    path: '/socket.io',
    serveClient: false,
    maxHttpBufferSize: PACKET_MAX_BYTES,
    pingInterval: 10_000,
    pingTimeout: 8000,
    allowRequest: (request, done) => done(null, !closing && isAllowedOrigin(request, deps)),
    ...(deps.corsOrigins.length > 0 ? { cors: { origin: deps.corsOrigins } } : {}),
  });
  const { isTrustedProxy, isShared } = deps;
  const addressOf = (request: IncomingMessage): string | null => {
    const address = clientAddress(request, isTrustedProxy);
    return isShared(address) ? null : addressKey(address);
  };
  const limits = createSocketLimits({ ...deps, addressOf });
  io.engine.use(limits.middleware);
  io.engine.on('connection', limits.track);
  // Socket.IO's default namespace would accept every connection.
  io.use((_socket, next) => next(new Error(UNAUTHORIZED)));
  const namespace: RealtimeNamespace = io.of(REALTIME_NAMESPACE);

  namespace.use((socket, next) => {
    void authenticate(socket, deps, next);
  });
  namespace.on('connection', (socket) => {
    limits.settle(socket.conn);
    handleConnection(socket, connectionDeps);
  });
  const stopSweep = startSweep(namespace, deps);
  followOtherProcesses(namespace, deps);

  return {
    namespace,
    onConnection: (listener) => void connectionListeners.push(listener),
    recheckAll: () => {
      const all = namespace.sockets.values();
      return (limit) => checkNextSockets(all, limit, (socket) => void endIfSessionInvalid(socket, deps));
    },
    close: async () => {
      closing = true;
      stopSweep();
      deps.publish.flush();
      // Not io.close(): that would also close the HTTP server, which Fastify owns.
      io.engine.close();
      await closeWebSockets(CLOSE_GRACE_MS);
    },
  };
}

/**
 * Whether a page of this origin may open a socket (R-EVENT-1): the server's own address, or an allowed one. Browsers always
 * send the origin; other programs may send none, and need a token anyway.
 */
export function isAllowedOrigin(
  request: { headers: IncomingMessage['headers']; socket: { remoteAddress?: string | undefined } },
  { corsOrigins, isTrustedProxy }: { corsOrigins: string[]; isTrustedProxy: IsTrustedProxy },
): boolean {
  const { origin } = request.headers;
  if (origin === undefined) return true;
  if (corsOrigins.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const forwarded = isTrustedProxy(request.socket.remoteAddress) ? request.headers['x-forwarded-host'] : undefined;
  const host = (typeof forwarded === 'string' ? forwarded.split(',')[0]?.trim() : undefined) ?? request.headers.host;
  // The scheme is not compared: behind a proxy that ends TLS, ours is http and the page's is https.
  return host !== undefined && new URL(origin).host === host.toLowerCase();
}

/** Lets a socket in by its token, or refuses it. It must not throw: that would end the process. */
async function authenticate(
  socket: NamespaceSocket,
  { resolve, presence, log }: NamespaceDeps,
  next: (refusal?: Error) => void,
): Promise<void> {
  try {
    const token: unknown = socket.handshake.auth['token'];
    const currentUser = typeof token === 'string' ? await resolve(token) : null;
    if (!currentUser) return next(new Error(UNAUTHORIZED));
    if (currentUser.firstDuty !== null) return next(new Error(dutyTexts[currentUser.firstDuty]));
    // The client polls instead, and tries to connect again now and then.
    if (presence.socketsOf(currentUser) >= ACCOUNT_SOCKETS_MAX) return next(new Error(UNAVAILABLE));
    socket.data.currentUser = currentUser;
  } catch (error) {
    // The database did not answer; that must not sign out the user.
    log.error({ err: error }, 'a socket could not be checked');
    return next(new Error(UNAVAILABLE));
  }
  next();
}

function handleConnection(socket: NamespaceSocket, deps: ConnectionDeps): void {
  const { currentUser } = socket.data;
  deps.publish.join(socket);
  void socket.join([
    rooms.user(currentUser.id),
    rooms.session(currentUser.sessionId),
    currentUser.isAdmin ? rooms.admins : rooms.users,
    ...(currentUser.isAdmin && socket.handshake.auth['unread_changes'] !== true ? [rooms.adminsOfEachCount] : []),
  ]);
  // First the filter of too many events, then the check of the session for each event that is left.
  deps.filterClientEvents(socket);
  const welcomed = welcome(socket, deps);
  let checked: Promise<unknown> = welcomed;
  const checkAfter = async (previous: Promise<unknown>, next: () => void): Promise<void> => {
    await previous;
    if ((await welcomed) && !(await endIfSessionInvalid(socket, deps))) next();
  };
  socket.use((_packet, next) => {
    // In the order in which the page sent them.
    checked = checkAfter(checked, next);
  });
}

/** Binds the events of a socket whose session counts. It does not throw. @returns false for one that was closed */
async function welcome(socket: NamespaceSocket, deps: ConnectionDeps): Promise<boolean> {
  try {
    // The end of a session reaches only sockets in its room; a session that ended before this one joined is noticed here.
    if (await endIfSessionInvalid(socket, deps)) closeConnection(socket);
    else if (socket.connected) bindEvents(socket, deps);
    return socket.connected;
  } catch (error) {
    deps.log.error({ err: error }, 'a socket could not be welcomed');
    closeConnection(socket);
    return false;
  }
}

function bindEvents(socket: NamespaceSocket, deps: ConnectionDeps): void {
  const { currentUser } = socket.data;
  const { presence, publish, onlinePacket } = deps;
  socket.on('disconnect', (reason) => {
    handleDisconnect(socket, deps);
    // Socket.IO would keep the connection, without a limit of any account.
    if (reason === 'client namespace disconnect') cutConnection(socket.conn);
  });
  const onClientEvent = createOnClientEvent(socket, deps.log);
  for (const listener of deps.connectionListeners) listener(socket, onClientEvent);

  const adminWasOnline = presence.isAdminOnline();
  const isFirst = presence.enter(socket.id, currentUser);
  if (currentUser.isAdmin) publish.packetToSocket(socket.id, onlinePacket(presence.onlineUserIds()));
  else publish.toSocket(socket.id, 'presence', { admin_online: adminWasOnline });
  // The other processes tell their own sockets.
  if (currentUser.isAdmin && !adminWasOnline) publish.here.toUsers('presence', { admin_online: true });
  if (!currentUser.isAdmin && isFirst) publish.here.toAdmins('presence', { user_id: currentUser.id, online: true });
}

/** The users who are online, serialized once until one comes or goes: with thousands it takes milliseconds for each admin. */
function createOnlinePacket(): (ids: readonly string[]) => Packet {
  let last: { ids: readonly string[]; packet: Packet } | null = null;
  return (ids) => {
    if (last?.ids !== ids) last = { ids, packet: packetOf('presence', { online_user_ids: ids }) };
    return last.packet;
  };
}

/** Closes the connection under a socket that must not stay; its client tries again by itself. */
function closeConnection(socket: NamespaceSocket): void {
  socket.conn.close();
}

function handleDisconnect(socket: NamespaceSocket, { presence, publish }: NamespaceDeps): void {
  const { currentUser } = socket.data;
  const wasLastSocket = presence.leave(socket.id);
  if (!wasLastSocket) return;
  if (!currentUser.isAdmin) publish.here.toAdmins('presence', { user_id: currentUser.id, online: false });
  else if (!presence.isAdminOnline()) publish.here.toUsers('presence', { admin_online: false });
}

/** @returns whether the session had ended or changed its role, and the socket was closed */
async function endIfSessionInvalid(
  socket: NamespaceSocket,
  { resolveSession, publish, log }: NamespaceDeps,
): Promise<boolean> {
  const { currentUser } = socket.data;
  try {
    const fresh = await resolveSession(currentUser.sessionId);
    if (fresh && fresh.isAdmin === currentUser.isAdmin) {
      // A new name shows in the next event.
      socket.data.currentUser = fresh;
      return false;
    }
    publish.endSession(currentUser.sessionId);
  } catch (error) {
    // The database did not answer: the event is dropped, and the client may try again.
    log.error({ err: error }, 'a socket session could not be checked');
  }
  return true;
}

/** @returns whether the round is complete */
function checkNextSockets(
  sockets: Iterator<NamespaceSocket>,
  limit: number,
  check: (socket: NamespaceSocket) => void,
): boolean {
  for (let checked = 0; checked < limit; checked += 1) {
    const { value: socket, done } = sockets.next();
    if (done) return true;
    check(socket);
  }
  return false;
}

/** Checks every socket once a period, a share of them each second and a few in a turn: more would block the event loop. */
function startSweep(namespace: RealtimeNamespace, deps: NamespaceDeps): () => void {
  const isStalled = createStallCheck();
  const checkSocket = (socket: NamespaceSocket): void => {
    if (isStalled(socket)) cutConnection(socket.conn);
    else void endIfSessionInvalid(socket, deps);
  };
  let round = namespace.sockets.values();
  let remaining = 0;
  function runTurn(): void {
    const limit = Math.min(remaining, CHECKS_PER_TURN);
    remaining -= limit;
    if (checkNextSockets(round, limit, checkSocket)) round = namespace.sockets.values();
    if (remaining > 0) setImmediate(runTurn);
  }
  const timer = setInterval(() => {
    if (remaining > 0) return;
    remaining = Math.ceil(namespace.sockets.size / SWEEP_PERIOD_S);
    runTurn();
  }, 1000);
  timer.unref();
  return () => {
    clearInterval(timer);
    remaining = 0;
  };
}

/** Connections that may have missed something are cut within this time, not all at once. */
const RECONNECT_WITHIN_MS = 2000;

/** Tells the sockets of this process what the end of another process means, and lets them load again what may be missing. */
function followOtherProcesses(
  namespace: RealtimeNamespace,
  { processes, presence, publish }: Pick<NamespaceDeps, 'processes' | 'presence' | 'publish'>,
): void {
  /** A page that connects again loads everything anew. */
  function reconnectAll(): void {
    for (const socket of namespace.sockets.values())
      setTimeout(() => closeConnection(socket), Math.random() * RECONNECT_WITHIN_MS).unref();
  }
  presence.onChangedElsewhere(({ users, adminsOnline }) => {
    for (const { userId, online } of users) publish.here.toAdmins('presence', { user_id: userId, online });
    if (adminsOnline !== null) publish.here.toUsers('presence', { admin_online: adminsOnline });
  });
  processes.onLeft((_from, isClean) => {
    // It may have stored a message and ended before it told the others.
    if (!isClean) reconnectAll();
  });
  processes.onMissed(reconnectAll);
}

/** Opens the namespace and watches the sessions of its sockets until the server closes. */
export function startRealtime(
  app: FastifyInstance,
  database: Pick<Database, 'readVersion'>,
  deps: Omit<NamespaceDeps, 'log'>,
): { namespace: RealtimeNamespace; onConnection: OnConnection } {
  const realtime = openNamespace(app.server, { ...deps, log: app.log });
  const stopWatching = watchSessions(database, realtime.recheckAll, deps.processes, app.log);
  // Runs before the listener closes: an open socket would keep the server from ever closing.
  app.addHook('preClose', async () => {
    stopWatching();
    await realtime.close();
  });
  return { namespace: realtime.namespace, onConnection: realtime.onConnection };
}
