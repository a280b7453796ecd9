import type { ClientToServerEvents } from '#shared/events.ts';
import type { RealtimeClientSocket, RealtimeConnection, SocketEvents } from '../socket.ts';

type Emitted = { [E in keyof ClientToServerEvents]: [event: E, payload: Parameters<ClientToServerEvents[E]>[0]] };

/** A socket without a network: the test plays the server. */
export function fakeSocket() {
  const listeners = new Map<string, Set<(payload: never) => void>>();
  const emitted: Emitted[keyof ClientToServerEvents][] = [];
  let connected = false;

  function dispatch(event: string, payload?: unknown): void {
    for (const listener of listeners.get(event) ?? []) listener(payload as never);
  }
  const socket: RealtimeClientSocket = {
    get connected() {
      return connected;
    },
    on: (event, listener) => {
      const known = listeners.get(event) ?? new Set();
      listeners.set(event, known.add(listener));
    },
    off: (event, listener) => void listeners.get(event)?.delete(listener),
    emit: (event, payload) => void emitted.push([event, payload] as Emitted[keyof ClientToServerEvents]),
  };
  const counts = { wakes: 0, suspicions: 0, closed: false };
  const connection: RealtimeConnection = {
    socket,
    ensureConnected: () => void (counts.wakes += 1),
    reconnectIfStale: () => void (counts.suspicions += 1),
    close: () => {
      counts.closed = true;
      connected = false;
    },
  };

  return {
    socket,
    connection,
    emitted,
    counts,
    /** The number of bound listeners; 0 after every undo. */
    listenerCount: () => [...listeners.values()].reduce((sum, { size }) => sum + size, 0),
    push: <E extends keyof SocketEvents>(event: E, payload: Parameters<SocketEvents[E]>[0]): void => {
      if (connected) dispatch(event, payload);
    },
    connect(): void {
      connected = true;
      dispatch('connect');
    },
    drop(): void {
      connected = false;
      dispatch('disconnect', 'transport close');
    },
  };
}
export type FakeSocket = ReturnType<typeof fakeSocket>;
