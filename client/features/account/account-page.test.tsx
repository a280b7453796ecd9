import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { currentSession } from '#client/lib/session/session.ts';
import { failAnswer, fakeServer, neverAnswer, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { OwnSession } from '#shared/api/auth.ts';
import { AccountPage } from './account-page.tsx';

const SESSIONS = 'GET /api/auth/sessions';
const LOG = 'GET /api/auth/security-log';
const WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
const PHONE =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0 Mobile Safari/537.36';

const buildSession = (id: string, user_agent: string, current = false): OwnSession => {
  const created_at = '2025-02-03T04:05:06.000Z';
  const last_seen_at = new Date(Date.now() - 3 * 60 * 60 * 1000).toISOString();
  const times = { created_at, createdAt: created_at, last_seen_at, lastSeenAt: last_seen_at };
  return {
    id,
    _id: id,
    current,
    ...times,
    user_agent,
    address: '10.0.0.1',
    has_notifications: false,
    entry: 'password' as const,
  };
};

const siti = {
  id: 'u1',
  name: 'Siti Aminah',
  email: 'siti@contoh.id',
  is_admin: false,
  has_email: true,
  has_password: true,
};

let server: ReturnType<typeof fakeServer>;

beforeEach(() => {
  signIn({ id: 'u1', name: 'Siti Aminah', email: 'siti@contoh.id' });
  server = fakeServer();
  server.on(SESSIONS, okListAnswer([buildSession('s1', WINDOWS, true), buildSession('s2', PHONE)]));
  server.on(LOG, okAnswer([]));
  server.on('GET /api/auth/user', okAnswer(siti));
  server.on('GET /api/auth/export', neverAnswer);
  const terms = { deadline_hours: 72, archive_months: 12, has_asked: false };
  server.on('GET /api/auth/erasure/terms', okAnswer(terms));
});

const open = () => renderPage(<AccountPage />, { path: '/account' });
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${label}`));
const button = (name: string) => screen.getByRole('button', { name });

describe('NameForm', () => {
  it('changes the name on this page and in the stored session', async () => {
    server.on('PUT /api/auth/user', ({ body }) =>
      okAnswer({ id: 'u1', email: 'siti@contoh.id', is_admin: false, ...(body as object) }),
    );
    const { user } = open();
    await user.type(field('Nama'), ' Rahman');
    await user.click(button('Simpan nama (Save)'));
    await screen.findByText('Profil berhasil diperbarui');
    expect(server.callsOf('PUT /api/auth/user')[0]?.body).toEqual({ name: 'Siti Aminah Rahman' });
    expect(currentSession()?.user?.name).toBe('Siti Aminah Rahman');
  });

  it('rejects an empty name without a call', async () => {
    const { user } = open();
    await user.clear(field('Nama'));
    await user.click(button('Simpan nama (Save)'));
    await screen.findByText('Nama wajib diisi');
    expect(server.callsOf('PUT /api/auth/user')).toHaveLength(0);
  });
});

describe('PasswordForm', () => {
  const PASSWORD = 'PUT /api/auth/password';
  const type = async (user: ReturnType<typeof open>['user'], [old, next, again]: [string, string, string]) => {
    await screen.findByRole('form', { name: 'Password' });
    await user.type(field('Password lama'), old);
    await user.type(field('Password baru'), next);
    await user.type(field('Konfirmasi password baru'), again);
    await user.click(button('Ubah password (Change)'));
  };

  it('changes the password, empties the fields and loads the sessions again', async () => {
    server.on(PASSWORD, okAnswer({}));
    const { user } = open();
    expect(await screen.findByText(/semua sesi lain langsung berakhir/)).toBeTruthy();
    await screen.findByText('Sesi ini');
    await type(user, ['lama-sekali', 'baru-sekali', 'baru-sekali']);
    await screen.findByText('Password berhasil diubah');
    expect(server.callsOf(PASSWORD)[0]?.body).toEqual({
      current_password: 'lama-sekali',
      password: 'baru-sekali',
      password_confirmation: 'baru-sekali',
    });
    expect(field('Password lama').value).toBe('');
    await waitFor(() => expect(server.callsOf(SESSIONS)).toHaveLength(2));
  });

  it('shows a wrong old password at its field and keeps the session', async () => {
    server.on(PASSWORD, failAnswer(422, 'Password lama salah', { current_password: ['Password lama salah'] }));
    const { user } = open();
    await type(user, ['salah', 'baru-sekali', 'baru-sekali']);
    expect(await screen.findAllByText('Password lama salah')).toHaveLength(1);
    await waitFor(() => expect(document.activeElement).toBe(field('Password lama')));
    expect(field('Password baru').value).toBe('baru-sekali');
    expect(currentSession()).not.toBeNull();
  });

  it('rejects a new password below eight characters or with a different confirmation', async () => {
    const { user } = open();
    await type(user, ['lama', 'pendek', 'lain']);
    await screen.findByText('Password minimal 8 karakter');
    expect(screen.getByText('Password harus sama')).toBeTruthy();
    expect(server.callsOf(PASSWORD)).toHaveLength(0);
  });
});

describe('SessionList', () => {
  it('says which device gets notifications (R-PUSH-66)', async () => {
    const phone = { ...buildSession('s2', PHONE), has_notifications: true };
    server.on(SESSIONS, okListAnswer([buildSession('s1', WINDOWS, true), phone]));
    open();
    const rows = within(await screen.findByRole('list', { name: 'Daftar sesi' })).getAllByRole('listitem');
    expect(rows.map(({ textContent }) => textContent?.includes('Menerima notifikasi'))).toEqual([false, true]);
    // Over plain http the page says nothing of notifications that cannot be turned on here.
    expect(screen.queryByRole('heading', { name: 'Notifikasi' })).toBeNull();
  });

  it('names the devices, by what each came in, and marks the current one', async () => {
    const current = { ...buildSession('s1', WINDOWS, true), entry: 'code' as const };
    server.on(SESSIONS, okListAnswer([current, buildSession('s2', PHONE)]));
    open();
    const rows = within(await screen.findByRole('list', { name: 'Daftar sesi' })).getAllByRole('listitem');
    expect(rows[0]?.textContent).toContain('Chrome di WindowsSesi iniSedang dipakai');
    expect(rows[0]?.textContent).toContain(
      'Masuk 3 Februari 2025 pukul 11.05 dengan kode dari kantor · alamat 10.0.0.1',
    );
    expect(rows[1]?.textContent).toContain('pukul 11.05 dengan password');
    expect(rows[1]?.textContent).toContain('Chrome di ponsel AndroidAktif 3 jam yang lalu');
    expect(screen.getAllByRole('button', { name: /^Keluarkan Chrome/ })).toHaveLength(1);
  });

  it('ends one session after a question', async () => {
    server.on('DELETE /api/auth/sessions/s2', okAnswer({}));
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Keluarkan Chrome di ponsel Android (Logout)' }));
    expect(server.callsOf('DELETE /api/auth/sessions/s2')).toHaveLength(0);
    server.on(SESSIONS, okListAnswer([buildSession('s1', WINDOWS, true)]));
    await user.click(await screen.findByRole('button', { name: 'Keluarkan' }));
    await screen.findByText('Sesi telah diakhiri');
    await screen.findByText('Tidak ada perangkat lain yang masuk.');
  });

  it('ends all other sessions after a question', async () => {
    server.on('DELETE /api/auth/sessions', okAnswer({}));
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Keluarkan semua perangkat lain' }));
    await user.click(await screen.findByRole('button', { name: 'Keluarkan semua' }));
    await screen.findByText('Semua sesi lain telah diakhiri');
    expect(server.callsOf('DELETE /api/auth/sessions')).toHaveLength(1);
  });

  it('shows an error when the sessions cannot be loaded', async () => {
    server.on(SESSIONS, failAnswer(500));
    open();
    await screen.findByText('Gagal memuat sesi');
    expect(button('Coba lagi')).toBeTruthy();
  });
});
