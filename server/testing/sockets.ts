import { io, type Socket } from 'socket.io-client';
import { onTestFinished } from 'vitest';
import { REALTIME_NAMESPACE, type ClientToServerEvents, type ServerToClientEvents } from '#shared/events.ts';
import type { TestApp } from './test-app.ts';
import { withTimeout } from './with-timeout.ts';

/** Real socket clients against the app on a real port. */

type Event = keyof ServerToClientEvents;
type Payload<E extends Event> = Parameters<ServerToClientEvents[E]>[0];
type ReceivedEvent = { [E in Event]: { event: E; payload: Payload<E> } }[Event];
export type Tab = {
  socket: Socket<ServerToClientEvents, ClientToServerEvents>;
  /** Everything it was sent and `forget` did not drop, in order. */
  received: () => ReceivedEvent[];
  /** The payloads of one event among `heard`. */
  payloadsOf: <E extends Event>(event: E) => Payload<E>[];
  /** The next payload of an event that this tab has not been asked about; waits for it. */
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

export type TabOptions = { transports?: ('polling' | 'websocket')[]; headers?: Record<string, string> };

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

/** One tab of somebody's: connected, in its rooms, and past the presence it is greeted with. */
export async function openTab(test: TestApp, { token }: { token: string }, options: TabOptions = {}): Promise<Tab> {
  const socket = openSocket(await listen(test), { token }, options);
  const tab = recordEvents(socket);
  await withTimeout(
    'the connection',
    new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('connect_error', reject);
    }),
  );
  await tab.next('presence');
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
      socket.once('connect', () => reject(new Error('it was let in')));
    }),
  );
}

function recordEvents(socket: Tab['socket']): Tab {
  let received: ReceivedEvent[] = [];
  const consumed = new Set<ReceivedEvent>();
  let notifyWaiting: (() => void) | null = null;
  const disconnected = new Promise<string>((resolve) => socket.once('disconnect', resolve));
  socket.onAny((event: Event, payload: unknown) => {
    const item = { event, payload } as ReceivedEvent;
    if (!isBarrier(item)) received.push(item);
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

/** Says what the types would not let anybody say. */
export function emitUnchecked({ socket }: Tab, event: string, ...payload: unknown[]): void {
  (socket as Pick<Socket, 'emit'>).emit(event, ...payload);
}

let barrierCount = 0;
const isBarrier = ({ event, payload }: ReceivedEvent): boolean =>
  event === 'tax-record:changed' && payload.user_id === 'mark';

/**
 * A round trip instead of a sleep: after it, whatever the tabs said has been dealt with, and whatever the server had
 * to tell them has arrived. So what is not in `heard` now was not sent.
 */
export async function waitForPendingEvents(test: TestApp, ...tabs: Tab[]): Promise<void> {
  const connected = tabs.filter(({ socket }) => socket.connected);
  await Promise.all(connected.map(waitForClientRoundTrip));
  // Writes run in the order in which they were asked for.
  await test.context.write(() => null);
  await Promise.all(connected.map((tab) => waitForBarrier(test, tab)));
}

/** A namespace that does not exist is refused on the same connection, after everything that was sent before. */
async function waitForClientRoundTrip({ socket }: Tab): Promise<void> {
  barrierCount += 1;
  const missingNamespace = socket.io.socket(`/nothing-${barrierCount}`);
  const answered = new Promise<void>((resolve) => missingNamespace.once('connect_error', () => resolve()));
  const ended = new Promise<void>((resolve) => socket.once('disconnect', () => resolve()));
  missingNamespace.connect();
  await withTimeout('the answer of a round trip', Promise.race([answered, ended]));
  missingNamespace.disconnect();
}

async function waitForBarrier(test: TestApp, { socket }: Tab): Promise<void> {
  if (!socket.connected || socket.id === undefined) return;
  barrierCount += 1;
  const id = `mark-${barrierCount}`;
  const barrierReceived = new Promise<void>((resolve) => {
    const check = (change: Payload<'tax-record:changed'>): void => {
      if (change.id !== id) return;
      socket.off('tax-record:changed', check);
      resolve();
    };
    socket.on('tax-record:changed', check);
    socket.once('disconnect', () => resolve());
  });
  test.context.publish.toSocket(socket.id, 'tax-record:changed', { id, user_id: 'mark', change: 'updated' });
  await withTimeout('the mark of a round trip', barrierReceived);
}
