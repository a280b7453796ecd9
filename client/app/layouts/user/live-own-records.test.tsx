import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { closeSession } from '#client/lib/session/session.ts';
import type { RealtimeConnection } from '#client/realtime/socket.ts';
import { fakeSocket, type FakeSocket } from '#client/realtime/testing/fake-socket.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { LiveOwnRecords } from './live-own-records.tsx';

let sockets: FakeSocket[] = [];
vi.mock('#client/realtime/socket.ts', () => ({
  openRealtimeConnection: (): RealtimeConnection => {
    const socket = fakeSocket();
    sockets.push(socket);
    return socket.connection;
  },
}));

beforeEach(() => {
  sockets = [];
  return () => closeSession();
});

it('invalidates the user’s records and shows a toast when an admin changes them, without the chat', async () => {
  signIn();
  const { queries } = renderPage(<LiveOwnRecords />);
  queries.setQueryData(['tax-records', 'list'], []);
  await waitFor(() => expect(sockets).toHaveLength(1));
  act(() => sockets[0]?.connect());
  const change = { id: '1', user_id: 'u1', change: 'updated' } as const;
  act(() => sockets[0]?.push('tax-record:changed', change));
  act(() => sockets[0]?.push('tax-record:changed', { ...change, id: '2' }));
  expect(await screen.findAllByText('Data PBB Anda baru saja diperbarui')).toHaveLength(1);
  expect(queries.getQueryState(['tax-records', 'list'])?.isInvalidated).toBe(true);
});

it('invalidates the user’s records after a reconnect, without a toast, and not at the first connection', async () => {
  signIn();
  const { queries } = renderPage(<LiveOwnRecords />);
  await waitFor(() => expect(sockets).toHaveLength(1));
  queries.setQueryData(['tax-records', 'list'], []);
  const isOutdated = () => queries.getQueryState(['tax-records', 'list'])?.isInvalidated;
  act(() => sockets[0]?.connect());
  await act(async () => {});
  expect(isOutdated()).toBe(false);
  act(() => sockets[0]?.drop());
  act(() => sockets[0]?.connect());
  await waitFor(() => expect(isOutdated()).toBe(true));
  expect(screen.queryByText('Data PBB Anda baru saja diperbarui')).toBeNull();
});

it('loads own requests again when the office has answered one, and after a reconnect', async () => {
  signIn();
  const { queries } = renderPage(<LiveOwnRecords />);
  const isOutdated = () => queries.getQueryState(['claims'])?.isInvalidated;
  await waitFor(() => expect(sockets).toHaveLength(1));
  act(() => sockets[0]?.connect());
  act(() => sockets[0]?.drop());
  for (const happens of [
    () => sockets[0]?.connect(),
    () => sockets[0]?.push('claim:changed', { id: 'c1', user_id: 'u1', state: 'approved' } as const),
  ]) {
    queries.setQueryData(['claims'], []);
    act(happens);
    await waitFor(() => expect(isOutdated()).toBe(true));
  }
});

it('opens no connection for an admin in the user area', async () => {
  vi.useFakeTimers();
  signIn({ is_admin: true });
  renderPage(<LiveOwnRecords />);
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(sockets).toEqual([]);
});
