import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { NO_IDENTITY, readOfficeIdentity } from '#client/lib/office/office-identity.ts';
import { failAnswer, fakeServer, networkError, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { OfficeIdentity } from '#shared/api/office/office-identity.ts';
import { OfficeIdentityPage } from './identity-page.tsx';

const GET = 'GET /api/admin/office-identity';
const PUT = 'PUT /api/admin/office-identity';
const POST_LOGO = 'POST /api/admin/office-identity/logo';
const DELETE_LOGO = 'DELETE /api/admin/office-identity/logo';
const stored: OfficeIdentity = { ...NO_IDENTITY, name: 'Desa Sukamaju', phone: '022' };

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn({ is_admin: true });
  server = fakeServer();
  server.on(GET, okAnswer(stored));
});

async function open() {
  const view = renderPage(<OfficeIdentityPage />);
  await screen.findByRole('textbox', { name: 'Nama kantor' });
  return view;
}
const field = (name: string): HTMLInputElement => screen.getByRole('textbox', { name });
const save = (): HTMLElement => screen.getByRole('button', { name: 'Simpan (Save)' });
const logo = new File(['x'], 'logo.png', { type: 'image/png' });

it('shows what is stored, sends only what was changed, and every screen of this browser knows it', async () => {
  const changed = { ...stored, address: 'Jl. Raya 1' };
  server.on(PUT, okAnswer(changed));
  const { user } = await open();
  expect([field('Nama kantor').value, field('Telepon').value]).toEqual(['Desa Sukamaju', '022']);
  await user.type(field('Alamat'), 'Jl. Raya 1');
  await user.click(save());
  expect(await screen.findByText('Identitas kantor berhasil disimpan')).toBeTruthy();
  expect(server.callsOf(PUT).map(({ body }) => body)).toEqual([{ address: 'Jl. Raya 1' }]);
  expect(readOfficeIdentity()).toEqual(changed);
});

it('says what is wrong at the field, and keeps what was typed after a failure', async () => {
  const { user } = await open();
  await user.type(field('WhatsApp'), 'nomor saya');
  await user.click(save());
  expect(await screen.findByText('Nomor WhatsApp tidak valid')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(field('WhatsApp')));
  expect(server.callsOf(PUT)).toEqual([]);
  await user.clear(field('WhatsApp'));
  await user.type(field('WhatsApp'), '0812');
  server.on(PUT, networkError);
  await user.click(save());
  expect(await screen.findByText('Gagal menyimpan identitas kantor')).toBeTruthy();
  expect(field('WhatsApp').value).toBe('0812');
});

it('stores a logo when it is chosen, and removes it after a question', async () => {
  server.on(POST_LOGO, okAnswer({ ...stored, logo_url: '/uploads/logo/a.png' }));
  server.on(DELETE_LOGO, okAnswer(stored));
  const { user } = await open();
  expect(screen.queryByRole('button', { name: 'Hapus logo (Remove)' })).toBeNull();
  await user.upload(screen.getByLabelText('Gambar logo'), logo);
  const preview = await screen.findByRole('img', { name: 'Logo kantor saat ini' });
  expect(preview.getAttribute('src')).toMatch(/\/uploads\/logo\/a\.png$/);
  expect(server.callsOf(POST_LOGO).map(({ body }) => body)).toEqual([{ logo }]);
  await user.click(screen.getByRole('button', { name: 'Hapus logo (Remove)' }));
  await user.click(await screen.findByRole('button', { name: 'Batal' }));
  expect(server.callsOf(DELETE_LOGO)).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Hapus logo (Remove)' }));
  await user.click(await screen.findByRole('button', { name: 'Hapus logo' }));
  expect(await screen.findByText('Logo berhasil dihapus')).toBeTruthy();
  expect(screen.queryByRole('img', { name: 'Logo kantor saat ini' })).toBeNull();
  expect(readOfficeIdentity().logo_url).toBeNull();
});

it('says why a logo was refused, and keeps the one before and the texts', async () => {
  server.on(POST_LOGO, failAnswer(413, 'Ukuran logo maksimal 1MB'));
  const { user } = await open();
  await user.type(field('Nama kantor'), ' Baru');
  await user.upload(screen.getByLabelText('Gambar logo'), logo);
  expect(await screen.findByText('Ukuran logo maksimal 1MB')).toBeTruthy();
  expect(field('Nama kantor').value).toBe('Desa Sukamaju Baru');
});

it('offers another try when the identity cannot be loaded', async () => {
  server.on(GET, failAnswer(500, 'Terjadi kesalahan pada server'));
  const { user } = renderPage(<OfficeIdentityPage />);
  expect(await screen.findByText('Terjadi kesalahan pada server')).toBeTruthy();
  server.on(GET, okAnswer(stored));
  await user.click(screen.getByRole('button', { name: 'Coba lagi' }));
  expect(await screen.findByRole('textbox', { name: 'Nama kantor' })).toBeTruthy();
});
