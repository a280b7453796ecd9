import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onNoAnswer } from '#client/lib/api/server-reachability.ts';
import { currentSession, openSession } from '#client/lib/session/session.ts';
import { type RealtimeConnection, openRealtimeConnection } from './socket.ts';

type Listener = (payload?: unknown) => void;

/** The parts of Socket.IO’s client that a connection uses. */
class FakeSocketIo {
  connected = false;
  active = true;
  connectCalls = 0;
  disconnectCalls = 0;
  io = Object.assign(new FakeEmitter(), { opts: { transports: ['websocket', 'polling'] } });
  private listeners = new FakeEmitter();
  on = (event: string, listener: Listener) => this.listeners.on(event, listener);
  onAny = (listener: Listener) => this.listeners.on('*', listener);
  offAny = (listener: Listener) => this.listeners.off('*', listener);
  emitFromServer(event: string, payload?: unknown): void {
    this.listeners.emit('*');
    this.listeners.emit(event, payload);
  }
  connect(): this {
    this.connectCalls += 1;
    return this;
  }
  disconnect(): this {
    this.disconnectCalls += 1;
    this.connected = false;
    return this;
  }
  acceptConnection(): void {
    this.connected = true;
    this.listeners.emit('connect');
  }
}

class FakeEmitter {
  private listeners = new Map<string, Set<Listener>>();
  on(event: string, listener: Listener): void {
    this.listeners.set(event, (this.listeners.get(event) ?? new Set()).add(listener));
  }
  off(event: string, listener: Listener): void {
    this.listeners.get(event)?.delete(listener);
  }
  emit(event: string, payload?: unknown): void {
    for (const listener of this.listeners.get(event) ?? []) listener(payload);
  }
}

let fakeSocketIo: FakeSocketIo;
let options: { auth?: unknown; reconnectionDelayMax?: number };
vi.mock('socket.io-client', () => ({
  io: (_namespace: string, passedOptions: typeof options) => {
    fakeSocketIo = new FakeSocketIo();
    options = passedOptions;
    return fakeSocketIo;
  },
}));

let connection: RealtimeConnection;

beforeEach(() => {
  vi.useFakeTimers();
  openSession('token-1', { id: 'u1', name: 'Siti', email: 'siti@contoh.id', is_admin: false });
  connection = openRealtimeConnection('token-1');
});
afterEach(() => connection.close());

it('connects with the session’s token and reconnects within seconds', () => {
  expect(options.auth).toEqual({ token: 'token-1', unread_changes: true });
  expect(options.reconnectionDelayMax).toBeLessThanOrEqual(5000);
  expect(fakeSocketIo.connectCalls).toBe(1);
});

it.each([
  ['connect_error', new Error('unauthorized')],
  ['session:ended', { message: 'Sesi Anda telah berakhir. Silakan login kembali.' }],
])('ends the session on %s', (event, payload) => {
  fakeSocketIo.emitFromServer(event, payload);
  expect(currentSession()).toBeNull();
});

it('does not end a session that has since been replaced by another', () => {
  openSession('token-2', { id: 'u2', name: 'Budi', email: 'budi@contoh.id', is_admin: false });
  fakeSocketIo.emitFromServer('session:ended', { message: '' });
  expect(currentSession()?.token).toBe('token-2');
});

it('reports a missing answer when an attempt reaches no server, and none when the server refuses it', () => {
  let reports = 0;
  const unbind = onNoAnswer(() => (reports += 1));
  fakeSocketIo.emitFromServer('connect_error', new Error('websocket error'));
  expect(reports).toBe(1);
  fakeSocketIo.active = false;
  fakeSocketIo.emitFromServer('connect_error', new Error('unavailable'));
  expect(reports).toBe(1);
  unbind();
});

it('keeps trying after a refusal for another reason, which Socket.IO alone would not', () => {
  fakeSocketIo.active = false;
  fakeSocketIo.emitFromServer('connect_error', new Error('busy'));
  vi.advanceTimersByTime(5000);
  expect(fakeSocketIo.connectCalls).toBe(2);
  expect(currentSession()).not.toBeNull();
});

it('reconnects after the server has disconnected it, at a random moment', () => {
  fakeSocketIo.acceptConnection();
  fakeSocketIo.connected = false;
  fakeSocketIo.emitFromServer('disconnect', 'io server disconnect');
  expect(fakeSocketIo.connectCalls).toBe(1);
  vi.advanceTimersByTime(1000);
  expect(fakeSocketIo.connectCalls).toBe(2);
});

it('starts with polling after an error, and with a WebSocket after the next', () => {
  fakeSocketIo.io.emit('error');
  expect(fakeSocketIo.io.opts.transports).toEqual(['polling', 'websocket']);
  fakeSocketIo.io.emit('error');
  expect(fakeSocketIo.io.opts.transports).toEqual(['websocket', 'polling']);
});

it.each(['online', 'offline'])('reconnects as soon as the network changes (%s)', (event) => {
  fakeSocketIo.acceptConnection();
  window.dispatchEvent(new Event(event));
  expect(fakeSocketIo.disconnectCalls).toBe(2);
  expect(fakeSocketIo.connectCalls).toBe(2);
});

it.each(['focus', 'pageshow'])(
  'tries at once when the page is used again (%s), but does not interrupt an attempt that has just begun',
  (event) => {
    window.dispatchEvent(new Event(event));
    expect(fakeSocketIo.connectCalls).toBe(1);
    vi.advanceTimersByTime(3000);
    window.dispatchEvent(new Event(event));
    window.dispatchEvent(new Event(event));
    expect(fakeSocketIo.connectCalls).toBe(2);
    fakeSocketIo.acceptConnection();
    vi.advanceTimersByTime(5000);
    window.dispatchEvent(new Event(event));
    expect(fakeSocketIo.connectCalls).toBe(2);
  },
);

it('reconnects after a silence longer than the server’s ping interval', () => {
  fakeSocketIo.acceptConnection();
  vi.advanceTimersByTime(10_000);
  fakeSocketIo.io.emit('ping');
  vi.advanceTimersByTime(10_000);
  expect(fakeSocketIo.connectCalls).toBe(1);
  vi.advanceTimersByTime(5000);
  expect(fakeSocketIo.connectCalls).toBe(2);
});

it('reconnects after a REST call failed, unless there was recent traffic', () => {
  fakeSocketIo.acceptConnection();
  connection.reconnectIfStale();
  expect(fakeSocketIo.connectCalls).toBe(1);
  vi.advanceTimersByTime(4000);
  connection.reconnectIfStale();
  expect(fakeSocketIo.connectCalls).toBe(2);
});

it('notices that the device slept', () => {
  fakeSocketIo.acceptConnection();
  vi.setSystemTime(Date.now() + 60_000);
  vi.advanceTimersByTime(1000);
  expect(fakeSocketIo.connectCalls).toBe(2);
});

it('does nothing once it is closed', () => {
  connection.close();
  const before = fakeSocketIo.connectCalls;
  for (const event of ['online', 'focus', 'pageshow']) window.dispatchEvent(new Event(event));
  vi.advanceTimersByTime(60_000);
  expect(fakeSocketIo.connectCalls).toBe(before);
});
