import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { ownPasswordTexts } from '#shared/api/users.ts';
import { factorTexts } from '#shared/texts.ts';
import { buildUser } from '../testing/build-user.ts';
import { FactorSection } from './factor-section.tsx';

const REMOVE = 'DELETE /api/admin/users/u1/second-factor';
const MAKE = 'POST /api/admin/users/u1/second-factor-code';

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn({ id: 'a1', name: 'Ratna Dewi', email: 'ratna@kantor.id', is_admin: true });
  server = fakeServer();
});

type Changes = { id?: string; is_admin?: boolean; has_second_factor: boolean };

function open({ has_second_factor, ...changes }: Changes) {
  const user = {
    ...buildUser({ id: 'u1', name: 'Siti Aminah', ...changes }),
    phone: null,
    phone_consent: false,
    phone_proves: false,
    has_password: true,
    must_change_password: false,
    has_second_factor,
    card: null,
  };
  return renderPage(<FactorSection user={user} />, { path: '/admin/users/u1' });
}
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }));
const sent = (call: string) => server.callsOf(call).map(({ body }) => body);

it('takes the second factor of a user away after a question that says what follows', async () => {
  server.on(REMOVE, okAnswer({}));
  const { user } = open({ has_second_factor: true });
  expect(screen.getByText('Terpasang.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Hapus kode kedua' }));
  const question = await dialog('Hapus kode kedua');
  expect(question.getByText(/sudah memeriksa KTP-nya/)).toBeTruthy();
  expect(question.getByText(/^Selama 24 jam, .* harus dibuat administrator lain, bukan Anda\.$/)).toBeTruthy();
  await user.click(question.getByRole('button', { name: 'Hapus kode kedua' }));
  await screen.findByText('Kode kedua Siti Aminah dihapus');
  expect(sent(REMOVE)).toEqual([{ checked: 'counter' }]);
});

it('asks for the own password when only the server knows that the account was an admin’s', async () => {
  server.on(REMOVE, failAnswer(422, ownPasswordTexts.missing, { current_password: [ownPasswordTexts.missing] }));
  const { user } = open({ has_second_factor: true });
  await user.click(screen.getByRole('button', { name: 'Hapus kode kedua' }));
  await user.click((await dialog('Hapus kode kedua')).getByRole('button', { name: 'Hapus kode kedua' }));
  const field = await screen.findByLabelText(/^Password Anda/, { selector: 'input' });
  server.on(REMOVE, okAnswer({}));
  fireEvent.change(field, { target: { value: 'rahasia' } });
  await user.click((await dialog('Hapus kode kedua')).getByRole('button', { name: 'Hapus kode kedua' }));
  await screen.findByText('Kode kedua Siti Aminah dihapus');
  expect(sent(REMOVE).at(-1)).toEqual({ checked: 'counter', current_password: 'rahasia' });
});

it('makes a set-up code for an admin with the own password, and shows it once with its end', async () => {
  server.on(MAKE, failAnswer(409, factorTexts.makerWithout));
  const { user } = open({ is_admin: true, has_second_factor: false });
  expect(screen.getByText('Belum terpasang.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Buat kode pemasangan' }));
  const box = await dialog('Kode pemasangan');
  const press = (name: string) => user.click(box.getByRole('button', { name }));
  await press('Buat kode');
  await box.findByText('Masukkan password Anda');
  expect(sent(MAKE)).toEqual([]);
  await user.type(box.getByLabelText(/^Password Anda/, { selector: 'input' }), 'rahasia');
  await press('Buat kode');
  await box.findByText('Pasang kode kedua Anda sendiri dulu');
  server.on(MAKE, okAnswer({ code: 'K7M29-QXAC3', expires_at: '2026-06-11T05:00:00.000Z' }));
  await press('Buat kode');
  const code = await box.findByText('K7M29-QXAC3');
  await waitFor(() => expect(document.activeElement).toBe(code));
  expect(box.getByText('Berlaku sampai 11 Juni 2026 pukul 12.00, untuk satu kali pemasangan.')).toBeTruthy();
  await press('Tutup');
  const question = await dialog('Tinggalkan kode ini?');
  await user.click(question.getByRole('button', { name: 'Tetap di sini' }));
  await press('Sudah saya sampaikan');
  await waitFor(() => expect(screen.queryByText('K7M29-QXAC3')).toBeNull());
});

it('leads from the own account to the own page', () => {
  open({ id: 'a1', is_admin: true, has_second_factor: true });
  expect(screen.getByText('Kode kedua Anda sendiri dimatikan di Akun Saya.')).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});

it('shows nothing for a user without a second factor', () => {
  open({ has_second_factor: false });
  expect(screen.queryByRole('heading', { name: 'Kode kedua' })).toBeNull();
});
