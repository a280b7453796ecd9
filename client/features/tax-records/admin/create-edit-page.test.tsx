import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { buildRecord, recordId } from '#client/testing/build-record.ts';
import { failAnswer, fakeServer, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import { selectOption, textField, fillFields, pickPhoto, requiredFields } from '#client/testing/fill-form.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { AdminRecordCreatePage, AdminRecordEditPage } from './form-pages.tsx';

const CREATE = 'POST /api/admin/tax-records';
const budi = { id: 'u7', _id: 'u7', name: 'Budi Santoso', email: 'budi@contoh.id', has_email: true };
const ID = recordId(9);
const record = buildRecord({ id: ID, year: 2024, notes: 'lama', user: budi, user_id: 'u7' });
const UPDATE = `PUT /api/admin/tax-records/${ID}`;
const CONFLICT = 'Data telah diubah oleh pengguna lain. Muat ulang lalu coba lagi.';

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn({ is_admin: true });
  server = fakeServer();
  server.on('GET /api/admin/users', okListAnswer([budi]));
  server.on(`GET /api/admin/tax-records/${ID}`, okAnswer(record));
});

const save = () => fireEvent.click(screen.getByRole('button', { name: /^Simpan|Menyimpan/ }));

async function pickUser() {
  const picker = screen.getByRole('combobox', { name: 'User' });
  fireEvent.click(picker);
  fireEvent.click(await screen.findByRole('option', { name: /Budi Santoso/ }));
}

describe('AdminRecordCreatePage', () => {
  const open = () =>
    renderPage(<AdminRecordCreatePage />, { path: '/admin/tax-records/create', at: '/admin/tax-records/create' });

  it('asks for the user first, then for the missing fields', async () => {
    open();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Tambah Data Pajak (Admin)');
    save();
    expect(await screen.findAllByText('Pilih user terlebih dahulu')).toHaveLength(2);
    await pickUser();
    fillFields({ Alamat: '' });
    save();
    await screen.findByText('Mohon lengkapi semua field wajib');
    expect(screen.getByText('Alamat wajib diisi')).toBeTruthy();
    expect(server.callsOf(CREATE)).toHaveLength(0);
  });

  it('takes the owner of the URL, with the name, when the page of a user leads to it', async () => {
    server.on('GET /api/admin/users/u7', okAnswer(budi));
    server.on(CREATE, okAnswer(record));
    renderPage(<AdminRecordCreatePage />, {
      path: '/admin/tax-records/create',
      at: '/admin/tax-records/create?pemilik=u7',
    });
    const picker = await screen.findByRole<HTMLInputElement>('combobox', { name: 'User' });
    await waitFor(() => expect(picker.value).toBe('Budi Santoso (budi@contoh.id)'));
    expect(textField('Nama').value).toBe('Budi Santoso');
    const { Nama: _typedByHand, ...others } = requiredFields;
    fillFields(others);
    save();
    await screen.findByText('Data pajak berhasil ditambahkan');
    expect(server.callsOf(CREATE)[0]?.body).toMatchObject({ user_id: 'u7', name: 'Budi Santoso' });
  });

  it('searches users on the server by the typed text', async () => {
    const { user } = open();
    await user.type(screen.getByRole('combobox', { name: 'User' }), 'budi');
    await waitFor(() =>
      expect(server.callsOf('GET /api/admin/users').at(-1)?.query).toEqual({ search: 'budi', limit: '20' }),
    );
    const option = await screen.findByRole('option', { name: /Budi Santoso/ });
    expect(option.textContent).toContain('budi@contoh.id');
  });

  it('says that the due date is in another year than the tax', async () => {
    open();
    fillFields({ Tahun: '2025', 'Tanggal Jatuh Tempo': '30/9/2026' });
    expect(await screen.findByText('Jatuh tempo 2026, tetapi tahun pajak 2025.')).toBeTruthy();
    fillFields({ Tahun: '2026' });
    expect(screen.queryByText(/^Jatuh tempo \d/)).toBeNull();
  });

  it('sends the record with its owner and returns to the list after 1.2 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    server.on(CREATE, okAnswer(record));
    open();
    await pickUser();
    fillFields({ ...requiredFields, Tahun: '2026' });
    save();
    await screen.findByText('Data pajak berhasil ditambahkan');
    expect(server.callsOf(CREATE).map(({ body }) => body)).toEqual([
      {
        user_id: 'u7',
        name: 'Siti Aminah',
        address: 'Jl. Melati 1',
        property_type: null,
        spt_number: 'SPT-1',
        tax_type: 'PBB',
        year: 2026,
        amount: 1_500_000,
        status: 'belum_lunas',
        due_date: null,
        payment_date: null,
        description: null,
        notes: null,
      },
    ]);
    expect(screen.queryByTestId('elsewhere')).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(1200));
    expect((await screen.findByTestId('elsewhere')).textContent).toBe('/admin/tax-records');
  });

  it('saves nothing while the due date is no date, and adds the year to a day and month', async () => {
    server.on(CREATE, okAnswer(record));
    const { user } = open();
    await pickUser();
    fillFields({ ...requiredFields, Tahun: '2024', 'Tanggal Jatuh Tempo': '31/9' });
    save();
    await screen.findByText(/^Tanggal ini tidak ada/);
    expect(document.activeElement).toBe(textField('Tanggal Jatuh Tempo'));
    expect(server.callsOf(CREATE)).toHaveLength(0);
    fillFields({ 'Tanggal Jatuh Tempo': '30/9' });
    await user.tab();
    expect(textField('Tanggal Jatuh Tempo').value).toBe('30/09/2024');
    save();
    await screen.findByText('Data pajak berhasil ditambahkan');
    expect(server.callsOf(CREATE)[0]?.body).toMatchObject({ due_date: '2024-09-30' });
  });

  it('sends a form when there is a photo, and shows why the photo was refused', async () => {
    server.on(CREATE, failAnswer(415, 'File harus berupa gambar JPG, PNG, atau GIF'));
    open();
    await pickUser();
    fillFields(requiredFields);
    pickPhoto();
    await screen.findByAltText('Pratinjau bukti pembayaran');
    save();
    expect((await screen.findAllByText('File harus berupa gambar JPG, PNG, atau GIF')).length).toBeGreaterThan(0);
    expect(server.callsOf(CREATE)[0]?.body).toMatchObject({ user_id: 'u7', payment_proof: expect.any(File) });
  });

  it('shows its own error text when the server sends none', async () => {
    server.on(CREATE, failAnswer(500));
    open();
    await pickUser();
    fillFields(requiredFields);
    save();
    await screen.findByText('Gagal menambahkan data pajak');
    expect(textField('Nomor SPT').value).toBe('SPT-1');
  });
});

describe('AdminRecordEditPage', () => {
  async function open() {
    const view = renderPage(<AdminRecordEditPage />, {
      path: '/admin/tax-records/:id/edit',
      at: `/admin/tax-records/${ID}/edit`,
    });
    await screen.findByRole('button', { name: 'Simpan Perubahan (Save)' });
    return view;
  }

  it('shows the owner and enables the payment date only for status lunas', async () => {
    await open();
    expect(screen.getByText('budi@contoh.id')).toBeTruthy();
    expect(textField('Tanggal Pembayaran').disabled).toBe(true);
    expect(screen.getByText('Tanggal pembayaran hanya bisa diisi jika status Lunas')).toBeTruthy();
    selectOption('Status', 'lunas');
    expect(textField('Tanggal Pembayaran').disabled).toBe(false);
    save();
    expect((await screen.findAllByText('Tanggal pembayaran wajib diisi jika status Lunas')).length).toBe(2);
    expect(server.callsOf(UPDATE)).toHaveLength(0);
  });

  it('accepts years from 2020 to 2030 and marks each missing field', async () => {
    await open();
    fillFields({ Tahun: '2031', 'Nomor SPT': '' });
    save();
    await screen.findByText('Mohon lengkapi semua field yang wajib diisi');
    expect(screen.getByText('Tahun harus antara 2020 dan 2030')).toBeTruthy();
    expect(screen.getByText('Nomor SPT wajib diisi')).toBeTruthy();
  });

  it('sends the edit with its updated_at and returns to the list after 1.5 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    server.on(UPDATE, okAnswer(record));
    await open();
    fillFields({ Tahun: '2025', Jumlah: '2000' });
    save();
    await screen.findByText('Data pajak berhasil diperbarui');
    expect(server.callsOf(UPDATE)[0]?.body).toMatchObject({ year: 2025, amount: 2000, updated_at: record.updated_at });
    await act(() => vi.advanceTimersByTimeAsync(1500));
    expect((await screen.findByTestId('elsewhere')).textContent).toBe('/admin/tax-records');
  });

  it('shows both versions after a conflict and loses neither', async () => {
    await open();
    server.on(UPDATE, failAnswer(409, CONFLICT));
    server.on(
      `GET /api/admin/tax-records/${ID}`,
      okAnswer({ ...record, notes: 'dari warga', address: 'Jl. Baru', updated_at: '2026-01-01T00:00:00.000Z' }),
    );
    fillFields({ Catatan: 'dari admin' });
    save();
    const panel = await screen.findByRole('region', { name: CONFLICT });
    expect(within(panel).getByText('dari warga')).toBeTruthy();
    expect(within(panel).getByText('dari admin')).toBeTruthy();
    expect(textField('Alamat').value).toBe('Jl. Baru');
    expect(textField('Catatan').value).toBe('dari admin');
    server.on(UPDATE, okAnswer(record));
    save();
    await screen.findByText('Data pajak berhasil diperbarui');
    expect(server.callsOf(UPDATE).at(-1)?.body).toMatchObject({
      notes: 'dari admin',
      address: 'Jl. Baru',
      updated_at: '2026-01-01T00:00:00.000Z',
    });
  });

  it('shows an error when the record does not exist', async () => {
    server.on(`GET /api/admin/tax-records/${ID}`, failAnswer(404, 'Data pajak tidak ditemukan'));
    renderPage(<AdminRecordEditPage />, { path: '/admin/tax-records/:id/edit', at: `/admin/tax-records/${ID}/edit` });
    await screen.findByText('Data pajak tidak ditemukan');
    expect(screen.getByRole('heading', { name: 'Data Pajak Tidak Ditemukan' })).toBeTruthy();
  });
});
