import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { closeSession } from '#client/lib/session/session.ts';
import { failAnswer, fakeServer, networkError, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { PushPreferences } from '#shared/api/push.ts';
import { fakePush } from '../../testing/fake-push.ts';
import { PushChoices } from './push-choices.tsx';

vi.mock(
  '#client/lib/notifications/device-store.ts',
  () => import('#client/lib/notifications/testing/memory-device-store.ts'),
);

const PREFERENCES = 'GET /api/push/preferences';
const STORE = 'PUT /api/push/preferences';
const TEST = 'POST /api/push/test';
const DEVICE = 'Notifikasi di perangkat ini';
const ACCOUNT = 'Kirim notifikasi ke perangkat saya';
let server: ReturnType<typeof fakeServer>;
let push: ReturnType<typeof fakePush>;

beforeEach(() => {
  push = fakePush();
  server = fakeServer();
  server.on(PREFERENCES, okAnswer({ enabled: true, preview: true, quiet_hours: null }));
  server.on(STORE, ({ body }) => okAnswer(body));
  server.on('GET /api/push/key', okAnswer({ public_key: 'AAAA' }));
  server.on('PUT /api/push/subscription', okAnswer({}));
  server.on('DELETE /api/push/subscription', okAnswer({}));
  signIn();
  return () => {
    closeSession();
    push.undo();
  };
});

const open = (side: 'user' | 'admin' = 'user') => renderPage(<PushChoices side={side} />);
const toggle = (name: string) => screen.getByRole<HTMLInputElement>('switch', { name });
const stored = () => server.callsOf(STORE).map(({ body }) => body as PushPreferences);
const testButton = () => screen.queryByRole('button', { name: 'Kirim notifikasi percobaan' });
const DEVICE_OFF = 'DELETE /api/push/subscription';

it('turns notifications on and off in this browser, and says so in words (R-PUSH-62)', async () => {
  const { user } = open();
  expect(screen.getByText(/^Mati di perangkat ini\. Anda diberi tahu saat kantor menjawab/)).toBeTruthy();
  expect(testButton()).toBeNull();
  await user.click(toggle(DEVICE));
  expect(await screen.findByText(/^Menyala di perangkat ini/)).toBeTruthy();
  expect(toggle(DEVICE).checked).toBe(true);
  expect(server.callsOf('PUT /api/push/subscription')).toHaveLength(1);
  expect(testButton()).toBeTruthy();
  await user.click(toggle(DEVICE));
  expect(await screen.findByText(/^Mati di perangkat ini/)).toBeTruthy();
  await waitFor(() => expect(server.callsOf(DEVICE_OFF)).toHaveLength(1));

  push.subscribe.mockRejectedValue(new Error('push service error'));
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  await user.click(toggle(DEVICE));
  expect((await screen.findByRole('alert')).textContent).toContain('Periksa sambungan perangkat ini');
  push.getRegistration.mockResolvedValue(undefined);
  await user.click(toggle(DEVICE));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('pasang dulu sertifikat kantor'));
  expect(toggle(DEVICE).checked).toBe(false);
});

it('says why nothing can be turned on, and follows what is changed in the browser (R-PUSH-62)', async () => {
  push.notification.permission = 'denied';
  open('admin');
  expect(toggle(DEVICE).disabled).toBe(true);
  expect(screen.getByRole('alert').textContent).toContain('memblokir notifikasi dari PBB Kita');
  push.notification.permission = 'default';
  act(() => void window.dispatchEvent(new Event('focus')));
  expect(toggle(DEVICE).disabled).toBe(false);
  expect(screen.queryByRole('alert')).toBeNull();
  vi.stubGlobal('Notification', undefined);
  act(() => void window.dispatchEvent(new Event('focus')));
  expect(screen.getByText('Notifikasi tidak tersedia di sini')).toBeTruthy();
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5' });
  act(() => void window.dispatchEvent(new Event('focus')));
  expect(screen.getByText(/Tambah ke Layar Utama/)).toBeTruthy();
  vi.stubGlobal('isSecureContext', false);
  act(() => void window.dispatchEvent(new Event('focus')));
  expect(screen.queryByRole('switch')).toBeNull();
});

it('stores each choice of the person at once, one after the other, and takes back what fails (R-PUSH-63)', async () => {
  server.on(PREFERENCES, networkError);
  const { user } = open();
  await screen.findByText('Gagal memuat pilihan notifikasi');
  server.on(PREFERENCES, okAnswer({ enabled: true, preview: true, quiet_hours: null }));
  await user.click(screen.getByRole('button', { name: 'Coba lagi' }));
  await screen.findByRole('switch', { name: ACCOUNT });
  await user.click(toggle('Tampilkan isi pesan'));
  await user.click(toggle('Jam tenang'));
  expect(await screen.findByText('Pilihan tersimpan.')).toBeTruthy();
  expect(stored()).toEqual([
    { enabled: true, preview: false, quiet_hours: null },
    { enabled: true, preview: false, quiet_hours: { from: '21:00', to: '06:00' } },
  ]);
  server.on(STORE, failAnswer(500, 'Terjadi kesalahan pada server'));
  server.on(PREFERENCES, networkError);
  await user.click(toggle(ACCOUNT));
  expect(await screen.findByText('Terjadi kesalahan pada server')).toBeTruthy();
  await waitFor(() => expect(toggle(ACCOUNT).checked).toBe(true));
  expect(screen.queryByText('Pilihan tersimpan.')).toBeNull();

  server.on(STORE, ({ body }) => okAnswer(body));
  await user.click(toggle(ACCOUNT));
  expect(await screen.findByText(/Sedang dimatikan/)).toBeTruthy();
  expect(toggle('Tampilkan isi pesan').disabled).toBe(true);
  expect(toggle('Jam tenang').disabled).toBe(true);
});

it('takes quiet hours by keyboard, and refuses what is no time or no span (R-PUSH-64)', async () => {
  server.on(PREFERENCES, okAnswer({ enabled: true, preview: true, quiet_hours: { from: '21:00', to: '06:00' } }));
  const { user } = open();
  const hours = within(await screen.findByRole('group', { name: 'Jam tenang' }));
  expect(screen.getByText(/^Dari 21\.00 sampai 06\.00 keesokan harinya \(WIB\)/)).toBeTruthy();
  const from = hours.getByRole<HTMLInputElement>('textbox', { name: 'Mulai jam' });
  const to = hours.getByRole<HTMLInputElement>('textbox', { name: 'Selesai jam' });
  await user.clear(from);
  await user.type(from, '2230{Enter}');
  expect(await screen.findByText(/^Dari 22\.30/)).toBeTruthy();
  await user.clear(to);
  await user.type(to, 'pagi');
  await user.tab();
  expect(hours.getByRole('alert').textContent).toBe('Tulis jam seperti 21.00');
  expect(to.getAttribute('aria-invalid')).toBe('true');
  await user.clear(to);
  await user.type(to, '22.30{Enter}');
  expect(hours.getByRole('alert').textContent).toBe('Jam mulai dan jam selesai tidak boleh sama');
  await user.clear(to);
  await user.type(to, '23');
  await user.tab();
  expect(await screen.findByText(/^Dari 22\.30 sampai 23\.00 \(WIB\)/)).toBeTruthy();
  expect([from.value, to.value]).toEqual(['22.30', '23.00']);
  expect(stored().map(({ quiet_hours }) => quiet_hours)).toEqual([
    { from: '22:30', to: '06:00' },
    { from: '22:30', to: '23:00' },
  ]);
});

it('sends a test, says what the push service answered, and replaces a subscription that ended (R-PUSH-65)', async () => {
  const { user } = open();
  await user.click(toggle(DEVICE));
  const button = await screen.findByRole('button', { name: 'Kirim notifikasi percobaan' });
  const answers: [Parameters<typeof server.on>[1], RegExp][] = [
    [okAnswer({ result: 'busy', status: 503 }), /sedang sibuk \(503\)/],
    [okAnswer({ result: 'unreachable', status: null }), /Periksa sambungan internet di kantor/],
    [networkError, /tidak terkirim/],
    [failAnswer(404, 'Notifikasi belum dinyalakan di perangkat ini'), /belum dinyalakan di perangkat ini/],
    [okAnswer({ result: 'ended', status: null }), /sudah berakhir/],
  ];
  for (const [answer, words] of answers) {
    server.on(TEST, answer);
    await user.click(button);
    await waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(words));
  }
  server.on(TEST, okAnswer({ result: 'sent', status: null }));
  await user.click(screen.getByRole('button', { name: 'Nyalakan ulang' }));
  expect(await screen.findByText(/^Notifikasi percobaan terkirim/)).toBeTruthy();
  expect(server.callsOf(DEVICE_OFF)).toHaveLength(1);
  expect(server.callsOf('PUT /api/push/subscription')).toHaveLength(2);
  expect(screen.queryByRole('alert')).toBeNull();
});
