import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { showDate } from '#client/lib/format.ts';
import { failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { SystemInfo } from '#shared/api/system.ts';
import { buildPublicReach, buildPushReach, buildSystemInfo, hoursAgo } from '../testing/build-system.ts';
import { ReachCard } from './reach-card.tsx';

async function open(fields: Partial<SystemInfo>): Promise<Record<string, string>> {
  fakeServer().on('GET /api/admin/system', okAnswer(buildSystemInfo(fields)));
  signIn({ is_admin: true });
  renderPage(<ReachCard />);
  await screen.findByRole('region', { name: 'Jangkauan dari luar' });
  const rows = screen
    .getAllByRole('term')
    .map((term) => [term.textContent, term.nextElementSibling?.textContent ?? '']);
  return Object.fromEntries(rows) as Record<string, string>;
}

beforeEach(() => {
  vi.stubGlobal('isSecureContext', true);
});

it('says without a public name where to read how to get one, and nothing of pushes that nobody asked for', async () => {
  vi.stubGlobal('isSecureContext', false);
  expect(await open({})).toEqual({
    'Alamat dari luar': expect.stringMatching(/^Belum ada.*“Dari nama domain sampai HP di rumah”/),
    'Penerima notifikasi':
      '0 perangkatNotifikasi hanya dapat dinyalakan di alamat https; halaman ini dibuka lewat http.',
  });
});

it('shows the address, until when the certificate is valid, and what became of the pushes', async () => {
  const reach = buildPublicReach();
  const { certificate } = reach;
  const push = buildPushReach({ subscriptions: 12, sent: 3456, failed: 2, reaches_out: true });
  expect(await open({ public: reach, push })).toEqual({
    'Alamat dari luar': 'https://pbb.desa.id',
    Sertifikat: `Berlaku sampai ${showDate(certificate.valid_until)}Diperbarui sendiri mulai ${showDate(certificate.next_attempt_at)}.`,
    'Penerima notifikasi': '12 perangkat',
    'Notifikasi terkirim': '3.456 terkirim, 2 gagalsejak server dijalankan',
    'Layanan notifikasi': 'Terjangkau',
  });
  expect(screen.getByRole('link', { name: 'https://pbb.desa.id' }).getAttribute('href')).toBe('https://pbb.desa.id');
});

it('says why there is no certificate yet, and when it is tried again', async () => {
  const last_error = { at: hoursAgo(1.5), message: 'Porta 80 tidak terjangkau dari internet. Periksa router.' };
  const reach = buildPublicReach({
    missing_names: ['pbb.desa.id'],
    valid_until: null,
    next_attempt_at: hoursAgo(-2.5),
    last_error,
  });
  expect(await open({ public: { ...reach, address: null } })).toMatchObject({
    'Alamat dari luar': 'pbb.desa.id belum dapat dibuka dengan https',
    Sertifikat: expect.stringMatching(
      /^Belum adaPercobaan terakhir gagal 1 jam yang lalu: Porta 80 tidak terjangkau dari internet\. Periksa router\.Dicoba lagi 2 jam lagi \(.*Coba lagi sekarang$/,
    ),
  });
});

it('asks for the certificate again at once after a failure, and says what came of it', async () => {
  const last_error = { at: hoursAgo(1.5), message: 'Porta 80 tidak terjangkau dari internet. Periksa router.' };
  const failed = buildPublicReach({ missing_names: ['pbb.desa.id'], valid_until: null, last_error });
  const issued = buildPublicReach();
  await open({ public: failed });
  const user = userEvent.setup();
  const server = fakeServer();
  server.on('GET /api/admin/system', okAnswer(buildSystemInfo({ public: failed })));
  server.on('POST /api/admin/system/certificate/retry', failAnswer(429, 'Coba lagi dalam 40 menit.'));
  await user.click(screen.getByRole('button', { name: 'Coba lagi sekarang' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Coba lagi dalam 40 menit.');
  server.on('POST /api/admin/system/certificate/retry', okAnswer(failed));
  await user.click(screen.getByRole('button', { name: 'Coba lagi sekarang' }));
  expect(await screen.findByText('Masih gagal. Sebabnya tertulis di atas.')).toBeTruthy();
  server.on('GET /api/admin/system', okAnswer(buildSystemInfo({ public: issued })));
  await user.click(screen.getByRole('button', { name: 'Coba lagi sekarang' }));
  const until = showDate(issued.certificate.valid_until);
  expect(await screen.findByText(`Berhasil. Berlaku sampai ${until}.`)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Coba lagi sekarang' })).toBeNull();
});

it('says that pushes do not get out of the office', async () => {
  const last_failure = { at: hoursAgo(0.5), message: 'Tidak ada jawaban dari fcm.googleapis.com.' };
  const push = buildPushReach({ subscriptions: 1, waiting: 4, failed: 1, reaches_out: false, last_failure });
  expect(await open({ push })).toMatchObject({
    'Notifikasi terkirim': '0 terkirim, 1 gagal, 4 menunggusejak server dijalankan',
    'Layanan notifikasi': expect.stringMatching(
      /^Tidak terjangkauServer tidak dapat menghubungi internet\..*Kegagalan terakhir 30 menit yang lalu: Tidak ada jawaban/,
    ),
  });
});
