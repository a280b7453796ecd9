import { io, type Socket } from 'socket.io-client';
import { onTestFinished } from 'vitest';
import {
  REALTIME_NAMESPACE,
  type ClientToServerEvents,
  type PresenceUpdate,
  type ServerToClientEvents,
} from '#shared/events.ts';
import type { Presence } from '#server/realtime/presence.ts';
import { statementsEnded } from './postgres/open-postgres.ts';
import type { TestApp } from './test-app.ts';
import { withTimeout } from './with-timeout.ts';

/** Real socket clients against the app on a real port. */

type Event = keyof ServerToClientEvents;
type Payload<E extends Event> = Parameters<ServerToClientEvents[E]>[0];
type ReceivedEvent = { [E in Event]: { event: E; payload: Payload<E> } }[Event];
export type Tab = {
  socket: Socket<ServerToClientEvents, ClientToServerEvents>;
  /** Every event since the start or the last `clearReceived`, in order. */
  received: () => ReceivedEvent[];
  /** The payloads of one event among `received`. */
  payloadsOf: <E extends Event>(event: E) => Payload<E>[];
  /** The next payload of an event that `next` has not returned yet; waits for it. */
  next: <E extends Event>(event: E) => Promise<Payload<E>>;
  clearReceived: () => void;
  /** Resolves with the reason once the server (or the network) ended the connection. */
  ended: () => Promise<string>;
  close: () => void;
};

const originsByApp = new WeakMap<TestApp, Promise<string>>();

/** Opens the app's port, once. @returns its origin, as in `http://127.0.0.1:41234` */
export async function listen(test: TestApp): Promise<string> {
  const address = originsByApp.get(test) ?? test.server.listen({ host: '127.0.0.1', port: 0 });
  originsByApp.set(test, address);
  return address;
}

const enteredByPresence = new WeakMap<Presence, Set<string>>();

/** The ids of the sockets that the server has welcomed since the first call. */
function followEntries({ context: { presence } }: TestApp): ReadonlySet<string> {
  const known = enteredByPresence.get(presence);
  if (known) return known;
  const entered = new Set<string>();
  const enter = presence.enter.bind(presence);
  presence.enter = (socketId, user) => {
    entered.add(socketId);
    return enter(socketId, user);
  };
  enteredByPresence.set(presence, entered);
  return entered;
}

export type TabOptions = {
  transports?: ('polling' | 'websocket')[];
  headers?: Record<string, string>;
  /** As pages of this version do; without it the tab is one of an older version. */
  readsUnreadChanges?: boolean;
};

function openSocket(url: string, auth: Record<string, unknown>, options: TabOptions): Tab['socket'] {
  const socket: Tab['socket'] = io(`${url}${REALTIME_NAMESPACE}`, {
    auth,
    transports: options.transports ?? ['websocket'],
    forceNew: true,
    reconnection: false,
    ...(options.headers ? { extraHeaders: options.headers } : {}),
  });
  onTestFinished(() => void socket.disconnect());
  return socket;
}

/** A tab of a signed-in user: connected, in its rooms, after its own first `presence` event. */
export async function openTab(test: TestApp, { token }: { token: string }, options: TabOptions = {}): Promise<Tab> {
  const entered = followEntries(test);
  const auth = { token, ...(options.readsUnreadChanges ? { unread_changes: true } : {}) };
  const socket = openSocket(await listen(test), auth, options);
  const tab = recordEvents(socket);
  await withTimeout(
    'the connection',
    new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('connect_error', reject);
    }),
  );
  // It is in its rooms before the server has checked its session, so the arrival of others may come first.
  let presence: PresenceUpdate;
  do presence = await tab.next('presence');
  while ('user_id' in presence || !entered.has(socket.id ?? ''));
  return tab;
}

/** @returns the message of the `connect_error` with which a connection is refused */
export async function connectErrorMessage(
  test: TestApp,
  auth: Record<string, unknown>,
  options: TabOptions = {},
): Promise<string> {
  const socket = openSocket(await listen(test), auth, options);
  return withTimeout(
    'a refused connection',
    new Promise<string>((resolve, reject) => {
      socket.once('connect_error', ({ message }) => resolve(message));
      socket.once('connect', () => reject(new Error('the connection was accepted')));
    }),
  );
}

function recordEvents(socket: Tab['socket']): Tab {
  let received: ReceivedEvent[] = [];
  const consumed = new Set<ReceivedEvent>();
  let notifyWaiting: (() => void) | null = null;
  const disconnected = new Promise<string>((resolve) => socket.once('disconnect', resolve));
  socket.onAny((event: Event, payload: unknown) => {
    received.push({ event, payload } as ReceivedEvent);
    notifyWaiting?.();
  });

  async function next<E extends Event>(event: E): Promise<Payload<E>> {
    for (;;) {
      const found = received.find((item) => item.event === event && !consumed.has(item));
      if (found) {
        consumed.add(found);
        return found.payload;
      }
      await withTimeout(
        `the event ${event}`,
        new Promise<void>((resolve) => {
          notifyWaiting = resolve;
        }),
      );
    }
  }

  return {
    socket,
    received: () => received,
    payloadsOf: (event) => received.filter((item) => item.event === event).map(({ payload }) => payload as never),
    next,
    clearReceived: () => {
      received = [];
    },
    ended: () => withTimeout('the end of the connection', disconnected),
    close: () => void socket.disconnect(),
  };
}

/** Sends an event that the types do not allow. */
export function emitUnchecked({ socket }: Tab, event: string, ...payload: unknown[]): void {
  (socket as Pick<Socket, 'emit'>).emit(event, ...payload);
}

let roundTripCount = 0;

/**
 * Waits for two round trips instead of sleeping. Afterwards the server has handled what the tabs sent, and every event that it
 * published has arrived; an event that is not in `received` by then was not sent.
 */
export async function waitForPendingEvents(test: TestApp, ...tabs: Tab[]): Promise<void> {
  await Promise.all(tabs.map(waitForRoundTrip));
  // Writes run in the order in which they were queued.
  await test.context.write(() => null);
  await statementsEnded();
  await Promise.all(tabs.map(waitForRoundTrip));
}

/** An unknown namespace is refused on the same connection, after everything that was sent on it before. */
async function waitForRoundTrip({ socket }: Tab): Promise<void> {
  if (!socket.connected) return;
  roundTripCount += 1;
  const missingNamespace = socket.io.socket(`/missing-${roundTripCount}`);
  const answered = new Promise<void>((resolve) => missingNamespace.once('connect_error', () => resolve()));
  const ended = new Promise<void>((resolve) => socket.once('disconnect', () => resolve()));
  missingNamespace.connect();
  await withTimeout('the answer of a round trip', Promise.race([answered, ended]));
  missingNamespace.disconnect();
}
