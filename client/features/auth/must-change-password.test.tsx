import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { currentSession, updateSessionUser } from '#client/lib/session/session.ts';
import { failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { MustChangePassword } from './must-change-password.tsx';

const PASSWORD = 'PUT /api/auth/password';
const siti = { id: 'u1', name: 'Siti Aminah', email: 'siti@contoh.id', is_admin: false };

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  server = fakeServer();
  server.on(PASSWORD, okAnswer({ device_token: 'device-2' }));
});

const open = () =>
  renderPage(<MustChangePassword signOutButton={<button>Keluar</button>} />, { path: '/new-password' });
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const paste = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });

async function change(user: ReturnType<typeof open>['user'], old: string, next: string) {
  paste('Password lama (dari kantor)', old);
  paste('Password baru', next);
  paste('Konfirmasi password baru', next);
  await user.click(screen.getByRole('button', { name: 'Simpan password' }));
}

it('leads to the first page as soon as the password of the office is changed', async () => {
  signIn();
  updateSessionUser({ ...siti, must_change_password: true });
  const { user } = open();
  expect(screen.getByRole('heading', { level: 1, name: 'Ganti password Anda dulu' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Keluar' })).toBeTruthy();
  await change(user, '6jfr-3gra', 'rahasia-saya');
  await waitFor(() => expect(screen.getByTestId('elsewhere').textContent).toBe('/dashboard'));
  expect(server.callsOf(PASSWORD).map(({ body }) => body)).toEqual([
    { current_password: '6jfr-3gra', password: 'rahasia-saya', password_confirmation: 'rahasia-saya' },
  ]);
  expect(currentSession()?.user).toEqual(siti);
});

it('does not take the password that the office knows, and shows a wrong one at its field', async () => {
  server.on(PASSWORD, failAnswer(422, 'Password lama salah', { current_password: ['Password lama salah'] }));
  signIn();
  updateSessionUser({ ...siti, must_change_password: true });
  const { user } = open();
  await change(user, '6jfr-3gra', '6jfr-3gra');
  await screen.findByText('Pilih password lain dari yang diberi kantor');
  expect(server.calls).toEqual([]);
  await change(user, '6jfr-3gra', 'rahasia-lain');
  await screen.findByText('Password lama salah');
  expect(currentSession()?.user?.must_change_password).toBe(true);
});

it.each([
  ['without a session to the login', false, '/login'],
  ['with a session of an own password to its first page', true, '/dashboard'],
])('leads %s', async (_name, isSignedIn, target) => {
  if (isSignedIn) signIn();
  open();
  expect((await screen.findByTestId('elsewhere')).textContent).toBe(target);
});
