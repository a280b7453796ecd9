import { screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { showDateTime } from '#client/lib/format.ts';
import { failAnswer, fakeServer, networkError, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { BackupsData } from '#shared/api/system.ts';
import { BackupCard } from './backup-card.tsx';
import { buildBackup, buildBackupsData, hoursAgo } from '../testing/build-system.ts';

const LIST = 'GET /api/admin/backups';
const MAKE = 'POST /api/admin/backups';
const name = 'pbb-kita-20260610-120000.tar';
const DOWNLOAD = `POST /api/admin/backups/${name}/download`;

function open(data: BackupsData | Parameters<ReturnType<typeof fakeServer>['on']>[1]) {
  const server = fakeServer();
  server.on(LIST, typeof data === 'object' && 'backups' in data ? okAnswer(data) : data);
  signIn({ is_admin: true });
  return { ...renderPage(<BackupCard />), server };
}

const makeButton = () => screen.findByRole('button', { name: 'Cadangkan sekarang' });
const rows = () => within(screen.getByRole('list', { name: 'Daftar cadangan' })).getAllByRole('listitem');
const running = (percent: number) => buildBackupsData({ running: { started_at: hoursAgo(0), percent } });

it('shows the state of the backups and the list', async () => {
  const manual = buildBackup({ name: 'pbb-kita-20260610-130000-manual.tar', kind: 'manual', size_bytes: 8192 });
  open(buildBackupsData({}, [manual, buildBackup()]));
  expect(await screen.findByText('Setiap 2 jam')).toBeTruthy();
  expect(screen.getByText(/^Berikutnya: 4\d menit lagi \(.* pukul .*\)$/)).toBeTruthy();
  expect(screen.getByText('987,7 MB')).toBeTruthy();
  expect(
    screen.getByText(
      'Hanya ada satu salinan. Pengelola server memasang disk kedua, untuk cadangan dan salinan berjalan, menurut panduan, bab Cadangan.',
    ),
  ).toBeTruthy();
  expect(rows()).toHaveLength(2);
  expect(rows()[0]?.textContent).toMatch(/pukul .*Manual8,2 KB2 jam yang laluUnduh$/);
  expect(rows()[1]?.textContent).toContain('Otomatis12,3 MB');
  expect(screen.getByText(`pbb-kita restore ${manual.name}`)).toBeTruthy();
});

it('shows the age and size of the last backup of PostgreSQL, without button and list', async () => {
  const last = buildBackup({ name: 'postgres' });
  open({ ...buildBackupsData({ engine: 'postgres', every_hours: 24, next_at: null, last }, []), engine: 'postgres' });
  expect(await screen.findByText('Cadangan diatur di PostgreSQL.')).toBeTruthy();
  expect([screen.getByText('2 jam yang lalu'), screen.getByText('12,3 MB')]).toHaveLength(2);
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.queryByRole('list')).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
});

it.each([
  ['there is no backup', { last: null }, /Belum ada cadangan.*menurut panduan/],
  ['it is late', { last: buildBackup({ created_at: hoursAgo(27) }) }, /terlalu lama.*Beri tahu pengelola server/],
  ['it failed', { last: null, failure: { at: hoursAgo(1), message: 'Disk penuh.' } }, /gagal.*Disk penuh\. Beri tahu/],
])('says what to do about the backup of PostgreSQL when %s', async (_name, fields, text) => {
  open({
    ...buildBackupsData({ engine: 'postgres', every_hours: 24, next_at: null, ...fields }, []),
    engine: 'postgres',
  });
  expect((await screen.findByRole('alert')).textContent).toMatch(text);
});

it('does not show a backup dated in the future as the newest', async () => {
  const future = buildBackup({ name: 'pbb-kita-20990101-120000.tar', created_at: hoursAgo(-24) });
  const last = buildBackup();
  open(buildBackupsData({ last }, [future, last]));
  expect(await screen.findByText(`pbb-kita restore ${last.name}`)).toBeTruthy();
  expect(rows()[0]?.textContent).toContain('Dari jam yang salah (masa depan)');
  expect(rows()[1]?.textContent).toContain('2 jam yang lalu');
});

it('shows ten backups at first and all on request', async () => {
  const many = Array.from({ length: 12 }, (_, index) =>
    buildBackup({ name: `pbb-kita-20260610-12${index + 10}00.tar` }),
  );
  const { user } = open(buildBackupsData({}, many));
  await makeButton();
  expect(rows()).toHaveLength(10);
  await user.click(screen.getByRole('button', { name: 'Tampilkan semua (12)' }));
  expect(rows()).toHaveLength(12);
  await user.click(screen.getByRole('button', { name: 'Tampilkan lebih sedikit' }));
  expect(rows()).toHaveLength(10);
});

it('says that there are no backups and that automatic backups are off', async () => {
  open(buildBackupsData({ every_hours: 0, next_at: null, total_bytes: 0 }, []));
  expect(await screen.findByText('Belum ada cadangan')).toBeTruthy();
  expect(screen.getByText('Mati')).toBeTruthy();
  expect(screen.getByText(/Pengelola server dapat menyalakan/)).toBeTruthy();
  expect(screen.queryByRole('list')).toBeNull();
});

it('starts a backup, shows its progress and reports its success', async () => {
  const { server, user } = open(buildBackupsData());
  server.on(MAKE, okAnswer(running(0)));
  const button = await makeButton();
  server.on(LIST, okAnswer(running(42)));
  await user.click(button);
  expect(await screen.findByText('Mencadangkan… 42%')).toBeTruthy();
  expect(screen.getByRole('progressbar', { name: 'Kemajuan pencadangan' }).getAttribute('aria-valuenow')).toBe('42');
  expect(button.getAttribute('aria-busy')).toBe('true');
  await user.click(button);
  expect(server.callsOf(MAKE)).toHaveLength(1);
  const made = buildBackup({ name: 'pbb-kita-20260610-140000-manual.tar', kind: 'manual', created_at: hoursAgo(0) });
  server.on(LIST, okAnswer(buildBackupsData({}, [made, buildBackup()])));
  expect(await screen.findByText('Cadangan selesai dibuat')).toBeTruthy();
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(rows()).toHaveLength(2);
});

it('reports the success of a backup that ended before the first poll', async () => {
  const { server, user } = open(buildBackupsData());
  server.on(MAKE, okAnswer(buildBackupsData()));
  await user.click(await makeButton());
  expect(await screen.findByText('Cadangan selesai dibuat')).toBeTruthy();
});

it('shows why a backup failed and what to do', async () => {
  const failure = { at: hoursAgo(0), message: 'Disk penuh saat mencadangkan. Kosongkan ruang disk.' };
  const { server, user } = open(running(10));
  await screen.findByRole('progressbar');
  server.on(LIST, okAnswer(buildBackupsData({ failure })));
  expect(await screen.findByText('Pencadangan gagal')).toBeTruthy();
  expect(screen.getByText(`Pencadangan gagal pada ${showDateTime(failure.at)}`)).toBeTruthy();
  expect(screen.getAllByText(failure.message).length).toBeGreaterThan(0);
  // The next backup succeeds.
  server.on(MAKE, okAnswer(buildBackupsData()));
  await user.click(await makeButton());
  expect(await screen.findByText('Cadangan selesai dibuat')).toBeTruthy();
  expect(screen.queryByText(/^Pencadangan gagal pada/)).toBeNull();
});

it('shows the message of the server when another backup runs', async () => {
  const { server, user } = open(buildBackupsData());
  server.on(MAKE, failAnswer(409, 'Pencadangan sedang berjalan'));
  const button = await makeButton();
  server.on(LIST, okAnswer(running(70)));
  await user.click(button);
  expect(await screen.findByText('Pencadangan sedang berjalan')).toBeTruthy();
  expect(await screen.findByRole('progressbar')).toBeTruthy();
});

it('shows the state of a missing and of an existing second folder', async () => {
  const lost = { path: '/mnt/usb', last_at: hoursAgo(50), failure: 'Folder "/mnt/usb" tidak ada. Pasang disk USB.' };
  const { server, queries: queryClient } = open(buildBackupsData({ second_folder: lost }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe(`Cadangan tidak tersalin ke folder kedua${lost.failure}`);
  expect(screen.getByText('/mnt/usb')).toBeTruthy();
  expect(screen.getByText('2 hari yang lalu')).toBeTruthy();
  server.on(LIST, okAnswer(buildBackupsData({ second_folder: { ...lost, last_at: hoursAgo(1.5), failure: null } })));
  await queryClient.invalidateQueries();
  expect(await screen.findByText('1 jam yang lalu')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

it('offers a retry when the backups cannot be loaded', async () => {
  const { server, user } = open(networkError);
  expect(await screen.findByText('Gagal memuat cadangan')).toBeTruthy();
  server.on(LIST, okAnswer(buildBackupsData()));
  await user.click(screen.getByRole('button', { name: 'Coba lagi' }));
  expect(await screen.findByText('Setiap 2 jam')).toBeTruthy();
});

it('warns that the data may be old when polling fails', async () => {
  const { server, queries: queryClient } = open(buildBackupsData());
  await makeButton();
  server.on(LIST, networkError);
  await queryClient.invalidateQueries();
  expect(await screen.findByText('Keadaan terbaru gagal dimuat')).toBeTruthy();
  expect(rows()).toHaveLength(1);
});

async function openDialog() {
  const view = open(buildBackupsData());
  await view.user.click(await screen.findByRole('button', { name: /^Unduh cadangan .* \(Download\)$/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Unduh Cadangan' }));
  const field = dialog.getByLabelText<HTMLInputElement>(/^Password/);
  const press = () => view.user.click(dialog.getByRole('button', { name: 'Unduh (Download)' }));
  return { ...view, dialog, field, press };
}

it('asks for the password before a download, and downloads in this tab', async () => {
  const clicked: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    clicked.push(`${this.getAttribute('href')} ${this.download} ${this.target}`);
  });
  const { server, user, field, press } = await openDialog();
  server.on(DOWNLOAD, okAnswer({ url: '/api/admin/backup-files/karcis' }));
  await user.type(field, 'kata-sandi');
  await press();
  expect(await screen.findByText('Unduhan dimulai')).toBeTruthy();
  expect(server.callsOf(DOWNLOAD)[0]?.body).toEqual({ password: 'kata-sandi' });
  expect(clicked).toEqual([`/api/admin/backup-files/karcis ${name} `]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('sends nothing without a password', async () => {
  const { server, dialog, field, press } = await openDialog();
  await press();
  expect(await dialog.findByText('Password wajib diisi')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(server.callsOf(DOWNLOAD)).toHaveLength(0);
});

it('shows a wrong password at its field', async () => {
  const { server, user, dialog, field, press } = await openDialog();
  server.on(DOWNLOAD, failAnswer(422, 'Password salah', { password: ['Password salah'] }));
  await user.type(field, 'salah');
  await press();
  expect(await dialog.findByText('Password salah')).toBeTruthy();
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(dialog.queryByRole('alert')).toBeNull();
  await user.type(field, '!');
  expect(dialog.queryByText('Password salah')).toBeNull();
});

it.each([
  ['too many attempts', failAnswer(429, 'Terlalu banyak percobaan. Coba lagi dalam 60 detik.'), /dalam 60 detik/],
  ['a backup that no longer exists', failAnswer(404, 'Cadangan tidak ditemukan'), /Cadangan tidak ditemukan/],
  ['a lost connection', networkError, /Gagal mengunduh cadangan.*Periksa koneksi/],
])('shows %s in the dialog', async (_name, answer, text) => {
  const { server, user, dialog, field, press } = await openDialog();
  server.on(DOWNLOAD, answer);
  await user.type(field, 'kata-sandi');
  await press();
  expect((await dialog.findByRole('alert')).textContent).toMatch(text);
  expect(field.value).toBe('kata-sandi');
});
