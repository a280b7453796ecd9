import { act, render, screen } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { api } from '#client/lib/api/api.ts';
import { setServerReachable } from '#client/lib/api/server-reachability.ts';
import { socketConnectedAtom } from '#client/realtime/connection-state.ts';
import { fakeServer, networkError, okAnswer } from '#client/testing/fake-server.ts';
import { browser } from '../pages/chunk-load-error.ts';
import { Providers } from '../providers.tsx';
import { offerUpdate } from '../updates/update-offer.ts';
import { ConnectionBanner } from './connection-banner.tsx';

const HEALTH = 'GET /healthz';
const CALL = 'GET /api/auth/user';
let server: ReturnType<typeof fakeServer>;

const banner = () => screen.queryByText('Tidak ada sambungan. Mencoba lagi…');
const settle = (ms = 0) => act(() => vi.advanceTimersByTimeAsync(ms));
/** The code behind it is loaded in real time, however fast the clock of the test goes. */
const appears = (find: () => HTMLElement | null) =>
  expect
    .poll(async () => {
      await settle();
      return find();
    })
    .toBeTruthy();
const setSocketConnected = (isConnected: boolean) =>
  act(async () => getDefaultStore().set(socketConnectedAtom, isConnected));
const callServer = () => act(() => api.get('/auth/user').catch(() => {}));

beforeEach(() => {
  vi.useFakeTimers();
  server = fakeServer();
  server.on(HEALTH, okAnswer({}));
  render(
    <Providers>
      <ConnectionBanner />
    </Providers>,
  );
});
afterEach(() => {
  setServerReachable(true);
  getDefaultStore().set(socketConnectedAtom, false);
});

it('stands while the server is away, and goes by itself when it is back', async () => {
  expect(banner()).toBeNull();
  server.on(CALL, networkError);
  server.on(HEALTH, networkError);
  await callServer();
  await settle();
  expect(banner()).toBeTruthy();
  await settle(10_000);
  expect(banner()).toBeTruthy();
  server.on(HEALTH, okAnswer({}));
  await settle(3000);
  expect(banner()).toBeNull();
});

it('does not stand for one lost call while the server answers', async () => {
  server.on(CALL, networkError);
  await callServer();
  await settle();
  expect(server.callsOf(HEALTH)).toHaveLength(1);
  expect(banner()).toBeNull();
  await settle(60_000);
  expect(server.callsOf(HEALTH)).toHaveLength(1);
});

it('follows the socket, which notices first', async () => {
  await setSocketConnected(true);
  server.on(HEALTH, networkError);
  await setSocketConnected(false);
  await settle();
  expect(banner()).toBeTruthy();
  await setSocketConnected(true);
  expect(banner()).toBeNull();
});

it('asks at once when the browser goes offline and comes online', async () => {
  server.on(HEALTH, networkError);
  act(() => void window.dispatchEvent(new Event('offline')));
  await settle();
  expect(banner()).toBeTruthy();
  server.on(HEALTH, okAnswer({}));
  act(() => void window.dispatchEvent(new Event('online')));
  await settle();
  expect(banner()).toBeNull();
});

it('offers a new version until the user puts it off, and then only a newer one', async () => {
  const offer = () => screen.queryByText('Versi baru tersedia');
  act(() => offerUpdate('build-2'));
  await appears(offer);
  act(() => screen.getByRole('button', { name: 'Nanti' }).click());
  expect(offer()).toBeNull();
  act(() => offerUpdate('build-2'));
  await settle();
  expect(offer()).toBeNull();
  act(() => offerUpdate('build-3'));
  await appears(offer);
});

it('loads the new version also where the browser refuses service workers', async () => {
  const reload = vi.spyOn(browser, 'reload').mockReturnValue();
  const refusing = { getRegistration: () => Promise.reject(new DOMException('Refused', 'SecurityError')) };
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { serviceWorker: refusing }));
  act(() => offerUpdate('build-4'));
  const button = () => screen.queryByRole('button', { name: 'Muat versi baru' });
  await appears(button);
  act(() => button()?.click());
  await expect.poll(() => reload).toHaveBeenCalledOnce();
});
