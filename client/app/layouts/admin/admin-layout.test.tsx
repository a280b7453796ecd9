import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { fakeSocket } from '#client/realtime/testing/fake-socket.ts';
import type { RealtimeConnection } from '#client/realtime/socket.ts';
import { currentSession } from '#client/lib/session/session.ts';
import { fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderRoutes, signIn } from '#client/testing/render.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { AdminLayout } from './admin-layout.tsx';
import { adminMenuItems } from '../../admin-menu-items.ts';
import { RequireAdmin } from '../../guards.tsx';

const connection: { current: RealtimeConnection | null } = vi.hoisted(() => ({ current: null }));
vi.mock('#client/realtime/socket.ts', () => ({ openRealtimeConnection: () => connection.current }));

const admin = { id: 'a1', name: 'Ratna Dewi', email: 'ratna@kantor.id', is_admin: true };

const buildUnreadCounts = (total_unread: number) => ({
  status: 200,
  body: { success: true, message: 'Daftar', data: [], total: 60, total_unread },
});

function Page() {
  usePageTitle('Judul halaman');
  return <h1>Isi</h1>;
}

function renderAdminLayout(at = '/admin/dashboard', user = admin, serverUser = user) {
  const server = fakeServer();
  server.on('GET /api/auth/user', okAnswer(serverUser));
  server.on('POST /api/auth/logout', okAnswer({}));
  server.on('GET /api/messages/conversations', buildUnreadCounts(3));
  const socket = fakeSocket();
  connection.current = socket.connection;
  signIn(user);
  const view = renderRoutes(
    [
      {
        Component: RequireAdmin,
        children: [{ Component: AdminLayout, children: [{ path: '*', element: <Page /> }] }],
      },
      { path: '/login', element: <p>Halaman masuk</p> },
      { path: '/dashboard', element: <p>Area warga</p> },
    ],
    at,
  );
  return { ...view, server, socket };
}

const menu = () => within(screen.getByRole('navigation', { name: 'Menu utama' }));

it('shows the app name, the panel, the header text and the signed-in admin', () => {
  renderAdminLayout();
  expect(screen.getByText('PBB Kita')).toBeTruthy();
  expect(screen.getByText('Admin Panel')).toBeTruthy();
  expect(screen.getByRole('banner').textContent).toContain('Panel Admin / Sistem Manajemen Pajak');
  expect(screen.getByText('Ratna Dewi')).toBeTruthy();
  expect(screen.getByText('ratna@kantor.id')).toBeTruthy();
});

it('shows the title of the page on small screens, and keeps the name of the panel for screen readers', async () => {
  renderAdminLayout();
  const banner = screen.getByRole('banner');
  await waitFor(() =>
    expect(banner.querySelector('[aria-hidden][data-title]')).toHaveProperty('dataset.title', 'Judul halaman'),
  );
  expect(screen.getByRole('banner').textContent).toContain('Panel Admin / Sistem Manajemen Pajak');
});

it('lists the screens in the required order and links to the user area', () => {
  renderAdminLayout();
  const order = ['Dashboard', 'Kelola Users', 'Data Pajak', 'Laporan', 'Chat', 'Pengaturan'];
  const links = menu()
    .getAllByRole('link')
    .map((link) => [link.textContent?.replace(/\d.*/, ''), link.getAttribute('href')]);
  expect(links).toEqual(adminMenuItems.map(({ label, to }) => [label, to]));
  // Other screens may be between the required ones.
  const labels: string[] = adminMenuItems.map(({ label }) => label);
  expect(labels.filter((label) => order.includes(label))).toEqual(order.filter((label) => labels.includes(label)));
  expect(screen.getByRole('link', { name: 'Area pengguna' }).getAttribute('href')).toBe('/dashboard');
  const handbook = screen.getByRole('link', { name: 'Panduan (terbuka di tab baru)' });
  expect([handbook.getAttribute('href'), handbook.getAttribute('target')]).toEqual(['/panduan', '_blank']);
});

it.each([
  ['/admin/dashboard', 'Dashboard'],
  ['/admin/chat?user=u1', 'Chat'],
  ['/admin/settings', 'Pengaturan'],
])('at %s marks the menu item %s as current', (at, label) => {
  renderAdminLayout(at);
  const current = menu()
    .getAllByRole('link')
    .filter((link) => link.getAttribute('aria-current') === 'page');
  expect(current).toHaveLength(1);
  expect(current[0]?.textContent).toContain(label);
});

it('signs out and goes to the login page', async () => {
  const { server } = renderAdminLayout();
  await userEvent.click(screen.getByRole('button', { name: 'Keluar (Logout)' }));
  expect(await screen.findByText('Halaman masuk')).toBeTruthy();
  expect(currentSession()).toBeNull();
  expect(server.callsOf('POST /api/auth/logout')).toHaveLength(1);
});

it('opens the menu as a drawer with the signed-in admin, closes it on navigation, and skips to the content', async () => {
  const { router } = renderAdminLayout();
  await userEvent.click(screen.getByRole('button', { name: 'Buka menu' }));
  const drawer = within(await screen.findByRole('dialog'));
  expect(drawer.getByText('ratna@kantor.id')).toBeTruthy();
  await userEvent.click(drawer.getByRole('link', { name: 'Pengaturan' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(router.state.location.pathname).toBe('/admin/settings');
  await userEvent.click(screen.getByRole('link', { name: 'Lewati ke konten' }));
  expect(document.activeElement?.id).toBe('konten');
});

it('redirects a signed-in account that is no longer an admin to the user area', async () => {
  renderAdminLayout('/admin/settings', admin, { ...admin, is_admin: false });
  expect(await screen.findByText('Area warga')).toBeTruthy();
});

it('shows the number of unread messages in the menu on every page, and loads it again after a reconnect', async () => {
  const { server, socket } = renderAdminLayout('/admin/settings');
  const chat = () => menu().getByRole('link', { name: /^Chat/ });
  await waitFor(() => expect(chat().textContent).toBe('Chat33 pesan belum dibaca'));
  act(() => socket.connect());
  act(() => socket.push('unread', { user_id: 'u1', unread_count: 4, total_unread: 12 }));
  expect(chat().textContent).toBe('Chat9+12 pesan belum dibaca');
  const burger = screen.getByRole('button', { name: 'Buka menu' });
  expect(burger.getAttribute('aria-description')).toBe('12 pesan belum dibaca');
  expect(burger.hasAttribute('data-unread')).toBe(true);
  act(() => socket.drop());
  server.on('GET /api/messages/conversations', buildUnreadCounts(0));
  act(() => socket.connect());
  await waitFor(() => expect(chat().textContent).toBe('Chat'));
});

it('hides the header on a phone while a conversation is open', () => {
  const view = renderAdminLayout('/admin/chat?user=u1');
  expect(screen.queryByRole('banner')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Buka menu' })).toBeNull();
  view.unmount();
  renderAdminLayout('/admin/chat');
  expect(screen.getByRole('banner')).toBeTruthy();
});
