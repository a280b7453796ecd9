import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { errorTexts } from '#shared/texts.ts';
import { UserCreatePage } from './create-page.tsx';
import { buildUser } from '../testing/build-user.ts';

const CREATE = 'POST /api/admin/users';

let server: ReturnType<typeof fakeServer>;

beforeEach(() => {
  signIn({ is_admin: true });
  server = fakeServer();
});

const open = () => renderPage(<UserCreatePage />, { path: '/admin/users/create' });
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${name}`));
const save = () => screen.getByRole('button', { name: 'Simpan (Save)' });

async function fillIn(user: ReturnType<typeof userEvent.setup>, password = 'rahasia') {
  await user.type(field('Nama'), 'Siti Aminah');
  await user.type(field('Email'), 'siti@contoh.id');
  await user.type(field('Password'), password);
}

it('creates an active user, shows the success and goes to the list after 1.2 seconds', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  server.on(CREATE, okAnswer(buildUser()));
  open();
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  await fillIn(user);
  await user.click(save());
  await screen.findByText('User berhasil dibuat');
  expect(server.callsOf(CREATE).map(({ body }) => body)).toEqual([
    { name: 'Siti Aminah', email: 'siti@contoh.id', password: 'rahasia', is_admin: false, is_active: true },
  ]);
  expect(screen.queryByTestId('elsewhere')).toBeNull();
  act(() => void vi.advanceTimersByTime(1200));
  expect((await screen.findByTestId('elsewhere')).textContent).toBe('/admin/users');
  expect(server.callsOf(CREATE)).toHaveLength(1);
});

it('asks by name and e-mail, with the own password, before it makes an administrator', async () => {
  server.on(CREATE, failAnswer(422, 'Password salah', { current_password: ['Password salah'] }));
  const { user } = open();
  await fillIn(user);
  await user.click(screen.getByRole('checkbox', { name: 'Hak Akses Admin' }));
  expect(screen.queryByLabelText(/^Password Anda/)).toBeNull();
  const ask = async () => {
    await user.click(save());
    return within(await screen.findByRole('dialog', { name: 'Administrator baru' }));
  };
  const question = await ask();
  expect(
    question.getByText(
      'Jadikan Siti Aminah (siti@contoh.id) administrator? Ia dapat melihat dan mengubah semua data warga.',
    ),
  ).toBeTruthy();
  await user.click(question.getByRole('button', { name: 'Batal' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.calls).toHaveLength(0);
  expect([field('Nama').value, field('Password').value]).toEqual(['Siti Aminah', 'rahasia']);

  const again = await ask();
  await user.click(again.getByRole('button', { name: 'Jadikan administrator' }));
  await again.findByText('Masukkan password Anda');
  expect(server.calls).toHaveLength(0);
  await user.type(again.getByLabelText(/^Password Anda/), 'salah{Enter}');
  await waitFor(() => expect(field('Password Anda').getAttribute('aria-invalid')).toBe('true'));
  server.on(CREATE, okAnswer(buildUser()));
  await user.clear(field('Password Anda'));
  await user.type(field('Password Anda'), 'rahasia-saya{Enter}');
  await screen.findByText('User berhasil dibuat. Siti Aminah (siti@contoh.id) sekarang administrator.');
  const user1 = { name: 'Siti Aminah', email: 'siti@contoh.id', password: 'rahasia', is_admin: true, is_active: true };
  expect(server.callsOf(CREATE).map(({ body }) => body)).toEqual([
    { ...user1, current_password: 'salah' },
    { ...user1, current_password: 'rahasia-saya' },
  ]);
});

it('shows an address that is taken at its field, also when it was to become an administrator', async () => {
  server.on(CREATE, failAnswer(422, errorTexts.emailTaken, { email: [errorTexts.emailTaken] }));
  const { user } = open();
  await fillIn(user);
  await user.click(screen.getByRole('checkbox', { name: 'Hak Akses Admin' }));
  await user.click(save());
  await user.type(await screen.findByLabelText(/^Password Anda/), 'rahasia-saya{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(field('Email').getAttribute('aria-invalid')).toBe('true');
  expect(screen.getAllByText('Email sudah terdaftar').length).toBeGreaterThan(0);
});

it('shows the text for missing fields once, marks the fields and sends nothing', async () => {
  const { user } = open();
  await user.click(save());
  expect(await screen.findAllByText('Nama, email, dan password wajib diisi')).toHaveLength(1);
  for (const text of ['Nama wajib diisi', 'Email wajib diisi', 'Password wajib diisi']) {
    expect(screen.getByText(text)).toBeTruthy();
  }
  await waitFor(() => expect(document.activeElement).toBe(field('Nama')));
  expect(server.calls).toHaveLength(0);
});

it('rejects a password below six characters', async () => {
  const { user } = open();
  await fillIn(user, '12345');
  await user.click(save());
  await screen.findByText('Password minimal 6 karakter');
  await waitFor(() => expect(document.activeElement).toBe(field('Password')));
  expect(server.calls).toHaveLength(0);
});

it('keeps the input when the e-mail address is used', async () => {
  server.on(CREATE, failAnswer(422, errorTexts.emailTaken, { email: [errorTexts.emailTaken] }));
  const { user } = open();
  await fillIn(user);
  await user.click(save());
  await waitFor(() => expect(document.activeElement).toBe(field('Email')));
  expect(field('Password').value).toBe('rahasia');
  expect(field('Email').getAttribute('aria-invalid')).toBe('true');
});

it('shows its own text when the server sends no message', async () => {
  server.on(CREATE, failAnswer(500));
  const { user } = open();
  await fillIn(user);
  await user.click(save());
  await screen.findByText('Gagal membuat user');
});

it('asks before unsaved input is lost', async () => {
  const { user } = open();
  await user.type(field('Nama'), 'S');
  await user.click(screen.getByRole('link', { name: 'Batal (Cancel)' }));
  await screen.findByRole('dialog', { name: 'Perubahan belum disimpan' });
  await user.click(screen.getByRole('button', { name: 'Tinggalkan halaman' }));
  await screen.findByTestId('elsewhere');
});
