import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { closeSession } from '#client/lib/session/session.ts';
import type { RealtimeConnection } from '#client/realtime/socket.ts';
import { fakeSocket } from '#client/realtime/testing/fake-socket.ts';
import { failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { OpenErasure } from '#shared/api/erasures.ts';
import { DAY_MS, HOUR_MS } from '#shared/durations.ts';
import { errorTexts } from '#shared/texts.ts';
import { ErasuresPage } from './erasures-page.tsx';

const socket = fakeSocket();
vi.mock('#client/realtime/socket.ts', () => ({ openRealtimeConnection: (): RealtimeConnection => socket.connection }));

const LIST = 'GET /api/admin/erasures';
const DECIDE = 'POST /api/admin/users/warga-1/erasure';
const VERSION = '2026-06-10T05:00:00.000Z';

const at = (ms: number) => new Date(Date.now() + ms).toISOString();
const buildRequest = (number: number, changes: Partial<OpenErasure> = {}): OpenErasure => ({
  id: `permintaan-${number}`,
  _id: `permintaan-${number}`,
  state: 'open',
  user: {
    id: `warga-${number}`,
    name: `Warga ${number}`,
    email: `warga${number}@contoh.id`,
    has_email: true,
    is_admin: false,
    is_active: true,
  },
  reason: 'Saya pindah',
  created_at: at(-HOUR_MS),
  updated_at: VERSION,
  due_at: at(2 * DAY_MS),
  approvable_at: at(23 * HOUR_MS),
  records: 3,
  unpaid: 1,
  open_claims: 2,
  ...changes,
});

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn({ id: 'a1', name: 'Ratna', is_admin: true });
  server = fakeServer();
  return () => closeSession();
});

const open = () => renderPage(<ErasuresPage />, { path: '/admin/erasures' });
const account = async (name: string) => within(await screen.findByRole('region', { name }));
const sent = () => server.callsOf(DECIDE).map(({ body }) => body);
const type = (dialog: ReturnType<typeof within>, label: string, value: string) =>
  fireEvent.change(dialog.getByLabelText(label, { exact: false, selector: 'input, textarea' }), { target: { value } });

describe('ErasuresPage', () => {
  it('shows what the account has, its reason and a deadline that is over', async () => {
    server.on(
      LIST,
      okAnswer([buildRequest(1, { due_at: at(-HOUR_MS) }), buildRequest(2, { reason: null, unpaid: 0 })]),
    );
    open();
    const first = await account('Warga 1');
    expect(first.getByRole('link', { name: 'Warga 1' }).getAttribute('href')).toBe('/admin/users/warga-1');
    expect(first.getByText('3 data PBB · 1 belum terbayar · 2 permintaan objek belum dijawab')).toBeTruthy();
    expect(first.getByText('Alasan: Saya pindah')).toBeTruthy();
    expect(first.getByText('Tenggat lewat')).toBeTruthy();
    const second = await account('Warga 2');
    expect(second.getByText('3 data PBB · 2 permintaan objek belum dijawab')).toBeTruthy();
    expect(second.getByText('Tanpa alasan.')).toBeTruthy();
    expect(second.queryByText('Tenggat lewat')).toBeNull();
  });

  it('rejects with a reason and the own password', async () => {
    server.on(LIST, okAnswer([buildRequest(1)]));
    server.on(DECIDE, () => {
      server.on(LIST, okAnswer([]));
      return okAnswer({});
    });
    const { user } = open();
    await user.click((await account('Warga 1')).getByRole('button', { name: 'Tolak permintaan Warga 1' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Tolak permintaan' }));
    await user.click(dialog.getByRole('button', { name: 'Tolak' }));
    await dialog.findByText('Alasan harus 3 sampai 500 karakter');
    expect(dialog.getByText('Masukkan password Anda')).toBeTruthy();
    expect(sent()).toEqual([]);
    type(dialog, 'Alasan untuk warga', ' Masih ada tagihan ');
    type(dialog, 'Password Anda', 'rahasia');
    await user.click(dialog.getByRole('button', { name: 'Tolak' }));
    await screen.findByText('Permintaan ditolak');
    await screen.findByText('Tidak ada permintaan hapus akun');
    expect(sent()).toEqual([
      { result: 'rejected', reason: 'Masih ada tagihan', updated_at: VERSION, current_password: 'rahasia' },
    ]);
  });

  it('approves before 24 hours at the counter only, and stays open after a wrong password', async () => {
    server.on(LIST, okAnswer([buildRequest(1)]));
    const wrong = 'Password salah';
    server.on(DECIDE, failAnswer(422, wrong, { current_password: [wrong] }));
    const { user } = open();
    await user.click((await account('Warga 1')).getByRole('button', { name: 'Setujui permintaan Warga 1' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Setujui hapus akun' }));
    type(dialog, 'Password Anda', 'rahasia');
    await user.click(dialog.getByRole('button', { name: 'Hapus akun' }));
    await dialog.findByText(/^Baru dapat disetujui mulai .*, kecuali diperiksa di loket\.$/);
    expect(sent()).toEqual([]);
    await user.click(dialog.getByRole('switch', { name: 'Diperiksa di loket' }));
    await user.click(dialog.getByRole('button', { name: 'Hapus akun' }));
    await dialog.findByText(wrong);
    server.on(DECIDE, okAnswer({}));
    server.on(LIST, okAnswer([]));
    await user.click(dialog.getByRole('button', { name: 'Hapus akun' }));
    await screen.findByText('Akun berhasil dihapus');
    const body = { result: 'approved', checked: 'counter', updated_at: VERSION, current_password: 'rahasia' };
    expect(sent()).toEqual([body, body]);
  });

  it('loads the list again when a colleague was faster, and shows new requests at once', async () => {
    server.on(LIST, okAnswer([buildRequest(1)]));
    server.on(DECIDE, () => {
      server.on(LIST, okAnswer([]));
      return failAnswer(409, errorTexts.conflict);
    });
    const { user } = open();
    await user.click((await account('Warga 1')).getByRole('button', { name: 'Tolak permintaan Warga 1' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Tolak permintaan' }));
    type(dialog, 'Alasan untuk warga', 'Masih ada tagihan');
    type(dialog, 'Password Anda', 'rahasia');
    await user.click(dialog.getByRole('button', { name: 'Tolak' }));
    await screen.findByText(errorTexts.conflict);
    await screen.findByText('Tidak ada permintaan hapus akun');
    server.on(LIST, okAnswer([buildRequest(2)]));
    act(() => {
      socket.connect();
      socket.push('erasure:changed', {});
    });
    await account('Warga 2');
  });

  it('leaves the own request to another admin', async () => {
    const own = { ...buildRequest(1).user, id: 'a1', name: 'Ratna', is_admin: true };
    server.on(LIST, okAnswer([buildRequest(1, { user: own })]));
    open();
    const card = await account('Ratna');
    expect(card.getByText('Permintaan Anda sendiri diputuskan administrator lain.')).toBeTruthy();
    await waitFor(() => expect(card.queryByRole('button')).toBeNull());
  });
});
