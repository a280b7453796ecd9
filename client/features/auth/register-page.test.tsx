import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { failAnswer, fakeServer, networkError, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage } from '#client/testing/render.tsx';
import { presentTexts } from '#shared/legal-versions.ts';
import { RegisterPage } from './register-page.tsx';

const REGISTER = 'POST /api/auth/register';
const typed = {
  name: 'Siti Aminah',
  email: 'siti@contoh.id',
  password: 'rahasia123',
  password_confirmation: 'rahasia123',
};
const labels = {
  name: 'Nama Lengkap (Full name)',
  email: 'Email',
  password: 'Password',
  password_confirmation: 'Konfirmasi Password (Password confirmation)',
} as const;
const fields = ['name', 'email', 'password', 'password_confirmation'] as const;

async function submitRegistration(values: Partial<typeof typed> = {}) {
  const all = { ...typed, ...values };
  for (const field of fields) fireEvent.change(screen.getByLabelText(labels[field]), { target: { value: all[field] } });
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Daftar (Register)' }));
  });
}

const open = () => renderPage(<RegisterPage />, { path: '/register' });

it('shows the required text for each missing field, and sends nothing', async () => {
  const server = fakeServer();
  open();
  await submitRegistration({ name: '', email: '', password: '', password_confirmation: '' });
  for (const text of [
    'Nama wajib diisi',
    'Email wajib diisi',
    'Password wajib diisi',
    'Konfirmasi password wajib diisi',
  ]) {
    expect(screen.getByText(text)).toBeTruthy();
  }
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(labels.name)));
  await submitRegistration({ email: 'siti@', password: 'pendek', password_confirmation: 'lain' });
  for (const text of ['Email harus valid', 'Password minimal 8 karakter', 'Password harus sama']) {
    expect(screen.getByText(text)).toBeTruthy();
  }
  expect(server.calls).toEqual([]);
});

it('registers, shows the success for two seconds and goes to the dashboard', async () => {
  vi.useFakeTimers();
  const server = fakeServer();
  server.on(
    REGISTER,
    okAnswer({ token: 'abc', user: { id: 'u1', name: typed.name, email: typed.email, is_admin: false } }),
  );
  open();
  await submitRegistration();
  expect(server.callsOf(REGISTER)[0]?.body).toEqual({ ...typed, consents: presentTexts });
  expect(screen.getByRole('alertdialog', { name: 'Registrasi Berhasil!' })).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(1999));
  expect(screen.queryByTestId('elsewhere')).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(screen.getByTestId('elsewhere').textContent).toBe('/dashboard');
});

it('shows a used e-mail address, marks its field and keeps the input', async () => {
  fakeServer().on(REGISTER, failAnswer(422, 'Email sudah terdaftar', { email: ['Email sudah terdaftar'] }));
  open();
  await submitRegistration();
  expect(screen.getByRole('alert').textContent).toBe('Email sudah terdaftar');
  const email = screen.getByLabelText<HTMLInputElement>('Email');
  expect(email.getAttribute('aria-invalid')).toBe('true');
  await waitFor(() => expect(document.activeElement).toBe(email));
  for (const field of fields) expect(screen.getByLabelText<HTMLInputElement>(labels[field]).value).toBe(typed[field]);
});

it.each([
  ['a rejection without a message', () => failAnswer(400), 'Registrasi gagal'],
  ['no connection', networkError, 'Terjadi kesalahan saat registrasi'],
])('shows its own text after %s', async (_name, answer, text) => {
  fakeServer().on(REGISTER, answer);
  open();
  await submitRegistration();
  expect(screen.getByText(text)).toBeTruthy();
});

it('opens the terms and the privacy policy without leaving the page', async () => {
  fakeServer();
  const { user, router } = open();
  const link = screen.getByRole('button', { name: 'Syarat & Ketentuan (Terms)' });
  await user.click(link);
  expect(screen.getByRole('dialog', { name: 'Syarat & Ketentuan' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Mengerti' }));
  await waitFor(() => expect(document.activeElement).toBe(link));
  await user.click(screen.getByRole('button', { name: 'Kebijakan Privasi (Privacy)' }));
  expect(screen.getByRole('dialog', { name: 'Kebijakan Privasi' })).toBeTruthy();
  expect(router.state.location.pathname).toBe('/register');
});

it('says what an e-mail address looks like, and what to do without one', () => {
  open();
  const field = screen.getByLabelText('Email');
  const description = document.getElementById(field.getAttribute('aria-describedby') ?? '');
  expect(description?.textContent).toBe('Alamat email, contoh sri@gmail.com. Belum punya? Minta dibuatkan di kantor.');
});
