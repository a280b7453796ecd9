import { buildChecked } from '#client/testing/build-sums.ts';
import { act, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { failAnswer, fakeServer, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import { renderRoutes, signIn } from '#client/testing/render.tsx';
import { closeSession, updateSessionUser } from '#client/lib/session/session.ts';
import { routes } from './router.tsx';

const admin = { id: 'a1', name: 'Budi', email: 'budi@contoh.id', is_admin: true };

async function open(at: string) {
  const view = renderRoutes(routes, at);
  const where = (path: string) => waitFor(() => expect(view.router.state.location.pathname).toBe(path));
  return { ...view, where };
}

it.each([
  ['/', '/login'],
  ['/dashboard', '/login'],
  ['/tax-records/1/edit', '/login'],
  ['/admin/dashboard', '/login'],
  ['/admin/tidak-ada', '/login'],
])('redirects from %s to %s without a session', async (at, target) => {
  fakeServer();
  const { where } = await open(at);
  await where(target);
  expect(await screen.findByRole('heading', { level: 1, name: 'Masuk' })).toBeTruthy();
});

it.each([
  ['warga@contoh.id', '/login'],
  ['w-48217735@tanpa-email.invalid', '/masuk'],
])('leads %s to %s after the session', async (email, target) => {
  fakeServer();
  signIn({ id: 'u1', name: 'Mbah Karto', email, is_admin: false });
  // Also before the page is there.
  const { where } = await open('/dashboard');
  act(closeSession);
  await where(target);
});

it.each(['/admin/dashboard', '/admin/users', '/login', '/register'])(
  'redirects a user from %s to the user dashboard',
  async (at) => {
    fakeServer();
    signIn();
    const { where } = await open(at);
    await where('/dashboard');
  },
);

it('redirects an admin from the login page to the admin dashboard with its statistics', async () => {
  const server = fakeServer();
  server.on('GET /api/auth/user', okAnswer(admin));
  const totals = { total_tax: 0, paid_tax: 0, unpaid_tax: 0, total_records: 0, checked: buildChecked(0, 0) };
  const period = { ...totals, previous: totals, previous_same_days: totals };
  server.on('GET /api/admin/users', okListAnswer([]));
  server.on('GET /api/admin/tax-records', okListAnswer([]));
  server.on(
    'GET /api/admin/statistics',
    okAnswer({
      ...totals,
      total_users: 64,
      active_users: 61,
      total_records: 412,
      periods: { today: period, week: period, month: period, year: period },
    }),
  );
  signIn(admin);
  const { where } = await open('/login');
  await where('/admin/dashboard');
  expect(await screen.findByText('412')).toBeTruthy();
  expect(screen.getByText('61 aktif')).toBeTruthy();
});

it.each(['/dashboard', '/admin/users', '/tax-records/1', '/login'])(
  'leads from %s to the new password while the account must choose one, and makes no call there',
  async (at) => {
    const server = fakeServer();
    signIn(admin);
    updateSessionUser({ ...admin, must_change_password: true });
    const { where } = await open(at);
    await where('/new-password');
    expect(await screen.findByRole('heading', { level: 1, name: 'Ganti password Anda dulu' })).toBeTruthy();
    expect(server.calls.filter(({ path }) => path !== '/api/office-identity')).toEqual([]);
  },
);

it.each(['/admin/dashboard', '/account', '/login'])(
  'leads from %s to the set-up of a second factor while the account must have one, and asks only for the own account there',
  async (at) => {
    const server = fakeServer();
    server.on('GET /api/auth/user', okAnswer({ ...admin, has_password: true }));
    signIn(admin);
    updateSessionUser({ ...admin, must_set_up_second_factor: true });
    const { where } = await open(at);
    await where('/second-factor');
    expect(await screen.findByLabelText('Kode pemasangan')).toBeTruthy();
    expect(new Set(server.calls.map(({ path }) => path))).toEqual(new Set(['/api/office-identity', '/api/auth/user']));
  },
);

it('shows the page for unknown addresses', async () => {
  fakeServer();
  await open('/tidak-ada');
  expect(await screen.findByRole('heading', { name: 'Halaman tidak ditemukan' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Ke halaman masuk' }).getAttribute('href')).toBe('/login');
});

it('goes to the login page and shows the reason when the server ends the session', async () => {
  const server = fakeServer();
  server.on('GET /api/auth/user', failAnswer(401, 'Sesi Anda telah berakhir. Silakan login kembali.'));
  signIn(admin);
  const { where } = await open('/admin/dashboard');
  await where('/login');
  expect(await screen.findByText('Sesi Anda telah berakhir. Silakan login kembali.')).toBeTruthy();
});
