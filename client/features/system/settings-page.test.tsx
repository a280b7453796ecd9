import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { failAnswer, fakeServer, networkError, okAnswer, neverAnswer } from '#client/testing/fake-server.ts';
import { screenWidth } from '#client/testing/screen-width.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import packageFile from '../../../package.json?raw';
import { SettingsPage } from './settings-page.tsx';
import type { AdminSettings } from './notifications/use-stored-settings.ts';
import { buildBackupsData, buildBackupStatus, buildSystemInfo } from './testing/build-system.ts';
import { CLIENT_VERSION } from './info/system-info-card.tsx';

type Permission = { before: NotificationPermission; answer?: NotificationPermission };

function mockNotificationApi({ before, answer = before }: Permission) {
  const request = vi.fn(() => {
    fake.permission = answer;
    return Promise.resolve(answer);
  });
  const fake = { permission: before, requestPermission: request };
  vi.stubGlobal('Notification', fake);
  return { request, fake };
}

const defaults: AdminSettings = {
  notifications: true,
  desktopNotifications: false,
  chatSound: true,
  repeatSound: false,
};
const KEY = 'admin_settings';
const read = (): AdminSettings => ({ ...defaults, ...JSON.parse(window.localStorage.getItem(KEY) ?? '{}') });
const write = (settings: AdminSettings) => window.localStorage.setItem(KEY, JSON.stringify(settings));
const playBeep = vi.fn(() => Promise.resolve(true));

const healthy = { status: 200, body: { status: 'ok' } };

function open(database: Parameters<ReturnType<typeof fakeServer>['on']>[1] = healthy) {
  const server = fakeServer();
  server.on('GET /healthz', database);
  server.on('GET /api/admin/system', okAnswer(buildSystemInfo({ backup: buildBackupStatus({ last: null }) })));
  server.on('GET /api/admin/backups', okAnswer(buildBackupsData({}, [])));
  signIn({ is_admin: true });
  const view = renderPage(<SettingsPage deps={{ read, write, defaults, playBeep }} />, { path: '/admin/settings' });
  return { ...view, server };
}

const toggle = (name: string) => screen.getByRole<HTMLInputElement>('switch', { name });
const stored = () => JSON.parse(window.localStorage.getItem('admin_settings') ?? 'null') as unknown;
const save = () => screen.getByRole('button', { name: 'Simpan (Save)' });

beforeEach(() => {
  vi.stubGlobal('isSecureContext', true);
  mockNotificationApi({ before: 'default' });
});

it('shows the defaults and stores what is saved', async () => {
  const { user } = open();
  expect(screen.getByRole('heading', { level: 1, name: 'Pengaturan Admin' })).toBeTruthy();
  const notifications = within(screen.getByRole('region', { name: 'Notifikasi' }));
  expect(notifications.getByText('Berlaku untuk peramban di perangkat ini saja.')).toBeTruthy();
  expect(['Notifikasi pesan', 'Notifikasi desktop', 'Suara chat'].map((name) => toggle(name).checked)).toEqual([
    true,
    false,
    true,
  ]);
  // The buttons end the card, and say that they save nothing else.
  expect(notifications.getByRole('button', { name: 'Simpan (Save)' })).toBe(save());
  expect(notifications.getByText('Simpan dan Reset hanya untuk pilihan di kartu ini.')).toBeTruthy();
  await user.click(toggle('Suara chat'));
  expect(stored()).toBeNull();
  expect(screen.getByText('Ada perubahan yang belum disimpan.')).toBeTruthy();
  await user.click(save());
  expect(await screen.findByText('Pengaturan berhasil disimpan')).toBeTruthy();
  expect(stored()).toEqual({ ...defaults, chatSound: false });
  expect(screen.queryByText('Ada perubahan yang belum disimpan.')).toBeNull();
});

it.each([
  [false, ['Cadangan', 'Notifikasi']],
  [true, ['Notifikasi', 'Cadangan']],
])('shows the backups above the switches in one column (wide: %s)', async (isWide, order) => {
  screenWidth.wide = isWide;
  open();
  await screen.findByText(/^Hanya ada satu salinan/);
  const names = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent ?? '');
  expect(names.filter((name) => order.includes(name))).toEqual(order);
});

it('shows the stored settings, and changes of another tab', async () => {
  write({ ...defaults, chatSound: false });
  open();
  expect(toggle('Suara chat').checked).toBe(false);
  write(defaults);
  window.dispatchEvent(new StorageEvent('storage', { key: KEY }));
  await waitFor(() => expect(toggle('Suara chat').checked).toBe(true));
});

it('stores the defaults after a confirmed reset', async () => {
  window.localStorage.setItem('admin_settings', '{"chatSound":false}');
  const { user } = open();
  await user.click(screen.getByRole('button', { name: 'Reset' }));
  const question = within(await screen.findByRole('dialog', { name: 'Reset Pengaturan' }));
  await user.click(question.getByRole('button', { name: 'Batal' }));
  expect(toggle('Suara chat').checked).toBe(false);
  await user.click(screen.getByRole('button', { name: 'Reset' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Reset' }));
  expect(await screen.findByText('Pengaturan berhasil direset')).toBeTruthy();
  expect(stored()).toEqual(defaults);
  expect(toggle('Suara chat').checked).toBe(true);
});

it.each([
  ['granted', 'Izin notifikasi desktop diberikan', true],
  ['denied', 'Izin notifikasi desktop ditolak', false],
  ['default', 'Izin notifikasi desktop belum diberikan', false],
] as const)('requests the permission for desktop notifications and handles the answer %s', async (answer, text, on) => {
  const { request } = mockNotificationApi({ before: 'default', answer });
  const { user } = open();
  await user.click(toggle('Notifikasi desktop'));
  expect(await screen.findByText(text)).toBeTruthy();
  expect(request).toHaveBeenCalledOnce();
  await waitFor(() => expect(toggle('Notifikasi desktop').checked).toBe(on));
  await user.click(save());
  expect(stored()).toMatchObject({ desktopNotifications: on });
});

it('does not request a permission again that was denied before', async () => {
  const { request } = mockNotificationApi({ before: 'denied' });
  const { user } = open();
  await user.click(toggle('Notifikasi desktop'));
  expect(await screen.findByText('Izin notifikasi desktop sebelumnya ditolak')).toBeTruthy();
  expect(screen.getByText('Peramban ini memblokir notifikasi dari PBB Kita')).toBeTruthy();
  expect(request).not.toHaveBeenCalled();
  expect(toggle('Notifikasi desktop').checked).toBe(false);
});

it('notices a permission that was changed in the browser', async () => {
  const { fake } = mockNotificationApi({ before: 'denied' });
  window.localStorage.setItem('admin_settings', '{"desktopNotifications":true}');
  open();
  expect(toggle('Notifikasi desktop').checked).toBe(false);
  fake.permission = 'granted';
  window.dispatchEvent(new Event('focus'));
  await waitFor(() => expect(toggle('Notifikasi desktop').checked).toBe(true));
});

it('explains what works without https', () => {
  vi.stubGlobal('isSecureContext', false);
  open();
  expect(toggle('Notifikasi desktop').disabled).toBe(true);
  expect(screen.getByText('Notifikasi desktop memerlukan alamat https')).toBeTruthy();
  expect(screen.getByText(/Bunyi, tanda di judul tab, dan angka pesan di menu tetap berfungsi/)).toBeTruthy();
});

it('explains that the browser has no desktop notifications', () => {
  vi.unstubAllGlobals();
  vi.stubGlobal('isSecureContext', true);
  open();
  expect(toggle('Notifikasi desktop').disabled).toBe(true);
  expect(screen.getByText('Peramban ini tidak mendukung notifikasi desktop')).toBeTruthy();
});

it('plays the sound, or says that the browser blocks it', async () => {
  const { user } = open();
  await user.click(screen.getByRole('button', { name: 'Tes suara' }));
  expect(await screen.findByText(/Suara dibunyikan/)).toBeTruthy();
  playBeep.mockResolvedValueOnce(false);
  await user.click(screen.getByRole('button', { name: 'Tes suara' }));
  expect(await screen.findByText('Peramban memblokir suara halaman ini')).toBeTruthy();
});

it('shows version, database state and last backup, and the other cards', async () => {
  open();
  const system = within(screen.getByRole('region', { name: 'Informasi Sistem' }));
  expect(system.getByText('v1.0.0')).toBeTruthy();
  expect(JSON.parse(packageFile)).toMatchObject({ version: CLIENT_VERSION });
  expect(await system.findByText('Terhubung')).toBeTruthy();
  expect(await system.findByText('Belum pernah')).toBeTruthy();
  expect(await screen.findByRole('region', { name: 'Cadangan' })).toBeTruthy();
  expect(await screen.findByRole('region', { name: 'Buka dari perangkat lain' })).toBeTruthy();
});

it.each([
  ['a database that does not answer', failAnswer(503, 'Server sedang sibuk. Coba lagi.'), 'Tidak terhubung'],
  ['a server that does not answer', networkError, 'Server tidak menjawab'],
  ['a server that has not answered yet', neverAnswer, 'Memeriksa…'],
])('shows the database state of %s', async (_name, answer, text) => {
  open(answer);
  expect(await screen.findByText(text)).toBeTruthy();
});

it('warns before unsaved changes are lost', async () => {
  const { user, router } = open();
  await user.click(toggle('Suara chat'));
  void router.navigate('/admin/dashboard');
  expect(await screen.findByRole('dialog', { name: 'Perubahan belum disimpan' })).toBeTruthy();
  expect(router.state.location.pathname).toBe('/admin/settings');
});
