import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { closeSession } from '#client/lib/session/session.ts';
import type { RealtimeConnection } from '#client/realtime/socket.ts';
import { type FakeSocket, fakeSocket } from '#client/realtime/testing/fake-socket.ts';
import { failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { OwnExport } from '#shared/api/own-data.ts';
import { OwnDataSection } from './display/own-data-section.tsx';

const connection = vi.hoisted(() => ({ current: undefined as RealtimeConnection | undefined }));
vi.mock('#client/realtime/socket.ts', () => ({ openRealtimeConnection: () => connection.current }));

const READ = 'GET /api/auth/export';
const START = 'POST /api/auth/export';
const none: OwnExport = { state: 'none', percent: null, ahead: null, url: null, expires_at: null, bytes: null };
const running: OwnExport = { ...none, state: 'running', percent: 0, ahead: 0 };
const ready: OwnExport = {
  ...none,
  state: 'ready',
  url: '/api/auth/export-files/a.b',
  expires_at: '2026-06-11T05:00:00.000Z',
  bytes: 1_500_000,
};

let server: ReturnType<typeof fakeServer>;
let socket: FakeSocket;
beforeEach(() => {
  closeSession();
  signIn();
  socket = fakeSocket();
  connection.current = socket.connection;
  server = fakeServer();
  server.on('GET /api/auth/user', okAnswer({ email: 'warga@contoh.id', has_password: true }));
  server.on(READ, okAnswer(none));
});

const open = () => renderPage(<OwnDataSection />, { path: '/account' });
const password = () => screen.findByLabelText<HTMLInputElement>(/^Password Anda/, { selector: 'input' });
const press = (name: string) => screen.findByRole('button', { name });

async function ask(user: ReturnType<typeof open>['user'], typed = 'rahasia') {
  await user.type(await password(), typed);
  await user.click(await press('Buat salinan'));
}

it('asks with the own password, shows how far the copy is, and tells on another page that it is ready', async () => {
  server.on(START, okAnswer(running));
  const { user, router } = open();
  await user.click(await press('Buat salinan'));
  await screen.findByText('Masukkan password Anda');
  expect(server.callsOf(START)).toEqual([]);
  await ask(user);
  await screen.findByText('Menyiapkan salinan… 0%');
  expect(server.callsOf(START).map(({ body }) => body)).toEqual([{ current_password: 'rahasia' }]);
  server.on(READ, okAnswer(running));
  const readBefore = server.callsOf(READ).length;
  socket.connect();
  await waitFor(() => expect(server.callsOf(READ)).toHaveLength(readBefore + 1));
  await screen.findByText('Menyiapkan salinan… 0%');
  await act(async () => socket.push('export:changed', { state: 'running', percent: 40, ahead: 0 }));
  await screen.findByText('Menyiapkan salinan… 40%');
  expect(screen.getByRole('progressbar', { name: 'Kemajuan salinan' }).getAttribute('aria-valuenow')).toBe('40');
  await router.navigate('/elsewhere');
  server.on(READ, okAnswer(ready));
  socket.push('export:changed', { state: 'ready', percent: null, ahead: null });
  await screen.findByText('Salinan data Anda siap. Unduh di Akun Saya.');
});

it('says how many copies come before, and what failed', async () => {
  server.on(READ, okAnswer({ ...running, ahead: 2 }));
  open();
  await screen.findByText('Menunggu giliran: 2 salinan lain dibuat dulu');
  server.on(READ, okAnswer({ ...none, state: 'failed' }));
  socket.connect();
  socket.push('export:changed', { state: 'failed', percent: null, ahead: null });
  await screen.findByText('Salinan gagal dibuat');
  expect(screen.getByText('Salinan data Anda gagal dibuat')).toBeTruthy();
  expect(await press('Buat salinan')).toBeTruthy();
});

it('downloads by a fresh link, says when the file goes, and offers a new copy', async () => {
  server.on(READ, okAnswer(ready));
  const clicked: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    clicked.push(this.getAttribute('href') ?? '');
  });
  const { user } = open();
  await screen.findByText('Salinan Anda siap (1,5 MB).');
  expect(screen.getByText(/Dihapus dari server 11 Juni 2026 pukul 12\.00/)).toBeTruthy();
  server.on(READ, okAnswer({ ...ready, url: '/api/auth/export-files/c.d' }));
  await user.click(await press('Unduh'));
  await screen.findByText('Unduhan dimulai');
  expect(clicked).toEqual(['/api/auth/export-files/c.d']);
  expect(await press('Buat salinan baru')).toBeTruthy();
});

it('shows a wrong password at its field, and a refusal above the form', async () => {
  server.on(START, failAnswer(422, 'Password salah', { current_password: ['Password salah'] }));
  const { user } = open();
  await ask(user, 'salah');
  await screen.findByText('Password salah');
  expect((await password()).value).toBe('salah');
  server.on(START, failAnswer(507, 'Penyimpanan server penuh. Hubungi administrator.'));
  await user.click(await press('Buat salinan'));
  await screen.findByText('Penyimpanan server penuh. Hubungi administrator.');
});

it('stops watching at the end of the session', async () => {
  server.on(READ, okAnswer(running));
  open();
  await screen.findByText('Menyiapkan salinan… 0%');
  expect(socket.listenerCount()).toBeGreaterThan(0);
  closeSession();
  expect(socket.listenerCount()).toBe(0);
});
