import { act } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { closeSession } from '#client/lib/session/session.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { RealtimeConnection } from './socket.ts';
import { fakeSocket } from './testing/fake-socket.ts';
import { useServerEvent } from './use-server-event.ts';
import { useReloadOnRecordChange } from './use-reload-on-record-change.ts';

const socket = fakeSocket();
vi.mock('./socket.ts', () => ({ openRealtimeConnection: (): RealtimeConnection => socket.connection }));

function ReloadOnRecordChange() {
  useReloadOnRecordChange();
  return null;
}

function OtherListener() {
  useServerEvent('user:changed', ignore);
  return null;
}
const ignore = (): void => {};

beforeEach(() => {
  vi.useFakeTimers();
  return () => closeSession();
});

it('invalidates records, reports and audit once within 1.5 seconds of many changes, and no other query', async () => {
  signIn({ is_admin: true });
  const { queries } = renderPage(<ReloadOnRecordChange />);
  for (const name of ['tax-records', 'reports', 'audit', 'users']) queries.setQueryData([name, 'list'], []);
  const invalidate = vi.spyOn(queries, 'invalidateQueries');
  const isInvalidated = (name: string) => queries.getQueryState([name, 'list'])?.isInvalidated;
  socket.connect();
  for (const id of ['1', '2', '3']) {
    socket.push('tax-record:changed', { id, user_id: 'u1', change: 'updated' });
    act(() => void vi.advanceTimersByTime(400));
  }
  expect(invalidate).not.toHaveBeenCalled();
  await act(() => vi.advanceTimersByTimeAsync(400));
  expect(invalidate).toHaveBeenCalledTimes(3);
  expect(['tax-records', 'reports', 'audit', 'users'].map(isInvalidated)).toEqual([true, true, true, false]);
});

it.each(['before', 'after'])(
  'invalidates them after a reconnect, also where the page was connected %s they were shown',
  async (when) => {
    signIn({ is_admin: true });
    renderPage(<OtherListener />);
    if (when === 'before') act(() => socket.connect());
    const { queries } = renderPage(<ReloadOnRecordChange />);
    queries.setQueryData(['reports'], []);
    if (when === 'after') act(() => socket.connect());
    await act(() => vi.advanceTimersByTimeAsync(2000));
    const isInvalidated = () => queries.getQueryState(['reports'])?.isInvalidated;
    expect(isInvalidated()).toBe(false);
    act(() => socket.drop());
    act(() => socket.connect());
    await act(() => vi.advanceTimersByTimeAsync(2000));
    expect(isInvalidated()).toBe(true);
  },
);
