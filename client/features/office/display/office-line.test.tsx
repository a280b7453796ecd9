import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { closeSession } from '#client/lib/session/session.ts';
import type { RealtimeConnection } from '#client/realtime/socket.ts';
import { type FakeSocket, fakeSocket } from '#client/realtime/testing/fake-socket.ts';
import { failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { Office } from '#shared/api/office/office.ts';
import { OfficeLine } from './office-line.tsx';
import { useOffice } from './use-office.ts';

let sockets: FakeSocket[] = [];
vi.mock('#client/realtime/socket.ts', () => ({
  openRealtimeConnection: (): RealtimeConnection => {
    const socket = fakeSocket();
    sockets.push(socket);
    return socket.connection;
  },
}));

const URL = 'GET /api/office';
const open: Office = {
  open: true,
  until: '2026-06-12T08:00:00.000Z',
  opens_at: null,
  median_ms: 240_000,
  ahead: null,
  admin_online: true,
  few_waiting: true,
  user_years: [2025],
};
let server: ReturnType<typeof fakeServer>;

function CurrentLine() {
  return <OfficeLine {...useOffice()} />;
}

beforeEach(() => {
  sockets = [];
  server = fakeServer();
  server.on(URL, okAnswer(open));
  signIn();
  return () => closeSession();
});

const socket = (): FakeSocket => {
  const last = sockets.at(-1);
  if (!last) throw new Error('no socket was opened');
  return last;
};
const line = (): HTMLElement => screen.getByRole('status');

it('shows the hours and the usual wait, and is no message', async () => {
  renderPage(<CurrentLine />);
  expect(await screen.findByText('Kantor buka s.d. 15.00 · biasanya dibalas dalam 4 menit')).toBeTruthy();
  expect(screen.queryByRole('log')).toBeNull();
});

it('shows nothing before the answer, after a failed one, and while there is nothing to promise', async () => {
  server.on(URL, failAnswer(500, 'Terjadi kesalahan pada server'));
  const { queries } = renderPage(<CurrentLine />);
  await waitFor(() => expect(server.callsOf(URL)).toHaveLength(1));
  expect(line().textContent).toBe('');
  server.on(URL, okAnswer({ ...open, until: null, median_ms: null }));
  await act(() => queries.refetchQueries());
  expect(line().textContent).toBe('');
});

it('follows the events of the office and of the own place', async () => {
  renderPage(<CurrentLine />);
  await screen.findByText(/Kantor buka/);
  act(() => socket().connect());
  await waitFor(() => expect(server.callsOf(URL)).toHaveLength(2));
  act(() => socket().push('queue', { ahead: 2 }));
  expect(await screen.findByText('Antrean Anda: ke-3 · biasanya dibalas dalam 4 menit')).toBeTruthy();
  act(() => socket().push('queue', { ahead: 0 }));
  expect(await screen.findByText(/^Antrean Anda: ke-1/)).toBeTruthy();
  act(() => socket().push('queue', { ahead: null }));
  expect(await screen.findByText(/Kantor buka/)).toBeTruthy();
  act(() => socket().push('queue:length', { few_waiting: false }));
  expect(await screen.findByText('Kantor buka s.d. 15.00')).toBeTruthy();
  act(() => socket().push('presence', { admin_online: false }));
  await waitFor(() => expect(line().textContent).toBe(''));
  act(() => socket().push('presence', { admin_online: true }));
  act(() => socket().push('office', { open: false, until: null, opens_at: null, user_years: [2025] }));
  expect(await screen.findByText('Kantor tutup. Pesan Anda tetap tersimpan.')).toBeTruthy();
});

it('asks again after an event that arrived while an answer was under way', async () => {
  let answer: (value: ReturnType<typeof okAnswer>) => void = () => {};
  renderPage(<CurrentLine />);
  await screen.findByText(/Kantor buka/);
  server.on(URL, () => new Promise((resolve) => (answer = resolve)));
  act(() => socket().connect());
  await waitFor(() => expect(server.callsOf(URL)).toHaveLength(2));
  server.on(URL, okAnswer({ ...open, ahead: 1 }));
  act(() => socket().push('queue', { ahead: 1 }));
  // The older answer must not win.
  act(() => answer(okAnswer(open)));
  await waitFor(() => expect(server.callsOf(URL)).toHaveLength(3));
  expect(await screen.findByText(/^Antrean Anda: ke-2/)).toBeTruthy();
});

it('loads again after a reconnect, and polls every 30 seconds while there is no socket', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  renderPage(<CurrentLine />);
  await waitFor(() => expect(server.callsOf(URL)).toHaveLength(1));
  await act(() => vi.advanceTimersByTimeAsync(29_000));
  expect(server.callsOf(URL)).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(server.callsOf(URL)).toHaveLength(2);
  act(() => socket().connect());
  await waitFor(() => expect(server.callsOf(URL)).toHaveLength(3));
  await act(() => vi.advanceTimersByTimeAsync(120_000));
  expect(server.callsOf(URL)).toHaveLength(3);
  act(() => socket().drop());
  act(() => socket().connect());
  await waitFor(() => expect(server.callsOf(URL)).toHaveLength(4));
});

it('announces each change politely, but not every new place in the queue', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  renderPage(<CurrentLine />);
  await screen.findByText(/Kantor buka/);
  act(() => socket().connect());
  await waitFor(() => expect(server.callsOf(URL)).toHaveLength(2));
  const live = (): (string | null)[] => [line().getAttribute('aria-live'), line().textContent];
  act(() => socket().push('queue', { ahead: 5 }));
  await waitFor(() => expect(live()).toEqual(['polite', 'Antrean Anda: ke-6']));
  await act(() => vi.advanceTimersByTimeAsync(2000));
  act(() => socket().push('queue', { ahead: 4 }));
  await waitFor(() => expect(live()).toEqual(['off', 'Antrean Anda: ke-5']));
  // A screen reader announces every change but that of the place alone.
  act(() => socket().push('office', { open: false, until: null, opens_at: null, user_years: [2025] }));
  await waitFor(() =>
    expect(live()).toEqual(['polite', 'Antrean Anda: ke-5 · Kantor tutup. Pesan Anda tetap tersimpan.']),
  );
  act(() => socket().push('office', { open: true, until: null, opens_at: null, user_years: [2025] }));
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  act(() => socket().push('queue', { ahead: 3 }));
  await waitFor(() => expect(live()).toEqual(['polite', 'Antrean Anda: ke-4 · biasanya dibalas dalam 4 menit']));
});
