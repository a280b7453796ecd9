import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { failAnswer, fakeServer, networkError, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { buildUser } from '../../testing/build-user.ts';
import { AssistedDialog, type AssistedRequest } from './assisted-dialog.tsx';

const CREATE = 'POST /api/admin/users/assisted';
const CARD = 'POST /api/admin/users/u9/card';
const karto = buildUser({ id: 'u9', name: 'MBAH KARTO', email: 'w-48217735@tanpa-email.invalid', has_email: false });
const card = {
  code: 'K7M2-9QXA',
  activation: 'K7M29-QXAC3',
  activation_expires_at: '2026-07-10T05:00:00.000Z',
  qr_url: '/masuk#K7M2-9QXA',
};
const request: AssistedRequest = { name: 'MBAH KARTO', objects: [{ id: 'o1', text: '35.15.180 · Jl. Melati 1' }] };

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn({ id: 'a1', name: 'Ratna', is_admin: true });
  server = fakeServer();
  server.on(CREATE, okAnswer(karto));
  server.on(CARD, okAnswer(card));
});

async function open() {
  const onClose = vi.fn();
  const view = renderPage(<AssistedDialog request={request} onClose={onClose} />, { path: '/admin/dhkp' });
  const box = within(await screen.findByRole('dialog', { name: 'Buat akun warga' }));
  return { ...view, box, onClose };
}

describe('AssistedDialog', () => {
  it('makes the account with its objects and prints the card with one press', async () => {
    const print = vi.spyOn(window, 'print').mockReturnValue();
    const { user, box, onClose } = await open();
    expect(box.getByText('35.15.180 · Jl. Melati 1')).toBeTruthy();
    await user.click(box.getByRole('button', { name: 'Simpan & cetak kartu' }));
    await box.findByText('K7M2-9QXA');
    expect(box.getByText(/Tanpa email · no\. 4821-7735/)).toBeTruthy();
    await waitFor(() => expect(print).toHaveBeenCalledOnce());
    expect(server.callsOf(CREATE).map(({ body }) => body)).toEqual([
      { name: 'MBAH KARTO', phone: '', phone_consent: false, assessment_ids: ['o1'] },
    ]);
    await user.click(box.getByRole('button', { name: 'Sudah saya cetak' }));
    expect(onClose).toHaveBeenCalledExactlyOnceWith(karto);
  });

  it('makes no second account when only the card has failed', async () => {
    vi.spyOn(window, 'print').mockReturnValue();
    server.on(CARD, networkError);
    const { user, box } = await open();
    await user.click(box.getByRole('button', { name: 'Simpan & cetak kartu' }));
    await box.findByText('Akun MBAH KARTO sudah dibuat, tetapi kartunya belum.');
    server.on(CARD, okAnswer(card));
    await user.click(box.getByRole('button', { name: 'Buat & cetak kartu' }));
    await box.findByText('K7M2-9QXA');
    expect(server.callsOf(CREATE)).toHaveLength(1);
  });

  it('shows a wrong number at its field, and keeps the input', async () => {
    const { user, box } = await open();
    const phone = box.getByRole<HTMLInputElement>('textbox', { name: 'Nomor HP' });
    await user.type(phone, '123');
    await user.click(box.getByRole('button', { name: 'Simpan & cetak kartu' }));
    await box.findByText('Nomor HP tidak valid');
    expect(server.callsOf(CREATE)).toHaveLength(0);
    server.on(CREATE, failAnswer(404, 'Objek tidak ditemukan'));
    await user.clear(phone);
    await user.click(box.getByRole('button', { name: 'Simpan & cetak kartu' }));
    await box.findByText('Objek tidak ditemukan');
  });
});
