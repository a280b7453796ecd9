import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { OwnErasure } from '#shared/api/erasures.ts';
import { ErasureSection } from './erasure-section.tsx';

const OWN = 'GET /api/auth/erasure';
const ASK = 'POST /api/auth/erasure';
const TERMS = 'GET /api/auth/erasure/terms';
const terms = { deadline_hours: 48, archive_months: 6, has_asked: true };
const erasure: OwnErasure = {
  id: 'e1',
  _id: 'e1',
  state: 'open',
  due_at: '2026-08-06T03:12:00.000Z',
  reason: 'Saya pindah',
  created_at: '2026-08-03T03:12:00.000Z',
  updated_at: '2026-08-03T03:12:00.000Z',
};

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn();
  server = fakeServer();
  server.on('GET /api/auth/user', okAnswer({ email: 'warga@contoh.id', has_password: true }));
  server.on(TERMS, okAnswer(terms));
});
const open = () => renderPage(<ErasureSection />, { path: '/account' });

it('says what goes, what stays and until when, and asks in two presses with the own password', async () => {
  server.on(TERMS, okAnswer({ ...terms, has_asked: false }));
  server.on(ASK, () => {
    server.on(TERMS, okAnswer(terms));
    server.on(OWN, okAnswer(erasure));
    return okAnswer(erasure);
  });
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Hapus akun saya' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Hapus akun saya' }));
  await dialog.findByText(/^Kantor memutuskan dalam 48 jam/);
  expect(dialog.getByText(/paling lama 6 bulan/)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Kirim permintaan' }));
  await dialog.findByText('Masukkan password Anda');
  const paste = (label: string, value: string) =>
    fireEvent.change(dialog.getByLabelText(label, { exact: false, selector: 'input, textarea' }), {
      target: { value },
    });
  paste('Alasan', 'Saya pindah');
  paste('Password Anda', 'rahasia');
  await user.click(dialog.getByRole('button', { name: 'Kirim permintaan' }));
  await screen.findByText('Permintaan dikirim ke kantor');
  await screen.findByText('Permintaan Anda menunggu kantor');
  expect(screen.getByText(/paling lambat 6 Agustus 2026 pukul 10\.12/)).toBeTruthy();
  expect(server.callsOf(ASK).map(({ body }) => body)).toEqual([{ reason: 'Saya pindah', current_password: 'rahasia' }]);
});

it('lets the request be withdrawn, and asked again', async () => {
  server.on(OWN, okAnswer(erasure));
  server.on('DELETE /api/auth/erasure', () => {
    server.on(OWN, okAnswer({ ...erasure, state: 'withdrawn' }));
    return okAnswer({});
  });
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Batalkan permintaan' }));
  await screen.findByText('Permintaan dibatalkan. Akun Anda tetap ada.');
  await screen.findByRole('button', { name: 'Hapus akun saya' });
});

it('shows why the office rejected the last one', async () => {
  server.on(OWN, okAnswer({ ...erasure, state: 'rejected', reason: 'Masih ada tagihan' }));
  open();
  await screen.findByText('Permintaan terakhir ditolak kantor');
  expect(screen.getByText('Alasan kantor: Masih ada tagihan')).toBeTruthy();
});
