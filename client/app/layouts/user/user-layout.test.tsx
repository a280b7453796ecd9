import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { currentSession } from '#client/lib/session.ts';
import { fakeServer, networkError, okAnswer } from '#client/testing/fake-server.ts';
import { renderRoutes, signIn } from '#client/testing/render.tsx';
import { screenWidth } from '#client/testing/screen-width.ts';
import { RequireSession } from '../../guards.tsx';
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

const menu = () => within(screen.getByRole('navigation', { name: 'Menu utama' }));

it('shows the menu, the role and the signed-in user', () => {
  renderUserLayout();
  expect(screen.getByText('User Panel')).toBeTruthy();
  expect(screen.getByText('User')).toBeTruthy();
  expect(screen.getByText('Siti Aminah')).toBeTruthy();
  const links = menu()
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);
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
])('at %s marks the menu item %s as current', (at, label) => {
  renderUserLayout(at);
  const current = menu()
    .getAllByRole('link')
    .filter((link) => link.getAttribute('aria-current') === 'page');
  expect(current.map((link) => link.textContent)).toEqual([label]);
});

it('shows admins a link to the admin area', () => {
  renderUserLayout('/dashboard', { ...user, is_admin: true });
  expect(screen.getByText('Administrator')).toBeTruthy();
  expect(menu().getByRole('link', { name: 'Area administrator' }).getAttribute('href')).toBe('/admin/dashboard');
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
  await userEvent.click(screen.getByRole('button', { name: 'Keluar (Logout)' }));
  expect(await screen.findByText('Halaman masuk')).toBeTruthy();
  expect(currentSession()).toBeNull();
  expect(server.callsOf('POST /api/auth/logout')[0]?.headers['authorization']).toBe('Bearer test-token');
});

it('opens the menu as a drawer, closes it on navigation, and skips to the content', async () => {
  renderUserLayout();
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
