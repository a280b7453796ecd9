import { type IncomingMessage, ServerResponse } from 'node:http';
import { errorTexts } from '#shared/texts.ts';
import { evictedResponse } from '#server/http/errors.ts';
import { readConnectionsMax, socketsShare } from '#server/http/listen/connection-limits.ts';
import type { Connection } from './socket-types.ts';
import { cutConnection } from './stalled-sockets.ts';
import { createWindowCounter } from '#server/http/limits/window-counter.ts';

/** A connection that has not sent a valid token yet is "unknown". It costs about 5 KB and two timers. */
export type SocketLimits = {
  /** Of all connections the server takes, a share is left for requests (docs/requirements.md R-RUN-20). */
  max: number;
  /** The same number of computers of one office may have other connections. */
  perAddressMax: number;
  unknownMax: number;
  unknownPerAddressMax: number;
  connectTimeoutMs: number;
};

const LIMITS: Omit<SocketLimits, 'max'> = {
  perAddressMax: 250,
  unknownMax: 2000,
  unknownPerAddressMax: 100,
  connectTimeoutMs: 5000,
};
/** Handshakes of one address: twice those of an office with 250 open pages after a restart of the server. */
const HANDSHAKES_PER_ADDRESS = { max: 500, windowMs: 10_000 };
/** Handshakes of all together. The short window keeps them from holding the event loop for more than a few milliseconds. */
const HANDSHAKES = { max: 100, windowMs: 100 };
/** A client sends one packet with its token. */
const UNKNOWN_PACKETS_MAX = 10;
/** Far more than the client events that count (R-EVENT-7); a connection that sends more is cut. */
const PACKETS = { max: 1000, windowMs: 5000 };
const RETRY_AFTER_SECONDS = 5;

export type SocketLimitsDeps = {
  limits: Partial<SocketLimits>;
  /** The address of the client; null when it stands for many clients, so that only the limits of all hold. */
  addressOf: (request: IncomingMessage) => string | null;
  rateLimits: boolean;
  delayRefusal: () => Promise<void>;
  monotonicNow: () => number;
};

/** A request with the query as Engine.IO has read it: another reader could see a session where Engine.IO sees none. */
type EngineRequest = IncomingMessage & { _query?: { sid?: string } };
/** For an upgrade Engine.IO passes no answer that could be sent. */
type Middleware = (request: EngineRequest, response: unknown, next: () => void) => void;
type Count = 'open' | 'unknown' | 'upgraded';
type Counts = Record<Count, number>;

/**
 * Bounds the sockets and the handshakes of each address and of all together (docs/requirements.md R-EVENT-10). A stranger needs
 * no token for a handshake, and does not have to come back for it.
 */
export function createSocketLimits(deps: SocketLimitsDeps) {
  const { addressOf, rateLimits, delayRefusal, monotonicNow } = deps;
  const max = deps.limits?.max ?? socketsShare(readConnectionsMax());
  const limits = { ...LIMITS, ...deps.limits, max };
  const all: Counts = { open: 0, unknown: 0, upgraded: 0 };
  const byAddress = new Map<string, Counts>();
  const handshakes = createWindowCounter(HANDSHAKES.windowMs, monotonicNow);
  const handshakesByAddress = createWindowCounter(HANDSHAKES_PER_ADDRESS.windowMs, monotonicNow);
  const settlers = new WeakMap<Connection, () => void>();

  /** @returns the undo, which counts back once */
  function count(address: string | null, kind: Count): () => void {
    const own = address === null ? undefined : (byAddress.get(address) ?? { open: 0, unknown: 0, upgraded: 0 });
    if (own && address !== null) byAddress.set(address, own);
    for (const counts of [all, own]) if (counts) counts[kind] += 1;
    let isCounted = true;
    return () => {
      if (!isCounted) return;
      isCounted = false;
      for (const counts of [all, own]) if (counts) counts[kind] -= 1;
      if (own && address !== null && own.open + own.unknown + own.upgraded === 0) byAddress.delete(address);
    };
  }

  function hasRoom(address: string | null, kind: 'open' | 'upgraded'): boolean {
    const own = address === null ? undefined : byAddress.get(address);
    return all[kind] < limits.max && (own?.[kind] ?? 0) < limits.perAddressMax;
  }

  function admitsHandshake(address: string | null): boolean {
    const own = address === null ? undefined : byAddress.get(address);
    if (!hasRoom(address, 'open')) return false;
    if (all.unknown >= limits.unknownMax || (own?.unknown ?? 0) >= limits.unknownPerAddressMax) return false;
    if (!rateLimits) return true;
    // First the address: a stranger must not use up what all have together.
    if (address !== null && handshakesByAddress.countOf(address) >= HANDSHAKES_PER_ADDRESS.max) return false;
    if (handshakes.add('all') > HANDSHAKES.max) return false;
    if (address !== null) handshakesByAddress.add(address);
    return true;
  }

  /** 503 instead of Engine.IO's 403 and 400: the client polls, and tries again by itself. */
  async function refuse({ socket }: IncomingMessage, response: unknown): Promise<void> {
    if (response instanceof ServerResponse) {
      await delayRefusal();
      const body = JSON.stringify({ success: false, message: errorTexts.busy });
      response.writeHead(503, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'cache-control': 'no-store',
        'retry-after': String(RETRY_AFTER_SECONDS),
      });
      response.end(body);
      return;
    }
    // Node no longer listens for errors of an upgraded connection.
    socket.on('error', () => undefined);
    await delayRefusal();
    socket.end(evictedResponse(RETRY_AFTER_SECONDS), () => socket.destroy());
  }

  /** Runs before Engine.IO looks at a request. */
  const middleware: Middleware = (request, response, next) => {
    const isHandshake = !request._query?.sid;
    const isUpgrade = !(response instanceof ServerResponse);
    const address = addressOf(request);
    if ((isUpgrade && !hasRoom(address, 'upgraded')) || (isHandshake && !admitsHandshake(address))) {
      void refuse(request, response);
      return;
    }
    if (isUpgrade) request.socket.once('close', count(address, 'upgraded'));
    next();
  };

  /** Counts a new connection until it closes, and cuts it when it stays unknown or sends too many packets. */
  function track(connection: Connection): void {
    const address = addressOf(connection.request);
    const uncount = count(address, 'open');
    const uncountUnknown = count(address, 'unknown');
    const timer = setTimeout(() => cutConnection(connection), limits.connectTimeoutMs);
    const packets = createWindowCounter(PACKETS.windowMs, monotonicNow);
    let isUnknown = true;
    const settle = (): void => {
      isUnknown = false;
      clearTimeout(timer);
      uncountUnknown();
    };
    settlers.set(connection, settle);
    connection.on('packet', () => {
      if (packets.add('') > (isUnknown ? UNKNOWN_PACKETS_MAX : PACKETS.max)) cutConnection(connection);
    });
    connection.once('close', () => {
      settle();
      uncount();
    });
  }

  return {
    middleware,
    track,
    /** The connection has sent a valid token. */
    settle: (connection: Connection): void => settlers.get(connection)?.(),
  };
}
