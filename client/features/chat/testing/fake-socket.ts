import type { ClientToServer } from '#shared/chat-events.ts';
import type { ChatSocket, Link, SocketEvents } from '#client/realtime/socket.ts';

type Emitted = { [E in keyof ClientToServer]: [event: E, payload: Parameters<ClientToServer[E]>[0]] };

/** A socket without a network: the test is the server. */
export function fakeSocket() {
  const listeners = new Map<string, Set<(payload: never) => void>>();
  const emitted: Emitted[keyof ClientToServer][] = [];
  let connected = false;

  function tell(event: string, payload?: unknown): void {
    for (const listener of listeners.get(event) ?? []) listener(payload as never);
  }
  const socket: ChatSocket = {
    get connected() {
      return connected;
    },
    on: (event, listener) => {
      const known = listeners.get(event) ?? new Set();
      listeners.set(event, known.add(listener));
    },
    off: (event, listener) => void listeners.get(event)?.delete(listener),
    emit: (event, payload) => void emitted.push([event, payload] as Emitted[keyof ClientToServer]),
  };
  const counts = { wakes: 0, suspicions: 0, closed: false };
  const link: Link = {
    socket,
    wake: () => void (counts.wakes += 1),
    suspect: () => void (counts.suspicions += 1),
    close: () => {
      counts.closed = true;
      connected = false;
    },
  };

  return {
    socket,
    link,
    emitted,
    counts,
    /** What listens still; 0 after everything was undone. */
    listenerCount: () => [...listeners.values()].reduce((sum, { size }) => sum + size, 0),
    push: <E extends keyof SocketEvents>(event: E, payload: Parameters<SocketEvents[E]>[0]): void => {
      if (connected) tell(event, payload);
    },
    connect(): void {
      connected = true;
      tell('connect');
    },
    drop(): void {
      connected = false;
      tell('disconnect', 'transport close');
    },
  };
}
export type FakeSocket = ReturnType<typeof fakeSocket>;
