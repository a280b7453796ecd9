import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { fakeServer, networkError, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { OwnNoticesMount } from './own-notices-mount.tsx';

const NOTICES = 'GET /api/auth/notices';
const SEEN = 'POST /api/auth/notices/3/seen';
const line = (id: number) => ({
  id: String(id),
  kind: 'recovery_code.made',
  text: `Kantor membuat kode masuk untuk akun Anda, ${id} Agu 2026 10.12 (diperiksa di loket). Bukan Anda yang meminta? Hubungi kantor.`,
  created_at: '2026-08-03T03:12:00.000Z',
  actions: [],
});
const erasure = { ...line(9), id: 'e1', text: 'Anda meminta akun dihapus, 3 Agu 2026 10.12.', actions: ['withdraw'] };

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn();
  server = fakeServer();
});

const open = (shownMax = 3) => renderPage(<OwnNoticesMount shownMax={shownMax} />, { path: '/dashboard' });

it('shows the oldest lines first, and each until it was put away', async () => {
  server.on(NOTICES, okAnswer([4, 3, 2, 1].map(line)));
  server.on(SEEN, () => {
    server.on(NOTICES, okAnswer([line(4)]));
    return okAnswer({});
  });
  const { user } = open();
  await screen.findByText(line(1).text);
  expect(screen.getByText(line(3).text)).toBeTruthy();
  expect(screen.queryByText(line(4).text)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Mengerti' }));
  await screen.findByText(line(4).text);
  expect(screen.queryByText(line(3).text)).toBeNull();
});

it('lets the request to delete the account be withdrawn, which putting the other lines away leaves there', async () => {
  server.on(NOTICES, okAnswer([line(3), erasure]));
  server.on(SEEN, () => {
    server.on(NOTICES, okAnswer([erasure]));
    return okAnswer({});
  });
  server.on('DELETE /api/auth/erasure', () => {
    server.on(NOTICES, okAnswer([]));
    return okAnswer({});
  });
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Mengerti' }));
  await waitFor(() => expect(screen.queryByText(line(3).text)).toBeNull());
  expect(screen.queryByRole('button', { name: 'Mengerti' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Batalkan permintaan' }));
  await screen.findByText('Permintaan dibatalkan. Akun Anda tetap ada.');
  await waitFor(() => expect(screen.queryByText(erasure.text)).toBeNull());
});

it('keeps a line that could not be put away', async () => {
  server.on(NOTICES, okAnswer([line(3)]));
  server.on(SEEN, networkError);
  const { user } = open(1);
  await user.click(await screen.findByRole('button', { name: 'Mengerti' }));
  await screen.findByText('Gagal menyimpan');
  expect(screen.getByText(line(3).text)).toBeTruthy();
});

it('asks for a text that the account has not accepted', async () => {
  server.on(NOTICES, okAnswer([]));
  server.on('GET /api/auth/user', okAnswer({ consents_due: [{ document: 'privacy', version: '2026-11-29' }] }));
  open();
  await screen.findByText('Apakah Anda setuju dengan teks ini?');
  expect(screen.queryByRole('button', { name: 'Syarat & Ketentuan (Terms)' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Kebijakan Privasi (Privacy)' })).toBeTruthy();
});

it('shows nothing while there is nothing to say', async () => {
  server.on(NOTICES, okAnswer([]));
  open();
  await waitFor(() => expect(server.callsOf(NOTICES)).toHaveLength(1));
  expect(screen.queryByRole('button')).toBeNull();
});
