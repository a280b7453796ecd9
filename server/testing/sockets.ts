import { io, type Socket } from 'socket.io-client';
import { onTestFinished } from 'vitest';
import { CHAT_NAMESPACE, type ClientToServer, type ServerToClient } from '#shared/chat-events.ts';
import type { TestApp } from './test-app.ts';
import { within } from './within.ts';

/** Real socket clients against the app on a real port. */

type Event = keyof ServerToClient;
type Payload<E extends Event> = Parameters<ServerToClient[E]>[0];
type Heard = { [E in Event]: { event: E; payload: Payload<E> } }[Event];
export type Tab = {
  socket: Socket<ServerToClient, ClientToServer>;
  /** Everything it was sent and `forget` did not drop, in order. */
  heard: () => Heard[];
  /** The payloads of one event among `heard`. */
  all: <E extends Event>(event: E) => Payload<E>[];
  /** The next payload of an event that this tab has not been asked about; waits for it. */
  next: <E extends Event>(event: E) => Promise<Payload<E>>;
  forget: () => void;
  /** Resolves with the reason once the server (or the network) ended the connection. */
  ended: () => Promise<string>;
  close: () => void;
};

const addresses = new WeakMap<TestApp, Promise<string>>();

/** Opens the app's port, once. @returns its origin, as in `http://127.0.0.1:41234` */
export async function listen(test: TestApp): Promise<string> {
  const address = addresses.get(test) ?? test.server.listen({ host: '127.0.0.1', port: 0 });
  addresses.set(test, address);
  return address;
}

export type TabOptions = { transports?: ('polling' | 'websocket')[]; headers?: Record<string, string> };

function openSocket(url: string, auth: Record<string, unknown>, options: TabOptions): Tab['socket'] {
  const socket: Tab['socket'] = io(`${url}${CHAT_NAMESPACE}`, {
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
  const tab = listenTo(socket);
  await within(
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
export async function refusal(test: TestApp, auth: Record<string, unknown>, options: TabOptions = {}): Promise<string> {
  const socket = openSocket(await listen(test), auth, options);
  return within(
    'a refused connection',
    new Promise<string>((resolve, reject) => {
      socket.once('connect_error', ({ message }) => resolve(message));
      socket.once('connect', () => reject(new Error('it was let in')));
    }),
  );
}

function listenTo(socket: Tab['socket']): Tab {
  let heard: Heard[] = [];
  const asked = new Set<Heard>();
  let wake: (() => void) | null = null;
  const ending = new Promise<string>((resolve) => socket.once('disconnect', resolve));
  socket.onAny((event: Event, payload: unknown) => {
    const item = { event, payload } as Heard;
    if (!isMark(item)) heard.push(item);
    wake?.();
  });

  async function next<E extends Event>(event: E): Promise<Payload<E>> {
    for (;;) {
      const found = heard.find((item) => item.event === event && !asked.has(item));
      if (found) {
        asked.add(found);
        return found.payload;
      }
      await within(
        `the event ${event}`,
        new Promise<void>((resolve) => {
          wake = resolve;
        }),
      );
    }
  }

  return {
    socket,
    heard: () => heard,
    all: (event) => heard.filter((item) => item.event === event).map(({ payload }) => payload as never),
    next,
    forget: () => {
      heard = [];
    },
    ended: () => within('the end of the connection', ending),
    close: () => void socket.disconnect(),
  };
}

/** Says what the types would not let anybody say. */
export function say({ socket }: Tab, event: string, ...payload: unknown[]): void {
  (socket as Pick<Socket, 'emit'>).emit(event, ...payload);
}

let marks = 0;
const isMark = ({ event, payload }: Heard): boolean => event === 'tax-record:changed' && payload.user_id === 'mark';

/**
 * A round trip instead of a sleep: after it, whatever the tabs said has been dealt with, and whatever the server had
 * to tell them has arrived. So what is not in `heard` now was not sent.
 */
export async function settle(test: TestApp, ...tabs: Tab[]): Promise<void> {
  const connected = tabs.filter(({ socket }) => socket.connected);
  await Promise.all(connected.map(askForNothing));
  // Writes run in the order in which they were asked for.
  await test.context.commit(() => null);
  await Promise.all(connected.map((tab) => awaitMark(test, tab)));
}

/** A namespace that does not exist is refused on the same connection, after everything that was sent before. */
async function askForNothing({ socket }: Tab): Promise<void> {
  marks += 1;
  const nothing = socket.io.socket(`/nothing-${marks}`);
  const answered = new Promise<void>((resolve) => nothing.once('connect_error', () => resolve()));
  const ended = new Promise<void>((resolve) => socket.once('disconnect', () => resolve()));
  nothing.connect();
  await within('the answer of a round trip', Promise.race([answered, ended]));
  nothing.disconnect();
}

async function awaitMark(test: TestApp, { socket }: Tab): Promise<void> {
  if (!socket.connected || socket.id === undefined) return;
  marks += 1;
  const id = `mark-${marks}`;
  const marked = new Promise<void>((resolve) => {
    const check = (change: Payload<'tax-record:changed'>): void => {
      if (change.id !== id) return;
      socket.off('tax-record:changed', check);
      resolve();
    };
    socket.on('tax-record:changed', check);
    socket.once('disconnect', () => resolve());
  });
  test.context.publish.toSocket(socket.id, 'tax-record:changed', { id, user_id: 'mark', change: 'updated' });
  await within('the mark of a round trip', marked);
}
