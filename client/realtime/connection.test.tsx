import { act, renderHook } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import { beforeEach, expect, it, vi } from 'vitest';
import { closeSession } from '#client/lib/session/session.ts';
import { signIn } from '#client/testing/render.tsx';
import { acquireConnection } from './connection.ts';
import { presenceAtom, socketConnectedAtom } from './connection-state.ts';
import type { RealtimeConnection } from './socket.ts';
import { fakeSocket, type FakeSocket } from './testing/fake-socket.ts';
import { useServerEvent } from './use-server-event.ts';

let sockets: FakeSocket[] = [];
vi.mock('./socket.ts', () => ({
  openRealtimeConnection: (): RealtimeConnection => {
    const socket = fakeSocket();
    sockets.push(socket);
    return socket.connection;
  },
}));
const store = getDefaultStore();

beforeEach(() => {
  sockets = [];
  vi.useFakeTimers();
  signIn();
  return () => closeSession();
});

it('opens one connection for all leases and closes it a second after the last one is released', () => {
  const [first, second] = [acquireConnection('test-token'), acquireConnection('test-token')];
  expect(sockets).toHaveLength(1);
  first.close();
  first.close();
  vi.advanceTimersByTime(5000);
  expect(sockets[0]?.counts.closed).toBe(false);
  second.close();
  vi.advanceTimersByTime(900);
  expect(sockets[0]?.counts.closed).toBe(false);
  vi.advanceTimersByTime(200);
  expect(sockets[0]?.counts.closed).toBe(true);
  expect(sockets[0]?.listenerCount()).toBe(0);
});

it('keeps the connection when it is acquired again within a second', () => {
  acquireConnection('test-token').close();
  vi.advanceTimersByTime(500);
  acquireConnection('test-token');
  vi.advanceTimersByTime(5000);
  expect(sockets).toHaveLength(1);
  expect(sockets[0]?.counts.closed).toBe(false);
});

it('closes the connection at once when the session ends, and opens another one for the next session', () => {
  const lease = acquireConnection('test-token');
  sockets[0]?.connect();
  closeSession();
  expect(sockets[0]?.counts.closed).toBe(true);
  expect(store.get(socketConnectedAtom)).toBe(false);
  signIn({ id: 'u2' });
  acquireConnection('test-token');
  lease.close();
  vi.advanceTimersByTime(5000);
  expect(sockets).toHaveLength(2);
  expect(sockets[1]?.counts.closed).toBe(false);
});

it('knows who is online from the first event of the connection, and nothing without a connection', () => {
  acquireConnection('test-token');
  sockets[0]?.connect();
  sockets[0]?.push('presence', { online_user_ids: ['u1', 'u2'] });
  sockets[0]?.push('presence', { user_id: 'u2', online: false });
  expect([store.get(socketConnectedAtom), ...store.get(presenceAtom).onlineUserIds]).toEqual([true, 'u1']);
  sockets[0]?.drop();
  expect([store.get(socketConnectedAtom), ...store.get(presenceAtom).onlineUserIds]).toEqual([false]);
});

it('passes an event to a mounted component without the chat, and nothing after it was unmounted', () => {
  const onChange = vi.fn();
  const { unmount } = renderHook(() => useServerEvent('tax-record:changed', onChange));
  const change = { id: '1', user_id: 'u1', change: 'updated' } as const;
  act(() => sockets[0]?.connect());
  act(() => sockets[0]?.push('tax-record:changed', change));
  unmount();
  sockets[0]?.push('tax-record:changed', change);
  expect(onChange.mock.calls).toEqual([[change]]);
});

it('opens no connection while no user is signed in', () => {
  closeSession();
  renderHook(() => useServerEvent('tax-record:changed', () => {}));
  expect(sockets).toEqual([]);
});
