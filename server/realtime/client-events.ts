import type { FastifyBaseLogger } from 'fastify';
import type { z } from 'zod';
import { clientEvents, type ClientEventPayloads } from '#shared/client-events.ts';
import { CLIENT_EVENTS_MAX, CLIENT_EVENTS_WINDOW_MS } from '#shared/limits.ts';
import type { NamespaceSocket } from './socket-types.ts';
import { withoutNulFields } from '#server/http/bodies/nul-texts.ts';
import { createWindowCounter } from '#server/http/limits/window-counter.ts';

type ClientEvent = keyof ClientEventPayloads;

const EVENT_NAMES: ReadonlySet<unknown> = new Set(Object.keys(clientEvents));
/** All sockets of one account together; independent of how many sockets it opened. */
const ACCOUNT_CLIENT_EVENTS_MAX = 4 * CLIENT_EVENTS_MAX;

const schemas: { [E in ClientEvent]: z.ZodType<ClientEventPayloads[E]> } = clientEvents;
/** Socket.IO's own types cannot follow an event's name through a generic. */
type EventSource = { on: (event: string, listener: (payload: unknown) => void) => unknown };

/** Binds a handler to one client event. Invalid payloads are dropped without an answer (R-EVENT-4). */
export type OnClientEvent = <E extends ClientEvent>(
  event: E,
  handle: (payload: ClientEventPayloads[E]) => Promise<void> | void,
) => void;

/**
 * Events of one kind are handled in the order in which a page sent them. A handler never throws into Socket.IO, because that
 * would end the process; its error is logged.
 */
export function createOnClientEvent(socket: NamespaceSocket, log: Pick<FastifyBaseLogger, 'error'>): OnClientEvent {
  const logError = (error: unknown): void => log.error({ err: error }, 'client event failed');
  return (event, handle) => {
    let handled: Promise<void> = Promise.resolve();
    (socket as EventSource).on(event, (payload) => {
      const isObject = typeof payload === 'object' && payload !== null && !Array.isArray(payload);
      const parsed = schemas[event].safeParse(isObject ? withoutNulFields(payload) : payload);
      if (parsed.success) handled = handled.then(() => handle(parsed.data)).catch(logError);
    });
  };
}

/**
 * Drops events without a handler, and events beyond the limits of a socket and of its account (R-EVENT-7).
 * Bound before any other check of a packet, because it is the cheapest.
 */
export function createClientEventFilter(monotonicNow: () => number): (socket: NamespaceSocket) => void {
  const ofAccounts = createWindowCounter(CLIENT_EVENTS_WINDOW_MS, monotonicNow);
  return (socket) => {
    const ofSocket = createWindowCounter(CLIENT_EVENTS_WINDOW_MS, monotonicNow);
    socket.use(([name], next) => {
      if (!EVENT_NAMES.has(name) || ofSocket.add(socket.id) > CLIENT_EVENTS_MAX) return;
      if (ofAccounts.add(socket.data.currentUser.id) <= ACCOUNT_CLIENT_EVENTS_MAX) next();
    });
  };
}
