import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { failAnswer, fakeServer, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { ownPasswordTexts } from '#shared/api/users.ts';
import { errorTexts } from '#shared/texts.ts';
import { buildUser } from '../testing/build-user.ts';
import { UsersPage } from '../list/users-page.tsx';

const ONE = 'GET /api/admin/users/u1';
const QUOTA = 'GET /api/admin/users/u1/quota';
const UPDATE = 'PUT /api/admin/users/u1';

const ratna = buildUser({ id: 'a1', name: 'Ratna Dewi', email: 'ratna@kantor.id', is_admin: true });
const siti = buildUser({ id: 'u1', name: 'Siti Aminah', email: 'siti@contoh.id' });

let server: ReturnType<typeof fakeServer>;

beforeEach(() => {
  signIn({ id: 'a1', name: 'Ratna Dewi', email: 'ratna@kantor.id', is_admin: true });
  server = fakeServer();
  server.on('GET /api/admin/users', okListAnswer([ratna, siti]));
  server.on(ONE, okAnswer(siti));
});

const open = (search = '') => renderPage(<UsersPage />, { path: '/admin/users', at: `/admin/users${search}` });
const dialog = async () => within(await screen.findByRole('dialog', { name: 'Edit Pengguna' }));

async function openSiti() {
  const view = open();
  await screen.findByText('Siti Aminah');
  await view.user.click(screen.getByRole('button', { name: 'Edit Siti Aminah' }));
  return { ...view, box: await dialog() };
}

describe('useEditDialog', () => {
  it('opens the dialog for ?edit=, also for a user outside the list, and removes the parameter', async () => {
    server.on('GET /api/admin/users', okListAnswer([ratna]));
    const { router } = open('?status=aktif&edit=u1');
    const box = await dialog();
    expect(box.getByRole<HTMLInputElement>('textbox', { name: 'Nama' }).value).toBe('Siti Aminah');
    expect(box.getByRole<HTMLInputElement>('checkbox', { name: 'Pengguna Aktif' }).checked).toBe(true);
    expect(box.getByRole<HTMLInputElement>('checkbox', { name: 'Hak Akses Admin' }).checked).toBe(false);
    expect(router.state.location.search).toBe('?status=aktif');
  });

  it('shows an error when the user of ?edit= does not exist', async () => {
    server.on(ONE, failAnswer(404, errorTexts.userMissing));
    open('?edit=u1');
    await screen.findByText('User tidak ditemukan');
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('EditUserDialog', () => {
  it.each([
    [
      { records: 12, records_max: 500, proof_bytes: 3_670_016, proof_bytes_max: 314_572_800 },
      'Tersimpan: 12 dari 500 data PBB, foto dan dokumen 3,5 dari 300 MB',
    ],
    [
      { records: 1, records_max: 500, proof_bytes: 20_000, proof_bytes_max: 314_572_800 },
      'Tersimpan: 1 dari 500 data PBB, foto dan dokumen kurang dari 1 MB (dari 300 MB)',
    ],
    [
      { records: 1200, records_max: null, proof_bytes: 0, proof_bytes_max: null },
      'Tersimpan: 1.200 data PBB, foto dan dokumen 0 MB',
    ],
  ])('says what the account has stored: %o', async (quota, line) => {
    server.on(QUOTA, okAnswer(quota));
    const { box } = await openSiti();
    expect((await box.findByText(/^Tersimpan/)).textContent).toBe(line);
  });

  it('works without that line when the server does not tell', async () => {
    server.on(QUOTA, failAnswer(500));
    server.on(UPDATE, okAnswer(siti));
    const { user, box } = await openSiti();
    await waitFor(() => expect(server.callsOf(QUOTA).length).toBeGreaterThan(0));
    expect(box.queryByText(/Tersimpan/)).toBeNull();
    await user.click(box.getByRole('button', { name: 'Update' }));
    await screen.findByText('User berhasil diperbarui');
  });

  it('sends the input with the time of the loaded version, shows the success and closes', async () => {
    server.on(UPDATE, okAnswer(siti));
    const { user, box } = await openSiti();
    await user.type(box.getByRole('textbox', { name: 'Nama' }), ' Rahman');
    await user.click(box.getByRole('checkbox', { name: 'Pengguna Aktif' }));
    expect(box.queryByLabelText(/^Password Anda/)).toBeNull();
    await user.click(box.getByRole('button', { name: 'Update' }));
    await screen.findByText('User berhasil diperbarui');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.callsOf(UPDATE).map(({ body }) => body)).toEqual([
      {
        name: 'Siti Aminah Rahman',
        email: 'siti@contoh.id',
        is_active: false,
        is_admin: false,
        updated_at: siti.updated_at,
      },
    ]);
  });

  const QUESTION =
    'Jadikan Siti Aminah Rahman (siti@contoh.id) administrator? Ia dapat melihat dan mengubah semua data warga.';
  const question = async () => within(await screen.findByRole('dialog', { name: 'Administrator baru' }));

  it('asks by name and e-mail, with the own password, before it makes an administrator', async () => {
    server.on(UPDATE, failAnswer(422, 'Password salah', { current_password: ['Password salah'] }));
    const { user, box } = await openSiti();
    await user.type(box.getByRole('textbox', { name: 'Nama' }), ' Rahman');
    await user.click(box.getByRole('checkbox', { name: 'Hak Akses Admin' }));
    expect(box.queryByLabelText(/^Password Anda/)).toBeNull();
    await user.click(box.getByRole('button', { name: 'Update' }));
    const asked = await question();
    expect(asked.getByText(QUESTION)).toBeTruthy();
    const field = asked.getByLabelText<HTMLInputElement>(/^Password Anda/);
    expect(field.autocomplete).toBe('current-password');
    await user.click(asked.getByRole('button', { name: 'Jadikan administrator' }));
    await asked.findByText('Masukkan password Anda');
    expect(server.callsOf(UPDATE)).toHaveLength(0);
    await user.type(field, 'salah{Enter}');
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    await waitFor(() => expect(document.activeElement).toBe(field));
    expect(box.getByRole<HTMLInputElement>('textbox', { name: 'Nama' }).value).toBe('Siti Aminah Rahman');
    server.on(UPDATE, okAnswer(siti));
    await user.clear(field);
    await user.type(field, 'rahasia-saya{Enter}');
    await screen.findByText('User berhasil diperbarui. Siti Aminah Rahman (siti@contoh.id) sekarang administrator.');
    const [wrong, right] = server.callsOf(UPDATE).map(({ body }) => body);
    expect(wrong).toMatchObject({ is_admin: true, current_password: 'salah' });
    expect(right).toMatchObject({ is_admin: true, current_password: 'rahasia-saya' });
  });

  it('keeps the input when the question is declined, with Escape too, and sends nothing', async () => {
    const { user, box } = await openSiti();
    await user.type(box.getByRole('textbox', { name: 'Nama' }), ' Rahman');
    await user.click(box.getByRole('checkbox', { name: 'Hak Akses Admin' }));
    for (const decline of [
      async () => user.click((await question()).getByRole('button', { name: 'Batal' })),
      async () => user.type((await question()).getByLabelText(/^Password Anda/), '{Escape}'),
    ]) {
      await user.click(box.getByRole('button', { name: 'Update' }));
      await decline();
      await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Administrator baru' })).toBeNull());
      expect(screen.queryByText('Perubahan belum disimpan')).toBeNull();
      expect(box.getByRole<HTMLInputElement>('textbox', { name: 'Nama' }).value).toBe('Siti Aminah Rahman');
    }
    expect(server.callsOf(UPDATE)).toHaveLength(0);
  });

  it('asks for the own password in the form when it takes the role away', async () => {
    const dewi = buildUser({ id: 'u1', name: 'Dewi', email: 'dewi@kantor.id', is_admin: true });
    server.on('GET /api/admin/users', okListAnswer([ratna, dewi]));
    server.on(ONE, okAnswer(dewi));
    server.on(UPDATE, okAnswer(dewi));
    const { user } = open('?edit=u1');
    const box = await dialog();
    await user.click(box.getByRole('checkbox', { name: 'Hak Akses Admin' }));
    await user.type(box.getByLabelText(/^Password Anda/), 'rahasia-saya{Enter}');
    await screen.findByText('User berhasil diperbarui');
    expect(server.callsOf(UPDATE)[0]?.body).toMatchObject({ is_admin: false, current_password: 'rahasia-saya' });
  });

  it('asks for the own password when only the server knows that the account was an administrator of late', async () => {
    server.on(UPDATE, failAnswer(422, ownPasswordTexts.missing, { current_password: [ownPasswordTexts.missing] }));
    const { user, box } = await openSiti();
    expect(box.queryByLabelText(/^Password Anda/)).toBeNull();
    await user.click(box.getByRole('checkbox', { name: 'Pengguna Aktif' }));
    await user.click(box.getByRole('button', { name: 'Update' }));
    await box.findByText('Masukkan password Anda');
    server.on(UPDATE, okAnswer(siti));
    await user.type(box.getByLabelText(/^Password Anda/), 'rahasia-saya{Enter}');
    await screen.findByText('User berhasil diperbarui');
    expect(server.callsOf(UPDATE).at(-1)?.body).toMatchObject({ is_active: false, current_password: 'rahasia-saya' });
  });

  it('keeps the address of an account without an e-mail address while none is typed', async () => {
    const karto = { ...siti, email: 'w-48217735@tanpa-email.invalid', has_email: false };
    server.on('GET /api/admin/users', okListAnswer([ratna, karto]));
    server.on(UPDATE, okAnswer(karto));
    const { user, box } = await openSiti();
    const email = box.getByRole<HTMLInputElement>('textbox', { name: 'Email' });
    expect(email.value).toBe('');
    expect(box.queryByRole('button', { name: 'Atur ulang password' })).toBeNull();
    await user.type(box.getByRole('textbox', { name: 'Nama' }), ' R.{Enter}');
    await screen.findByText('User berhasil diperbarui');
    expect(server.callsOf(UPDATE)[0]?.body).toMatchObject({ name: 'Siti Aminah R.', email: karto.email });
  });

  it('warns once and sends nothing while a field is missing', async () => {
    const { user, box } = await openSiti();
    await user.clear(box.getByRole('textbox', { name: 'Nama' }));
    await user.clear(box.getByRole('textbox', { name: 'Email' }));
    await user.click(box.getByRole('button', { name: 'Update' }));
    await screen.findByText('Nama dan email wajib diisi');
    expect(box.getByText('Nama wajib diisi')).toBeTruthy();
    expect(box.getByText('Email wajib diisi')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(box.getByRole('textbox', { name: 'Nama' })));
    expect(server.callsOf(UPDATE)).toHaveLength(0);
  });

  it('shows an error of the server at its field and keeps the input', async () => {
    server.on(UPDATE, failAnswer(422, errorTexts.emailTaken, { email: [errorTexts.emailTaken] }));
    const { user, box } = await openSiti();
    const email = box.getByRole<HTMLInputElement>('textbox', { name: 'Email' });
    await user.clear(email);
    await user.type(email, 'budi@contoh.id');
    await user.click(box.getByRole('button', { name: 'Update' }));
    await waitFor(() => expect(document.activeElement).toBe(email));
    expect(email.value).toBe('budi@contoh.id');
    expect(box.getAllByText('Email sudah terdaftar').length).toBeGreaterThan(0);
  });

  it('shows the rejection for the last admin', async () => {
    server.on(UPDATE, failAnswer(409, errorTexts.lastAdmin));
    const { user, box } = await openSiti();
    await user.click(box.getByRole('button', { name: 'Update' }));
    await box.findByText('Minimal harus ada satu admin aktif');
    expect(server.callsOf(ONE)).toHaveLength(0);
  });

  it('loads the version that another admin stored meanwhile, and keeps the input', async () => {
    const newer = { ...siti, name: 'Siti A.', email: 'baru@contoh.id', updated_at: '2025-04-01T00:00:00.000Z' };
    server.on(UPDATE, ({ body }) =>
      (body as { updated_at: string }).updated_at === newer.updated_at
        ? okAnswer(newer)
        : failAnswer(409, errorTexts.conflict),
    );
    server.on(ONE, okAnswer(newer));
    const { user, box } = await openSiti();
    await user.type(box.getByRole('textbox', { name: 'Nama' }), ' Rahman');
    await user.click(box.getByRole('button', { name: 'Update' }));
    await box.findByText('Data telah diubah oleh pengguna lain. Muat ulang lalu coba lagi.');
    expect(box.getByText(/Tersimpan sekarang: Nama: Siti A\.\. Periksa, lalu tekan Update lagi\./)).toBeTruthy();
    expect(box.getByRole<HTMLInputElement>('textbox', { name: 'Nama' }).value).toBe('Siti Aminah Rahman');
    // This field was not edited here, so the newer value is shown.
    expect(box.getByRole<HTMLInputElement>('textbox', { name: 'Email' }).value).toBe('baru@contoh.id');
    await user.click(box.getByRole('button', { name: 'Update' }));
    await screen.findByText('User berhasil diperbarui');
    expect(server.callsOf(UPDATE).at(-1)?.body).toMatchObject({ name: 'Siti Aminah Rahman', email: 'baru@contoh.id' });
  });

  it('closes when the user was deleted meanwhile', async () => {
    server.on(UPDATE, failAnswer(404, errorTexts.userMissing));
    const { user, box } = await openSiti();
    await user.click(box.getByRole('button', { name: 'Update' }));
    await screen.findByText('User tidak ditemukan');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('asks before unsaved input is discarded', async () => {
    const { user, box } = await openSiti();
    await user.type(box.getByRole('textbox', { name: 'Nama' }), '!');
    await user.click(box.getByRole('button', { name: 'Batal (Cancel)' }));
    const unsaved = within(await screen.findByRole('dialog', { name: 'Perubahan belum disimpan' }));
    await user.click(unsaved.getByRole('button', { name: 'Lanjut mengedit' }));
    expect(box.getByRole<HTMLInputElement>('textbox', { name: 'Nama' }).value).toBe('Siti Aminah!');
    await user.click(box.getByRole('button', { name: 'Batal (Cancel)' }));
    await user.click(await screen.findByRole('button', { name: 'Buang perubahan' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.callsOf(UPDATE)).toHaveLength(0);
  });

  it('locks the rights of the own account and shows the reason', async () => {
    server.on('GET /api/admin/users/a1', okAnswer(ratna));
    open('?edit=a1');
    const box = await dialog();
    expect(box.getByText(/^Anda tidak dapat menghapus, menonaktifkan, atau menurunkan akun sendiri/)).toBeTruthy();
    expect(box.getByRole<HTMLInputElement>('checkbox', { name: 'Pengguna Aktif' }).disabled).toBe(true);
    expect(box.getByRole<HTMLInputElement>('checkbox', { name: 'Hak Akses Admin' }).disabled).toBe(true);
    expect(box.getByRole<HTMLInputElement>('textbox', { name: 'Nama' }).disabled).toBe(false);
  });
});
