import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentType } from 'react';
import { Link, Outlet } from 'react-router-dom';
import { afterEach, beforeEach, expect, it, onTestFinished, vi, type MockInstance } from 'vitest';
import { setServerReachable } from '#client/lib/api/server-reachability.ts';
import { failAnswer, fakeServer, networkError, okAnswer } from '#client/testing/fake-server.ts';
import { renderRoutes } from '#client/testing/render.tsx';
import { browser, setPendingPath } from './chunk-load-error.ts';
import { lazyPage } from './lazy-page.tsx';
import { RouteError } from './route-error.tsx';

const HEALTH = 'GET /healthz';
const BUILD = 'GET /build.json';
const buildAnswer = (build: string) => ({ status: 200, body: { build } });
/** A page of a proxy or of a public Wi-Fi, which is no answer of the server. */
const foreignPage = { status: 200, body: '<html>Masuk ke Wi-Fi</html>' };
let server: ReturnType<typeof fakeServer>;
let reload: MockInstance<typeof browser.reload>;

beforeEach(() => {
  server = fakeServer();
  server.on(BUILD, buildAnswer('b1'));
  reload = vi.spyOn(browser, 'reload').mockImplementation(() => {});
});
afterEach(() => {
  setServerReachable(true);
});

/** A page whose code cannot be loaded `failures` times. */
function pageCode(failures: number) {
  let left = failures;
  return vi.fn(async (): Promise<{ ReportsPage: ComponentType }> => {
    left -= 1;
    if (left >= 0) throw new TypeError('Failed to fetch dynamically imported module: /assets/reports.js');
    return { ReportsPage: () => <h1>Laporan</h1> };
  });
}

async function openReports(load: ReturnType<typeof pageCode>) {
  const Layout = () => (
    <>
      <nav>
        <Link to="/reports">Ke laporan</Link>
        <Link to="/dashboard">Ke dashboard</Link>
      </nav>
      <Outlet />
    </>
  );
  const children = [
    { path: '/dashboard', element: <h1>Dashboard</h1> },
    { path: '/reports', lazy: lazyPage(load, 'ReportsPage') },
  ];
  const view = renderRoutes([{ Component: Layout, ErrorBoundary: RouteError, children }], '/dashboard');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('link', { name: 'Ke laporan' }));
  return { ...view, user };
}

it.each([
  ['nothing answers', networkError],
  ['something else answers in its place', foreignPage],
])('stays in the app with the menu when the code of a page cannot be loaded and %s', async (_name, answer) => {
  server.on(HEALTH, answer);
  const { router } = await openReports(pageCode(1));
  expect(await screen.findByRole('heading', { name: 'Halaman belum dapat dibuka' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Ke dashboard' })).toBeTruthy();
  expect(router.state.location.pathname).toBe('/reports');
  expect(reload).not.toHaveBeenCalled();
});

it('opens the page when the user tries again, and by itself when the server answers again', async () => {
  server.on(HEALTH, networkError);
  const load = pageCode(3);
  const { user } = await openReports(load);
  await user.click(await screen.findByRole('button', { name: 'Coba lagi' }));
  expect(load).toHaveBeenCalledTimes(2);
  expect(screen.getByRole('heading', { name: 'Halaman belum dapat dibuka' })).toBeTruthy();
  act(() => setServerReachable(false));
  server.on(HEALTH, okAnswer({}));
  act(() => setServerReachable(true));
  expect(await screen.findByRole('heading', { name: 'Laporan' })).toBeTruthy();
  expect(reload).not.toHaveBeenCalled();
});

it('opens the page by itself when the server came back during a try', async () => {
  onTestFinished(() => void vi.useRealTimers());
  server.on(HEALTH, networkError);
  act(() => setServerReachable(false));
  const { user } = await openReports(pageCode(2));
  const button = await screen.findByRole('button', { name: 'Coba lagi' });
  const { promise: lastProbe, reject: breakOff } = Promise.withResolvers<never>();
  server.on(HEALTH, () => lastProbe);
  await user.click(button);
  act(() => setServerReachable(true));
  server.on(HEALTH, okAnswer({}));
  vi.useFakeTimers();
  await act(async () => breakOff(new TypeError('Failed to fetch')));
  expect(screen.getByRole('heading', { name: 'Halaman belum dapat dibuka' })).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(3000));
  expect(screen.getByRole('heading', { name: 'Laporan' })).toBeTruthy();
});

it('opens the page at a later visit, too, after it could not be opened once', async () => {
  server.on(HEALTH, networkError);
  const { user } = await openReports(pageCode(1));
  await screen.findByRole('heading', { name: 'Halaman belum dapat dibuka' });
  await user.click(screen.getByRole('link', { name: 'Ke dashboard' }));
  await user.click(screen.getByRole('link', { name: 'Ke laporan' }));
  await user.click(await screen.findByRole('button', { name: 'Coba lagi' }));
  expect(await screen.findByRole('heading', { name: 'Laporan' })).toBeTruthy();
});

it('does not reload when only one request was lost and the server is there', async () => {
  server.on(HEALTH, okAnswer({}));
  await openReports(pageCode(1));
  expect(await screen.findByRole('heading', { name: 'Laporan' })).toBeTruthy();
  expect(reload).not.toHaveBeenCalled();
});

it('reloads the app once when the server is there but no longer has the code', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  server.on(HEALTH, failAnswer(503, 'Server sedang sibuk. Coba lagi.'));
  const first = await openReports(pageCode(Infinity));
  await expect.poll(() => reload).toHaveBeenCalledOnce();
  first.unmount();
  const { user } = await openReports(pageCode(Infinity));
  await user.click(await screen.findByRole('button', { name: 'Muat ulang' }));
  await expect.poll(() => reload).toHaveBeenCalledTimes(2);
  vi.mocked(console.error).mockClear();
});

it('reloads once more within a minute for each other build of the server, and never for one it had', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  server.on(HEALTH, okAnswer({}));
  for (const [build, reloads] of [
    ['b1', true],
    ['b2', true],
    ['b1', false],
    ['b2', false],
  ] as const) {
    reload.mockClear();
    server.on(BUILD, buildAnswer(build));
    const { unmount } = await openReports(pageCode(Infinity));
    if (reloads) await expect.poll(() => reload).toHaveBeenCalledOnce();
    else await screen.findByRole('heading', { name: 'Halaman ini gagal dimuat' });
    expect(reload).toHaveBeenCalledTimes(reloads ? 1 : 0);
    unmount();
  }
  vi.mocked(console.error).mockClear();
});

it('goes on by itself from a build that a service worker opened in between, and never in a circle', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  server.on(HEALTH, okAnswer({}));
  const { dataset } = document.documentElement;
  onTestFinished(() => void delete dataset['build']);
  // The server is at its third build; the worker first opens the second one, which has waited.
  server.on(BUILD, buildAnswer('b3'));
  for (const [own, reloads] of [
    ['b1', true],
    ['b2', true],
    ['b1', false],
    ['b2', false],
    ['b3', false],
  ] as const) {
    reload.mockClear();
    dataset['build'] = own;
    const { unmount } = await openReports(pageCode(Infinity));
    if (reloads) await expect.poll(() => reload).toHaveBeenCalledOnce();
    else await screen.findByRole('heading', { name: 'Halaman ini gagal dimuat' });
    expect(reload).toHaveBeenCalledTimes(reloads ? 1 : 0);
    unmount();
  }
  vi.mocked(console.error).mockClear();
});

it('does not reload a page to which the person has gone meanwhile', async () => {
  server.on(HEALTH, okAnswer({}));
  const { promise: answered, resolve: answer } = Promise.withResolvers<ReturnType<typeof buildAnswer>>();
  server.on(BUILD, () => answered);
  setPendingPath('/reports');
  const { user, router } = await openReports(pageCode(Infinity));
  await expect.poll(() => server.callsOf(BUILD)).toHaveLength(1);
  setPendingPath(null);
  await user.click(screen.getByRole('link', { name: 'Ke dashboard' }));
  await act(async () => {
    answer(buildAnswer('b1'));
    await answered;
  });
  await expect.poll(() => router.state.navigation.state).toBe('idle');
  expect(screen.getByRole('heading', { name: 'Dashboard' })).toBeTruthy();
  expect(reload).not.toHaveBeenCalled();
  expect(window.sessionStorage.getItem('pbb-reloaded-at')).toBeNull();
});

it('does not reload from the error page while the server is away', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  window.sessionStorage.setItem('pbb-reloaded-at', String(Date.now()));
  window.sessionStorage.setItem('pbb-reloaded-for', '>b1');
  server.on(HEALTH, okAnswer({}));
  const { user } = await openReports(pageCode(Infinity));
  const button = await screen.findByRole('button', { name: 'Muat ulang' });
  server.on(HEALTH, networkError);
  await user.click(button);
  expect((await screen.findByRole('alert')).textContent).toContain('Tidak ada sambungan ke server.');
  expect(reload).not.toHaveBeenCalled();
  vi.mocked(console.error).mockClear();
});
