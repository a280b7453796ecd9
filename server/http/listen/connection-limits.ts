import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey } from '#server/security/ip-addresses.ts';
import { createWindowCounter } from '../limits/window-counter.ts';

/** Room for the database, logs, images, backups and worker threads beside the connections. */
const RESERVED_FILES = 96;
const CONNECTIONS_MAX = 12_500;
/** Enough for many computers that share one address; a browser needs up to seven. */
const CONNECTIONS_PER_ADDRESS_MAX = 250;
/** Browsers and proxies wait for each answer. A connection that does not could fill one turn of the event loop. */
const REQUESTS_UNDER_WAY_MAX = 20;
/** A TLS handshake takes about a millisecond of the processor, and a client needs nothing to ask for one. */
const HANDSHAKES_PER_ADDRESS = { max: 1000, windowMs: 10_000 };

type Limits = {
  max: number;
  perAddressMax: number;
  handshakesMax: number;
  monotonicNow: () => number;
  /** Whether many clients share an address, as behind a proxy. Only the total counts for it. */
  isShared: (address: string) => boolean;
};

export type ConnectionLimits = {
  /** Counts a connection. @returns false when there is no room; then it is already destroyed */
  accept: (socket: Socket) => boolean;
  /** The same for a connection that begins with a TLS handshake. */
  acceptHandshake: (socket: Socket) => boolean;
  /** Stops counting a connection that goes on under another socket, as after a TLS handshake. */
  release: (socket: Socket) => void;
  /** Applies the limits to all connections of an HTTP server. Called before it listens. */
  bind: (server: Server) => void;
};

/** The number of connections for which the process has file handles. Windows has no such limit. */
export function readConnectionsMax(): number {
  // Otherwise the report looks up the names of all peers.
  const report = Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const openFilesMax = Number(userLimits?.open_files?.soft);
  return openFilesMax > 0 ? Math.min(CONNECTIONS_MAX, Math.max(32, openFilesMax - RESERVED_FILES)) : CONNECTIONS_MAX;
}

/** The number of connections that may be sockets, which stay open; the others are left for requests. */
export const socketsShare = (connectionsMax: number): number => Math.floor(connectionsMax * 0.8);

/**
 * Limits the connections of each address and of all together, so that silent connections of one stranger do not use up the
 * file handles. Where there is no room, the connection that has been idle longest makes room; busy ones are never cut.
 * WebSockets count in the total only: their own limits are those of `realtime/socket-limits.ts`.
 */
export function createConnectionLimits(limits: Partial<Limits> & Pick<Limits, 'isShared'>): ConnectionLimits {
  const { max = readConnectionsMax(), perAddressMax = CONNECTIONS_PER_ADDRESS_MAX, isShared } = limits;
  const { handshakesMax = HANDSHAKES_PER_ADDRESS.max, monotonicNow = () => performance.now() } = limits;
  const perAddress = Math.min(perAddressMax, Math.ceil(max / 2));
  /** The connections of each address; the one that has been idle longest comes first. */
  const socketsByAddress = new Map<string, Set<Socket>>();
  const addresses = new Map<Socket, string>();
  const requestsUnderWay = new WeakMap<Socket, number>();
  const handshakes = createWindowCounter(HANDSHAKES_PER_ADDRESS.windowMs, monotonicNow);
  const countUnderWay = (socket: Socket): number => requestsUnderWay.get(socket) ?? 0;

  function release(socket: Socket): void {
    releaseOfAddress(socket);
    addresses.delete(socket);
  }

  function releaseOfAddress(socket: Socket): void {
    const address = addresses.get(socket);
    if (address === undefined) return;
    const sockets = socketsByAddress.get(address);
    sockets?.delete(socket);
    if (sockets?.size === 0) socketsByAddress.delete(address);
  }

  /** @returns whether there was an idle one */
  function closeIdle(address: string): boolean {
    for (const socket of socketsByAddress.get(address) ?? []) {
      if (countUnderWay(socket) > 0) continue;
      release(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  function addressWithMost(): string {
    let most = '';
    let count = 0;
    for (const [address, { size }] of socketsByAddress) if (size > count) [most, count] = [address, size];
    return most;
  }

  function hasRoomFor(address: string, isSharedAddress: boolean): boolean {
    const own = socketsByAddress.get(address)?.size ?? 0;
    if (own >= perAddress && !isSharedAddress && !closeIdle(address)) return false;
    return addresses.size < max || closeIdle(addressWithMost());
  }

  function accept(socket: Socket): boolean {
    const { remoteAddress = '' } = socket;
    const address = addressKey(remoteAddress);
    if (!hasRoomFor(address, isShared(remoteAddress))) {
      socket.destroy();
      return false;
    }
    addresses.set(socket, address);
    const sockets = socketsByAddress.get(address) ?? new Set();
    socketsByAddress.set(address, sockets.add(socket));
    socket.once('close', () => release(socket));
    return true;
  }

  function acceptHandshake(socket: Socket): boolean {
    const { remoteAddress = '' } = socket;
    if (isShared(remoteAddress) || handshakes.add(addressKey(remoteAddress)) <= handshakesMax) return accept(socket);
    socket.destroy();
    return false;
  }

  /** @returns false for a request on a connection with too many; then it is destroyed */
  function admit({ socket }: IncomingMessage, response: ServerResponse): boolean {
    const underWay = countUnderWay(socket) + 1;
    if (underWay > REQUESTS_UNDER_WAY_MAX) socket.destroy();
    if (socket.destroyed) return false;
    requestsUnderWay.set(socket, underWay);
    response.once('close', () => {
      requestsUnderWay.set(socket, countUnderWay(socket) - 1);
      // To the end: the others have been idle for longer.
      const sockets = socketsByAddress.get(addresses.get(socket) ?? '');
      if (sockets?.delete(socket)) sockets.add(socket);
    });
    return true;
  }

  return {
    accept,
    acceptHandshake,
    release,
    bind(server) {
      server.prependListener('connection', accept);
      // A listener cannot keep a request from the others, so this one stands before them.
      const listeners = server.listeners('request');
      server.removeAllListeners('request');
      server.on('request', (request, response) => {
        if (admit(request, response)) for (const listener of listeners) listener.call(server, request, response);
      });
      server.prependListener('upgrade', ({ socket }) => releaseOfAddress(socket));
    },
  };
}
