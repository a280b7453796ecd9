import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { showDateTime } from '#client/lib/format.ts';
import { failAnswer, fakeServer, okAnswer, neverAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { SystemInfo as Info } from '#shared/api/system.ts';
import { SystemInfoCard } from './system-info-card.tsx';
import { buildBackup, buildBackupStatus, buildSystemInfo } from '../testing/build-system.ts';

function open(info: Parameters<ReturnType<typeof fakeServer>['on']>[1]) {
  const server = fakeServer();
  server.on('GET /healthz', { status: 200, body: { status: 'ok' } });
  server.on('GET /api/admin/system', info);
  signIn({ is_admin: true });
  return { ...renderPage(<SystemInfoCard />), server };
}
const openWith = (fields: Partial<Info> = {}) => open(okAnswer(buildSystemInfo(fields)));

/** The value of a label. */
async function findInfoValue(label: string): Promise<HTMLElement> {
  const term = await screen.findByText(label, { selector: 'dt' });
  const value = term.nextElementSibling;
  if (!(value instanceof HTMLElement)) throw new Error(`nothing beside ${label}`);
  return value;
}
const infoText = async (label: string) => (await findInfoValue(label)).textContent;

beforeEach(() => {
  vi.stubGlobal('isSecureContext', true);
});

it('shows version, database and last backup first, then the other values', async () => {
  openWith();
  await screen.findByText('Ukuran database');
  expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
    'Versi',
    'Database',
    'Cadangan terakhir',
    'Ukuran database',
    'Foto dan dokumen',
    'Ruang disk kosong',
    'Sedang terhubung',
    'Server berjalan',
    'Alamat halaman ini',
  ]);
  expect(await infoText('Versi')).toBe('v1.0.0');
  await waitFor(async () => expect(await infoText('Database')).toBe('Terhubung (Connected)'));
  expect(await infoText('Ukuran database')).toBe('45,6 MB');
  expect(await infoText('Foto dan dokumen')).toContain('1.234 berkas, 2,1 GB');
  expect(await infoText('Ruang disk kosong')).toBe('120 GBdari 250 GB');
  expect(await infoText('Sedang terhubung')).toBe('12 warga, 2 admin');
  expect(await infoText('Server berjalan')).toMatch(/^3 hari 4 jamsejak /);
});

it('shows how long ago the last backup was, and its exact time', async () => {
  const last = buildBackup();
  openWith({ backup: buildBackupStatus({ last }) });
  const exact = showDateTime(last.created_at);
  expect((await screen.findByText('2 jam yang lalu')).getAttribute('title')).toBe(exact);
  expect(await infoText('Cadangan terakhir')).toBe(`2 jam yang lalu${exact}`);
});

it('counts ages by the clock of the server, not of the browser', async () => {
  const now = '2030-01-02T03:00:00.000Z';
  const last = buildBackup({ created_at: '2030-01-02T00:30:00.000Z' });
  openWith({ started_at: '2030-01-01T03:00:00.000Z', backup: buildBackupStatus({ now, last }) });
  expect(await screen.findByText('2 jam yang lalu')).toBeTruthy();
  expect(await infoText('Server berjalan')).toMatch(/^1 hari/);
});

it.each([
  ['no backup yet', { last: null }, /^Belum pernahYang pertama dibuat otomatis: 4\d menit lagi$/],
  [
    'no backup and no automatic backups',
    { last: null, every_hours: 0, next_at: null },
    /^Belum pernahCadangan otomatis mati$/,
  ],
  ['only manual backups', { every_hours: 0, next_at: null }, /^2 jam yang lalu.* · Cadangan otomatis mati$/],
])('shows the state of the last backup: %s', async (_name, status, text) => {
  openWith({ backup: buildBackupStatus(status) });
  await screen.findByText('Ukuran database');
  expect(await infoText('Cadangan terakhir')).toMatch(text);
});

it('warns when the disk is nearly full', async () => {
  openWith({ disk: { free_bytes: 800_000_000, total_bytes: 250_000_000_000, users_refused: false } });
  await screen.findByText('Ukuran database');
  expect(await infoText('Ruang disk kosong')).toMatch(
    /^800 MBTidak cukup untuk mencadangkan, yang perlu sekitar 2,2 GB/,
  );
});

it('says that users are refused while the disk is left to admins, and what to do', async () => {
  openWith({ disk: { free_bytes: 200_000_000, total_bytes: 250_000_000_000, users_refused: true } });
  await screen.findByText('Ukuran database');
  expect(await infoText('Ruang disk kosong')).toMatch(
    /^200 MBTidak cukup untuk mencadangkan, .* Kosongkan disk sekarang\.Perubahan, pesan, dan unggahan warga sekarang ditolak\. Kosongkan disk komputer server: .* warga dapat melanjutkan\.$/,
  );
});

it.each([
  ['10.0.0.11:5432', 'PostgreSQL di 10.0.0.11:5432 menerima tulisan'],
  [null, 'Tidak ada PostgreSQL yang menerima tulisan: perubahan sekarang ditolak.'],
])('says which server of PostgreSQL takes writes: %s', async (primary, note) => {
  openWith({ database: { size_bytes: 45_600_000, primary } });
  expect(await screen.findByText(note)).toBeTruthy();
  expect(await infoText('Database')).toContain(note);
});

it('says which computers have lost the folder of photos, and what to do', async () => {
  openWith({ proofs: { count: 0, size_bytes: 0 }, files_lost_at: ['kota-1', 'kota-2'] });
  await screen.findByText('Ukuran database');
  expect(await infoText('Foto dan dokumen')).toMatch(
    /^Tidak tersambung di kota-1, kota-2Unggahan di sana sekarang ditolak, .* \(mount\)\. Sesudah itu semuanya berjalan sendiri\.$/,
  );
});

it('shows an unknown disk as unknown', async () => {
  openWith({ disk: null });
  await screen.findByText('Ukuran database');
  expect(await infoText('Ruang disk kosong')).toBe('Tidak diketahui');
});

it('links from http to the https address and to the trust page', async () => {
  vi.stubGlobal('isSecureContext', false);
  openWith({ secure_addresses: ['https://192.168.1.10:3443'], has_local_authority: true });
  const value = within(await findInfoValue('Alamat halaman ini'));
  expect(value.getByText('Tidak aman (http)')).toBeTruthy();
  const safe = value.getByRole('link', { name: 'https://192.168.1.10:3443' });
  expect(safe.getAttribute('href')).toMatch(/^https:\/\/192\.168\.1\.10:3443\//);
  const trust = value.getByRole('link', { name: 'Cara mempercayai alamat ini di HP dan PC' });
  expect(trust.getAttribute('href')).toBe('/percaya');
});

it('explains how to turn https on when it is off', async () => {
  vi.stubGlobal('isSecureContext', false);
  openWith();
  const value = within(await findInfoValue('Alamat halaman ini'));
  expect(value.getByText(/Minta pengelola server menyalakannya/)).toBeTruthy();
  expect(value.queryByRole('link')).toBeNull();
});

it('shows no advice at an https address', async () => {
  openWith({ secure_addresses: ['https://192.168.1.10:3443'] });
  const value = within(await findInfoValue('Alamat halaman ini'));
  expect(value.getByText('Aman')).toBeTruthy();
  expect(value.queryByRole('link')).toBeNull();
});

it('says when the page is older than the server', async () => {
  openWith({ version: 'v1.1.0' });
  expect(await screen.findByText('v1.1.0')).toBeTruthy();
  expect(screen.getByText('Halaman ini masih v1.0.0. Muat ulang untuk memperbaruinya.')).toBeTruthy();
});

it('shows the first three lines while the rest is loaded', async () => {
  open(neverAnswer);
  expect(await infoText('Cadangan terakhir')).toBe('Memeriksa…');
  expect(screen.getAllByRole('term')).toHaveLength(3);
});

it('shows the first three lines when the rest cannot be loaded, and offers a retry', async () => {
  const { server, user } = open(failAnswer(503, 'Server sedang sibuk. Coba lagi.'));
  expect((await screen.findByRole('alert')).textContent).toContain('Server sedang sibuk. Coba lagi.');
  expect(await infoText('Versi')).toBe('v1.0.0');
  expect(await infoText('Cadangan terakhir')).toBe('Belum diketahui');
  server.on('GET /api/admin/system', okAnswer(buildSystemInfo()));
  await user.click(screen.getByRole('button', { name: 'Coba lagi' }));
  expect(await screen.findByText('45,6 MB')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});
