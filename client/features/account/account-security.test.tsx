import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { SecurityEntry } from '#shared/api/security-log.ts';
import type { AccountAnswer } from '#shared/api/users.ts';
import { EmailSection } from './components/email-form.tsx';
import { PasswordSection } from './components/password-form.tsx';
import { PhoneSection } from './components/phone-form.tsx';
import { SecurityLog } from './components/security-log.tsx';

const OWN = 'GET /api/auth/user';
const CHANGE = 'PUT /api/auth/user';
const LOG = 'GET /api/auth/security-log';

const KARTO = { email: 'w-48217735@tanpa-email.invalid', has_email: false, has_password: false };
const AT = '2026-02-03T04:05:06.000Z';
const siti: AccountAnswer = {
  id: 'u1',
  _id: 'u1',
  name: 'Siti Aminah',
  email: 'siti@contoh.id',
  role: 'user',
  is_admin: false,
  is_active: true,
  created_at: AT,
  createdAt: AT,
  updated_at: AT,
  updatedAt: AT,
  phone: null,
  phone_consent: false,
  has_email: true,
  has_password: true,
  must_change_password: false,
};

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn();
  server = fakeServer();
  server.on(OWN, okAnswer(siti));
});

describe('an account without an e-mail address', () => {
  const sent = () => server.callsOf(CHANGE).map(({ body }) => body);
  const paste = (label: string, value: string) =>
    fireEvent.change(screen.getByLabelText(new RegExp(`^${label}`), { selector: 'input' }), { target: { value } });

  it('adds one with the PIN of its card, and shows its number until then', async () => {
    server.on(OWN, okAnswer({ ...siti, ...KARTO }));
    server.on(CHANGE, okAnswer({ ...siti, has_password: false }));
    const { user } = renderPage(<EmailSection />, { path: '/account' });
    await screen.findByText(/^Tanpa email · no\. 4821-7735\./);
    expect(document.body.innerHTML).not.toContain('tanpa-email');
    paste('Email', 'siti@contoh.id');
    await user.click(screen.getByRole('button', { name: 'Tambah email (Save)' }));
    await screen.findByText('Masukkan PIN Anda');
    paste('PIN Anda', '402918');
    await user.click(screen.getByRole('button', { name: 'Tambah email (Save)' }));
    await screen.findByText('Email tersimpan. Pilih password agar dapat masuk dengannya.');
    expect(sent()).toEqual([{ email: 'siti@contoh.id', pin: '402918' }]);
    expect(screen.getByRole('button', { name: 'Ganti email (Save)' })).toBeTruthy();
  });

  it('offers no password before there is an address, and then takes one with the PIN', async () => {
    server.on(OWN, okAnswer({ ...siti, ...KARTO }));
    const { unmount } = renderPage(<PasswordSection />, { path: '/account' });
    await waitFor(() => expect(server.callsOf(OWN)).toHaveLength(1));
    expect(screen.queryByRole('form')).toBeNull();
    unmount();
    server.on(OWN, okAnswer({ ...siti, has_password: false }));
    server.on('PUT /api/auth/password', okAnswer({ device_token: 'd' }));
    const { user } = renderPage(<PasswordSection />, { path: '/account' });
    await screen.findByRole('form', { name: 'Password' });
    paste('PIN Anda', '402918');
    paste('Password baru', 'rahasia-saya');
    paste('Konfirmasi password baru', 'rahasia-saya');
    await user.click(screen.getByRole('button', { name: 'Ubah password (Change)' }));
    await screen.findByText('Password berhasil diubah');
    expect(server.callsOf('PUT /api/auth/password')[0]?.body).toEqual({
      pin: '402918',
      password: 'rahasia-saya',
      password_confirmation: 'rahasia-saya',
    });
  });
});

describe('PhoneSection', () => {
  const open = () => renderPage(<PhoneSection />, { path: '/account' });
  const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { selector: 'input' });
  const paste = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
  const sent = () => server.callsOf(CHANGE).map(({ body }) => body);

  it('stores a number with the own password, and shows it as people write it', async () => {
    const stored = { ...siti, phone: '+6281234567890', phone_consent: true };
    server.on(CHANGE, okAnswer(stored));
    const { user } = open();
    await screen.findByRole('form', { name: 'Nomor HP' });
    expect(screen.queryByLabelText('Password Anda')).toBeNull();
    paste('Nomor HP', '62 812 34567890');
    await user.click(screen.getByRole('switch'));
    await user.click(screen.getByRole('button', { name: 'Simpan nomor (Save)' }));
    await screen.findByText('Masukkan password Anda');
    expect(sent()).toEqual([]);
    paste('Password Anda', 'rahasia');
    await user.click(screen.getByRole('button', { name: 'Simpan nomor (Save)' }));
    await screen.findByText('Profil berhasil diperbarui');
    expect(sent()).toEqual([{ phone: '62 812 34567890', phone_consent: true, current_password: 'rahasia' }]);
    expect(field('Nomor HP').value).toBe('0812-3456-7890');
    await waitFor(() => expect(screen.queryByLabelText('Password Anda')).toBeNull());
  });

  it('changes the consent without a password', async () => {
    const withPhone = { ...siti, phone: '+6281234567890' };
    server.on(OWN, okAnswer(withPhone));
    server.on(CHANGE, okAnswer({ ...withPhone, phone_consent: true }));
    const { user } = open();
    await user.click(await screen.findByRole('switch'));
    await user.click(screen.getByRole('button', { name: 'Simpan nomor (Save)' }));
    await waitFor(() => expect(sent()).toEqual([{ phone: '0812-3456-7890', phone_consent: true }]));
  });

  it('shows an invalid number and a wrong password at their fields', async () => {
    server.on(CHANGE, failAnswer(422, 'Password salah', { current_password: ['Password salah'] }));
    const { user } = open();
    await screen.findByRole('form', { name: 'Nomor HP' });
    paste('Nomor HP', '0211234567');
    await user.click(screen.getByRole('button', { name: 'Simpan nomor (Save)' }));
    await screen.findByText('Nomor HP tidak valid');
    paste('Nomor HP', '081234567890');
    paste('Password Anda', 'salah');
    await user.click(screen.getByRole('button', { name: 'Simpan nomor (Save)' }));
    await screen.findByText('Password salah');
    expect(field('Nomor HP').value).toBe('081234567890');
  });
});

describe('SecurityLog', () => {
  const entry = (
    event: SecurityEntry['event'],
    how: SecurityEntry['how'],
    by_name: string,
    day = 3,
  ): SecurityEntry => ({
    at: `2026-08-${String(day).padStart(2, '0')}T03:12:00.000Z`,
    event,
    by_name,
    how,
  });
  const rows = async () =>
    within(await screen.findByRole('list', { name: 'Catatan keamanan' }))
      .getAllByRole('listitem')
      .map((row) => row.firstElementChild?.textContent);

  it('says what was done, by whom, and how the person was checked', async () => {
    server.on(
      LOG,
      okAnswer([
        entry('password.changed', 'code', 'Siti Aminah'),
        entry('recovery_code.used', 'counter', 'Siti Aminah'),
        entry('recovery_code.made', 'counter', 'Petugas'),
        entry('password.changed', null, 'Petugas', 2),
        entry('phone.changed', 'password', 'Siti Aminah', 1),
      ]),
    );
    renderPage(<SecurityLog />);
    expect(await rows()).toEqual([
      'Password diganti, dengan kode masuk',
      'Masuk dengan kode dari kantor, diperiksa di loket',
      'Kode masuk dibuat oleh Petugas, diperiksa di loket',
      'Password diganti oleh Petugas',
      'Nomor HP diganti, dengan password Anda',
    ]);
    expect(screen.getAllByText('3 Agustus 2026 pukul 10.12')).toHaveLength(3);
  });

  it('shows five lines at first, and all of them on a press', async () => {
    server.on(LOG, okAnswer([7, 6, 5, 4, 3, 2, 1].map((day) => entry('email.changed', null, 'Petugas', day))));
    const { user } = renderPage(<SecurityLog />);
    expect(await rows()).toHaveLength(5);
    await user.click(screen.getByRole('button', { name: 'Tampilkan semua (7)' }));
    expect(await rows()).toHaveLength(7);
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('says when there is nothing, and when it cannot be loaded', async () => {
    server.on(LOG, failAnswer(500));
    const { user } = renderPage(<SecurityLog />);
    const retry = await screen.findByRole('button', { name: 'Coba lagi' });
    server.on(LOG, okAnswer([]));
    await user.click(retry);
    await screen.findByText('Belum ada catatan.');
  });
});
