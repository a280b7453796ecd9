import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { currentSession } from '#client/lib/session/session.ts';
import { fakeServer, networkError, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import { ownRecordListQuery, recordQuery } from '#client/features/tax-records/api.ts';
import { buildRecord } from '#client/testing/build-record.ts';
import { renderRoutes, signIn } from '#client/testing/render.tsx';
import { screenWidth } from '#client/testing/screen-width.ts';
import { RequireSession } from '../../guards.tsx';
import { prefetchPageData } from './prefetch-page-data.ts';
import { UserLayout } from './user-layout.tsx';

const user = { id: 'u1', name: 'Siti Aminah', email: 'siti@contoh.id', is_admin: false };

function renderUserLayout(at = '/dashboard', sessionUser = user, serverUser = sessionUser) {
  const server = fakeServer();
  server.on('GET /api/auth/user', okAnswer(serverUser));
  server.on('POST /api/auth/logout', okAnswer({}));
  signIn(sessionUser);
  const view = renderRoutes(
    [
      {
        Component: RequireSession,
        children: [{ Component: UserLayout, children: [{ path: '*', element: <h1>Isi</h1> }] }],
      },
      { path: '/login', element: <p>Halaman masuk</p> },
    ],
    at,
  );
  return { ...view, server };
}

/** The menu beside the page of a wide screen. */
const findMenu = async () => within(await screen.findByRole('navigation', { name: 'Menu utama' }));

beforeEach(() => {
  screenWidth.wide = true;
});

it('shows the menu, the role and the signed-in user', async () => {
  renderUserLayout();
  const menu = await findMenu();
  expect(screen.getByText('User Panel')).toBeTruthy();
  expect(screen.getByText('User')).toBeTruthy();
  expect(screen.getByText('Siti Aminah')).toBeTruthy();
  const links = menu.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links).toEqual([
    ['Dashboard', '/dashboard'],
    ['Data Pajak', '/tax-records'],
    ['Tambah Pajak', '/tax-records/create'],
    ['Laporan', '/reports'],
  ]);
});

it.each([
  ['/tax-records', 'Data Pajak'],
  ['/tax-records/1/edit', 'Data Pajak'],
  ['/tax-records/create', 'Tambah Pajak'],
  ['/reports', 'Laporan'],
])('at %s marks the menu item %s as current', async (at, label) => {
  renderUserLayout(at);
  const current = (await findMenu())
    .getAllByRole('link')
    .filter((link) => link.getAttribute('aria-current') === 'page');
  expect(current.map((link) => link.textContent)).toEqual([label]);
});

it('shows admins a link to the admin area', async () => {
  renderUserLayout('/dashboard', { ...user, is_admin: true });
  const menu = await findMenu();
  expect(screen.getByText('Administrator')).toBeTruthy();
  expect(menu.getByRole('link', { name: 'Area administrator' }).getAttribute('href')).toBe('/admin/dashboard');
});

it('shows and stores a newer name from the server', async () => {
  renderUserLayout('/dashboard', user, { ...user, name: 'Siti A. Rahman' });
  expect(await screen.findByText('Siti A. Rahman')).toBeTruthy();
  expect(window.localStorage.getItem('user')).toContain('Siti A. Rahman');
});

it.each([
  ['when the server answers', okAnswer({})],
  ['without a connection, too', networkError],
])('signs out %s', async (_name, answer) => {
  const { server } = renderUserLayout();
  server.on('POST /api/auth/logout', answer);
  await userEvent.click(await screen.findByRole('button', { name: 'Keluar (Logout)' }));
  expect(await screen.findByText('Halaman masuk')).toBeTruthy();
  expect(currentSession()).toBeNull();
  expect(server.callsOf('POST /api/auth/logout')[0]?.headers['authorization']).toBe('Bearer test-token');
});

it('opens the menu as a drawer, closes it on navigation, and skips to the content', async () => {
  screenWidth.wide = false;
  renderUserLayout();
  expect(screen.queryByRole('navigation', { name: 'Menu utama' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Buka menu' }));
  const drawer = within(await screen.findByRole('dialog'));
  await userEvent.click(drawer.getByRole('link', { name: 'Laporan' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await userEvent.click(screen.getByRole('link', { name: 'Lewati ke konten' }));
  expect(document.activeElement?.id).toBe('konten');
});

it.each([
  ['beside the page on a wide screen', true, 'side'],
  ['below the page on a narrower screen', false, 'bottom'],
] as const)('makes room for a docked chat: %s', async (_place, isWide, dock) => {
  screenWidth.wide = isWide;
  renderUserLayout();
  const main = screen.getByRole('main');
  expect(main.dataset['dock']).toBeUndefined();
  await userEvent.click(await screen.findByRole('button', { name: 'Buka Live Chat' }));
  await screen.findByRole('dialog', { name: 'Live Chat' });
  expect(main.dataset['dock']).toBe(dock);
  expect(document.documentElement.dataset['dock']).toBe(dock);
  await userEvent.click(screen.getByRole('button', { name: 'Tutup Live Chat' }));
  expect(main.dataset['dock']).toBeUndefined();
  expect(document.documentElement.dataset['dock']).toBeUndefined();
  expect(await screen.findByRole('button', { name: 'Buka Live Chat' })).toBe(document.activeElement);
});

it('asks for the data of a page when its link is pressed, before the page is there', async () => {
  const { server } = renderUserLayout();
  server.on('GET /api/tax-records', okListAnswer([]));
  fireEvent.pointerDown((await findMenu()).getByRole('link', { name: 'Data Pajak' }));
  await waitFor(() => expect(server.callsOf('GET /api/tax-records')).toHaveLength(1));
  fireEvent.pointerDown((await findMenu()).getByRole('link', { name: 'Data Pajak' }));
  expect(server.callsOf('GET /api/tax-records')).toHaveLength(1);
});

it('asks only for the overdue records when a link to them is pressed', async () => {
  const { queries, server } = renderUserLayout();
  server.on('GET /api/tax-records/outstanding', okListAnswer([]));
  prefetchPageData(queries, '/tax-records', '?tampilan=tunggakan');
  await waitFor(() => expect(server.callsOf('GET /api/tax-records/outstanding')).toHaveLength(1));
  expect(server.callsOf('GET /api/tax-records')).toEqual([]);
});

it('asks for the data of the other pages of the menu while the menu of a phone opens', async () => {
  screenWidth.wide = false;
  window.history.replaceState(null, '', '/dashboard');
  onTestFinished(() => window.history.replaceState(null, '', '/'));
  const { server } = renderUserLayout();
  server.on('GET /api/tax-records', okListAnswer([]));
  server.on(
    'GET /api/reports/summary',
    okAnswer({ totalTax: 0, paidTax: 0, unpaidTax: 0, totalRecords: 0, paidInPeriod: { count: 0, amount: 0 } }),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Buka menu' }));
  await waitFor(() => expect(server.callsOf('GET /api/tax-records')).toHaveLength(1));
  expect(server.callsOf('GET /api/reports/summary')).toHaveLength(1);
  expect(server.callsOf('GET /api/tax-records/statistics')).toEqual([]);
});

it('shows a record that a list has already shown at once when its link is pressed', async () => {
  const record = buildRecord();
  const { queries, server } = renderUserLayout('/tax-records');
  server.on('GET /api/tax-records', okListAnswer([record]));
  await queries.fetchQuery(ownRecordListQuery);
  prefetchPageData(queries, `/tax-records/${record.id}`);
  expect(queries.getQueryData(recordQuery('own', record.id).queryKey)).toEqual(record);
  expect(server.callsOf(`GET /api/tax-records/${record.id}`)).toEqual([]);
});
