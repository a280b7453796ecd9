import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { currentSession, openSession } from '#client/lib/session.ts';
import { type Link, openLink } from './socket.ts';

type Listener = (payload?: unknown) => void;

/** Socket.IO's client, as far as a link touches it. */
class FakeIo {
  connected = false;
  active = true;
  connects = 0;
  disconnects = 0;
  io = Object.assign(new Emitter(), { opts: { transports: ['websocket', 'polling'] } });
  private listeners = new Emitter();
  on = (event: string, listener: Listener) => this.listeners.on(event, listener);
  onAny = (listener: Listener) => this.listeners.on('*', listener);
  offAny = (listener: Listener) => this.listeners.off('*', listener);
  tell(event: string, payload?: unknown): void {
    this.listeners.tell('*');
    this.listeners.tell(event, payload);
  }
  connect(): this {
    this.connects += 1;
    return this;
  }
  disconnect(): this {
    this.disconnects += 1;
    this.connected = false;
    return this;
  }
  open(): void {
    this.connected = true;
    this.listeners.tell('connect');
  }
}

class Emitter {
  private listeners = new Map<string, Set<Listener>>();
  on(event: string, listener: Listener): void {
    this.listeners.set(event, (this.listeners.get(event) ?? new Set()).add(listener));
  }
  off(event: string, listener: Listener): void {
    this.listeners.get(event)?.delete(listener);
  }
  tell(event: string, payload?: unknown): void {
    for (const listener of this.listeners.get(event) ?? []) listener(payload);
  }
}

let fake: FakeIo;
let options: { auth?: unknown; reconnectionDelayMax?: number };
vi.mock('socket.io-client', () => ({
  io: (_namespace: string, given: typeof options) => {
    fake = new FakeIo();
    options = given;
    return fake;
  },
}));

let link: Link;

beforeEach(() => {
  vi.useFakeTimers();
  openSession('token-1', { id: 'u1', name: 'Siti', email: 'siti@contoh.id', is_admin: false });
  link = openLink('token-1');
});
afterEach(() => link.close());

it('connects with the session’s token and comes back within seconds', () => {
  expect(options.auth).toEqual({ token: 'token-1' });
  expect(options.reconnectionDelayMax).toBeLessThanOrEqual(5000);
  expect(fake.connects).toBe(1);
});

it.each([
  ['connect_error', new Error('unauthorized')],
  ['session:ended', { message: 'Sesi Anda telah berakhir. Silakan login kembali.' }],
])('ends the session on %s', (event, payload) => {
  fake.tell(event, payload);
  expect(currentSession()).toBeNull();
});

it('does not end a session that has since been replaced by another', () => {
  openSession('token-2', { id: 'u2', name: 'Budi', email: 'budi@contoh.id', is_admin: false });
  fake.tell('session:ended', { message: '' });
  expect(currentSession()?.token).toBe('token-2');
});

it('keeps trying when it is refused for another reason, which Socket.IO alone would not', () => {
  fake.active = false;
  fake.tell('connect_error', new Error('busy'));
  vi.advanceTimersByTime(5000);
  expect(fake.connects).toBe(2);
  expect(currentSession()).not.toBeNull();
});

it('comes back after the server has closed the door, at a moment of its own', () => {
  fake.open();
  fake.connected = false;
  fake.tell('disconnect', 'io server disconnect');
  expect(fake.connects).toBe(1);
  vi.advanceTimersByTime(1000);
  expect(fake.connects).toBe(2);
});

it('begins with plain requests after a failure, and with a WebSocket after the next', () => {
  fake.io.tell('error');
  expect(fake.io.opts.transports).toEqual(['polling', 'websocket']);
  fake.io.tell('error');
  expect(fake.io.opts.transports).toEqual(['websocket', 'polling']);
});

it.each(['online', 'offline'])('takes the line for dead as soon as the network changes (%s)', (event) => {
  fake.open();
  window.dispatchEvent(new Event(event));
  expect(fake.disconnects).toBe(2);
  expect(fake.connects).toBe(2);
});

it.each(['focus', 'pageshow'])(
  'tries at once when somebody looks again (%s), but does not cut a fresh try short',
  (event) => {
    window.dispatchEvent(new Event(event));
    expect(fake.connects).toBe(1);
    vi.advanceTimersByTime(3000);
    window.dispatchEvent(new Event(event));
    window.dispatchEvent(new Event(event));
    expect(fake.connects).toBe(2);
    fake.open();
    vi.advanceTimersByTime(5000);
    window.dispatchEvent(new Event(event));
    expect(fake.connects).toBe(2);
  },
);

it('gives up a line that has been silent for longer than the server ever is', () => {
  fake.open();
  vi.advanceTimersByTime(10_000);
  fake.io.tell('ping');
  vi.advanceTimersByTime(10_000);
  expect(fake.connects).toBe(1);
  vi.advanceTimersByTime(5000);
  expect(fake.connects).toBe(2);
});

it('mistrusts the line when a call found no way through, unless it has just heard something', () => {
  fake.open();
  link.suspect();
  expect(fake.connects).toBe(1);
  vi.advanceTimersByTime(4000);
  link.suspect();
  expect(fake.connects).toBe(2);
});

it('notices that the device slept', () => {
  fake.open();
  vi.setSystemTime(Date.now() + 60_000);
  vi.advanceTimersByTime(1000);
  expect(fake.connects).toBe(2);
});

it('is quiet once it is closed', () => {
  link.close();
  const before = fake.connects;
  for (const event of ['online', 'focus', 'pageshow']) window.dispatchEvent(new Event(event));
  vi.advanceTimersByTime(60_000);
  expect(fake.connects).toBe(before);
});
