import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { closeSession } from '#client/lib/session/session.ts';
import type { RealtimeConnection } from '#client/realtime/socket.ts';
import { fakeSocket } from '#client/realtime/testing/fake-socket.ts';
import { failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { Retention } from '#shared/api/retention.ts';
import { RetentionPage } from './retention-page.tsx';

const socket = fakeSocket();
vi.mock('#client/realtime/socket.ts', () => ({ openRealtimeConnection: (): RealtimeConnection => socket.connection }));

const GET = 'GET /api/admin/retention';
const PUT = 'PUT /api/admin/retention';

const forEver: Retention = {
  messages_months: 0,
  inactive_accounts_months: 0,
  announced_at: null,
  announced_by: null,
  notice_id: null,
  starts_at: null,
  has_started: false,
  older: [
    { months: 12, messages: 1500, accounts: 12 },
    { months: 24, messages: 700, accounts: 3 },
  ],
  last_run: null,
  archive_months: 12,
};
const announced: Retention = {
  ...forEver,
  messages_months: 24,
  announced_at: '2026-06-10T05:00:00.000Z',
  announced_by: 'Dewi',
  notice_id: 'r3',
  starts_at: '2026-07-10T05:00:00.000Z',
};

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn({ id: 'a1', name: 'Ratna', is_admin: true });
  server = fakeServer();
  server.on('GET /api/admin/notices', okAnswer([]));
  return () => closeSession();
});

const open = () => renderPage(<RetentionPage />, { path: '/admin/settings/retention' });
const select = async (label: string, option: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value: option } });
const savedBodies = () => server.callsOf(PUT).map(({ body }) => body);

describe('RetentionPage', () => {
  it('says what a term deletes, what is lost and from when, and saves with the own password', async () => {
    server.on(GET, okAnswer(forEver));
    const { user } = open();
    await screen.findByText('Tidak ada pesan yang dihapus otomatis.');
    expect(screen.queryByRole('button', { name: 'Simpan…' })).toBeNull();
    await select('Pesan chat', '12');
    expect(screen.getByText(/Saat ini 1.500 pesan/)).toBeTruthy();
    expect(screen.getByText('Penghapusan pertama 30 hari sesudah disimpan.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Simpan…' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/pesan chat yang lebih lama dari 1 tahun/)).toBeTruthy();
    expect(dialog.queryByText(/akun warga yang tidak dipakai/)).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Umumkan dan simpan' }));
    expect(await dialog.findByText('Masukkan password Anda')).toBeTruthy();
    expect(savedBodies()).toEqual([]);

    server.on(PUT, failAnswer(422, 'Password salah', { current_password: ['Password salah'] }));
    const password = dialog.getByLabelText(/Password Anda/, { selector: 'input' });
    fireEvent.change(password, { target: { value: 'salah' } });
    await user.click(dialog.getByRole('button', { name: 'Umumkan dan simpan' }));
    expect(await dialog.findByText('Password salah')).toBeTruthy();

    server.on(PUT, okAnswer({ ...announced, messages_months: 12 }));
    server.on(GET, okAnswer({ ...announced, messages_months: 12 }));
    fireEvent.change(password, { target: { value: 'benar' } });
    await user.click(dialog.getByRole('button', { name: 'Umumkan dan simpan' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(savedBodies().at(-1)).toMatchObject({
      messages_months: 12,
      inactive_accounts_months: 0,
      current_password: 'benar',
    });
    expect(await screen.findByText(/Mulai 10 Juli 2026 dihapus: pesan chat yang lebih lama dari 1 tahun/)).toBeTruthy();
  });

  it('announces nothing for a longer term, and shows a stored term that the list does not offer', async () => {
    server.on(GET, okAnswer({ ...announced, messages_months: 18 }));
    const { user } = open();
    expect(await screen.findByLabelText('Pesan chat')).toHaveProperty('value', '18');
    await select('Pesan chat', '0');
    expect(screen.queryByText('Penghapusan pertama 30 hari sesudah disimpan.')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Simpan…' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/Tidak ada yang dihapus lebih awal/)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Batal' }));
    await user.click(screen.getByRole('button', { name: 'Buang perubahan' }));
    expect(screen.getByLabelText('Pesan chat')).toHaveProperty('value', '18');
  });

  it('shows the refusal of an admin of today in the dialog, with the input', async () => {
    server.on(GET, okAnswer(forEver));
    server.on(PUT, failAnswer(403, 'Anda baru dapat melakukan ini mulai 11 Juni 2026 pukul 12.00.'));
    const { user } = open();
    await select('Akun warga yang tidak dipakai', '24');
    await user.click(screen.getByRole('button', { name: 'Simpan…' }));
    const dialog = within(await screen.findByRole('dialog'));
    fireEvent.change(dialog.getByLabelText(/Password Anda/, { selector: 'input' }), { target: { value: 'benar' } });
    await user.click(dialog.getByRole('button', { name: 'Umumkan dan simpan' }));
    expect(await dialog.findByText(/Anda baru dapat melakukan ini mulai/)).toBeTruthy();
  });

  it('stops what runs every night, and shows the counts of the last night', async () => {
    const running = {
      ...announced,
      has_started: true,
      last_run: { at: '2026-08-03T18:00:00.000Z', messages: 1200, accounts: 2 },
    };
    server.on(GET, okAnswer(running));
    server.on('POST /api/admin/notices/r3/stop', okAnswer({}));
    const { user } = open();
    expect(await screen.findByText(/Setiap malam dihapus: pesan chat yang lebih lama dari 2 tahun/)).toBeTruthy();
    expect(screen.getByText(/1.200 pesan dan 2 akun/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Hentikan' }));
    server.on(GET, okAnswer(forEver));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Hentikan' }));
    await waitFor(() => expect(screen.queryByText(/Setiap malam dihapus/)).toBeNull());
    expect(server.callsOf('POST /api/admin/notices/r3/stop')).toHaveLength(1);
  });

  it('loads again when a colleague sets another term, and after an error', async () => {
    server.on(GET, failAnswer(503, 'Server sibuk'));
    const { user } = open();
    await screen.findByText('Server sibuk');
    server.on(GET, okAnswer(forEver));
    await user.click(screen.getByRole('button', { name: 'Coba lagi' }));
    await screen.findByText('Tidak ada pesan yang dihapus otomatis.');
    server.on(GET, okAnswer(announced));
    act(() => {
      socket.connect();
      socket.push('notice:new', { actor_id: 'a2' });
    });
    expect(await screen.findByText(/Mulai 10 Juli 2026 dihapus/)).toBeTruthy();
  });
});
