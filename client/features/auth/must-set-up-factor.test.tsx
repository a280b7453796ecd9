import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { currentSession, updateSessionUser } from '#client/lib/session/session.ts';
import { failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { factorTexts } from '#shared/texts.ts';
import { MustSetUpFactor } from './must-set-up-factor.tsx';

const START = 'POST /api/auth/second-factor';
const CONFIRM = 'POST /api/auth/second-factor/confirm';
const ratna = { id: 'a1', name: 'Ratna Dewi', email: 'ratna@kantor.id', is_admin: true };

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  server = fakeServer();
  server.on('GET /api/auth/user', okAnswer({ ...ratna, has_password: true }));
  server.on(START, okAnswer({ secret: 'JBSWY3DPEHPK3PXP', otpauth_url: 'otpauth://totp/x' }));
  server.on(CONFIRM, okAnswer({ recovery_codes: ['K7M29-QXAC3'] }));
});

const open = () => renderPage(<MustSetUpFactor signOutButton={<button>Keluar</button>} />, { path: '/second-factor' });
const paste = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label, { selector: 'input' }), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

async function openForced() {
  signIn(ratna);
  updateSessionUser({ ...ratna, must_set_up_second_factor: true });
  open();
  await screen.findByLabelText('Kode pemasangan');
}

it('opens all other pages after the set-up, when the spare codes are kept', async () => {
  await openForced();
  expect(screen.getByRole('heading', { level: 1, name: 'Pasang kode kedua dulu' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Keluar' })).toBeTruthy();
  paste('Kode pemasangan', 'k7m29 qxac3');
  paste('Password Anda', 'rahasia');
  press('Lanjut');
  await screen.findByLabelText('Kode 6 angka');
  expect(server.callsOf(START).map(({ body }) => body)).toEqual([
    { setup_code: 'k7m29 qxac3', current_password: 'rahasia' },
  ]);
  paste('Kode 6 angka', '123456');
  press('Pasang');
  await screen.findByText('K7M29-QXAC3', { selector: 'code' });
  expect(currentSession()?.user?.must_set_up_second_factor).toBe(true);
  press('Saya sudah menyimpannya');
  await waitFor(() => expect(screen.getByTestId('elsewhere').textContent).toBe('/admin/dashboard'));
  expect(currentSession()?.user).toEqual(ratna);
});

it('leads on when it is on already, because the answer to the set-up was lost', async () => {
  server.on(CONFIRM, failAnswer(409, 'Kode kedua sudah terpasang'));
  await openForced();
  paste('Kode pemasangan', 'k7m29 qxac3');
  paste('Password Anda', 'rahasia');
  press('Lanjut');
  await screen.findByLabelText('Kode 6 angka');
  server.on('GET /api/auth/user', okAnswer({ ...ratna, has_password: true, has_second_factor: true }));
  paste('Kode 6 angka', '123456');
  press('Pasang');
  await waitFor(() => expect(screen.getByTestId('elsewhere').textContent).toBe('/admin/dashboard'));
  expect(currentSession()?.user).toEqual(ratna);
});

it('sends no set-up code of another length, and shows a wrong one at its field', async () => {
  const { setupCodeRequired, setupCodeWrong } = factorTexts;
  server.on(START, failAnswer(422, setupCodeWrong, { setup_code: [setupCodeWrong] }));
  await openForced();
  paste('Password Anda', 'rahasia');
  press('Lanjut');
  await screen.findByText(setupCodeRequired);
  paste('Kode pemasangan', 'K7M29');
  press('Lanjut');
  await screen.findByText('Harus 10 huruf dan angka');
  expect(server.callsOf(START)).toEqual([]);
  paste('Kode pemasangan', 'K7M29-QXAC3');
  press('Lanjut');
  await screen.findByText(setupCodeWrong);
});

it.each([
  ['without a session to the login', false, '/login'],
  ['with a session that needs no set-up to its first page', true, '/admin/dashboard'],
])('leads %s', async (_name, isSignedIn, target) => {
  if (isSignedIn) signIn(ratna);
  open();
  expect((await screen.findByTestId('elsewhere')).textContent).toBe(target);
});
