import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { OwnRecordEditPage } from './form-pages.tsx';
import { buildRecord, recordId } from '#client/testing/build-record.ts';
import { selectOption, textField, fillFields, pickPhoto } from '#client/testing/fill-form.ts';

const ID = recordId(77);
const READ = `GET /api/tax-records/${ID}`;
const UPDATE = `PUT /api/tax-records/${ID}`;
const DONE = 'Data PBB berhasil diperbarui';
const record = buildRecord({
  id: ID,
  year: 2023,
  spt_number: 'SPT-9',
  status: 'lunas',
  payment_date: '2023-08-17',
  due_date: '2023-09-30',
  notes: 'lama',
  property_type: 'toko',
  payment_proof: '/uploads/a.jpg?t=1',
});

let server: ReturnType<typeof fakeServer>;

beforeEach(() => {
  signIn();
  server = fakeServer();
  server.on(READ, okAnswer(record));
  server.on(UPDATE, okAnswer(record));
});

const open = (id = ID) =>
  renderPage(<OwnRecordEditPage />, { path: '/tax-records/:id/edit', at: `/tax-records/${id}/edit` });
const save = () => fireEvent.click(screen.getByRole('button', { name: /Simpan Perubahan|Menyimpan/ }));
const sent = () => server.callsOf(UPDATE).map(({ body }) => body);

/** Opens the form and waits until the record is loaded. */
async function openLoaded() {
  const view = open();
  await screen.findByRole('button', { name: 'Simpan Perubahan (Save)' });
  return view;
}

describe('OwnRecordEditPage: form', () => {
  it('starts with the stored values and the read-only year of the record', async () => {
    await openLoaded();
    expect(textField('Nama').value).toBe('Siti Aminah');
    expect(textField('Tahun').value).toBe('2023');
    expect(textField('Tahun').readOnly).toBe(true);
    expect(textField('Jumlah').value).toBe('1.500.000');
    expect(textField('Tanggal Pembayaran').value).toBe('17/08/2023');
    expect(screen.getByAltText('Bukti pembayaran saat ini').getAttribute('src')).toMatch(/\/uploads\/a\.jpg\?t=1$/);
  });

  it('offers the open years and the one of the record when several are open', async () => {
    server.on('GET /api/office', okAnswer({ open: true, user_years: [2026, 2025] }));
    await openLoaded();
    const year = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Tahun' });
    expect([...year.options].map(({ value }) => value)).toEqual(['2026', '2025', '2023']);
    expect(year.value).toBe('2023');
    fillFields({ 'Tanggal Jatuh Tempo': '30/9/2026' });
    expect(await screen.findByText(/Bila pada SPPT tertulis tahun 2026, pilih Tahun 2026 di atas\.$/)).toBeTruthy();
    selectOption('Tahun', '2026');
    expect(screen.queryByText(/^Jatuh tempo 2026/)).toBeNull();
    save();
    await screen.findByText(DONE);
    expect(sent()[0]).toMatchObject({ year: 2026 });
  });

  it('leaves the year of the record as it is with one open year, and says whom to ask', async () => {
    server.on('GET /api/office', okAnswer({ open: true, user_years: [2026] }));
    await openLoaded();
    await waitFor(() => expect(server.callsOf('GET /api/office')).toHaveLength(1));
    expect(textField('Tahun').readOnly).toBe(true);
    expect(screen.queryByText(/minta kantor/)).toBeNull();
    fillFields({ 'Tanggal Jatuh Tempo': '30/9/2026' });
    expect(await screen.findByText(/tertulis tahun 2026, minta kantor memperbaikinya lewat chat\.$/)).toBeTruthy();
  });

  it('sends JSON with the updated_at of the loaded record', async () => {
    await openLoaded();
    fillFields({ Jumlah: '2000000', Catatan: '' });
    save();
    await screen.findByText(DONE);
    expect(sent()).toEqual([
      {
        name: 'Siti Aminah',
        address: 'Jl. Melati 1',
        property_type: 'toko',
        spt_number: 'SPT-9',
        amount: 2_000_000,
        status: 'lunas',
        due_date: '2023-09-30',
        payment_date: '2023-08-17',
        description: null,
        notes: null,
        tax_type: 'PBB',
        year: 2023,
        updated_at: record.updated_at,
      },
    ]);
  });

  it('saves nothing while a date is no date', async () => {
    await openLoaded();
    fillFields({ 'Tanggal Jatuh Tempo': '31/02/2023' });
    save();
    await screen.findByText(/^Tanggal ini tidak ada/);
    expect(document.activeElement).toBe(textField('Tanggal Jatuh Tempo'));
    expect(sent()).toHaveLength(0);
  });

  it('sends a form with all fields when there is a new photo', async () => {
    await openLoaded();
    const file = pickPhoto();
    await screen.findByAltText('Pratinjau bukti pembayaran');
    selectOption('Status', 'belum_lunas');
    save();
    await screen.findByText(DONE);
    expect(sent()).toEqual([
      {
        name: 'Siti Aminah',
        address: 'Jl. Melati 1',
        property_type: 'toko',
        spt_number: 'SPT-9',
        amount: '1500000',
        status: 'belum_lunas',
        due_date: '2023-09-30',
        notes: 'lama',
        tax_type: 'PBB',
        year: '2023',
        updated_at: record.updated_at,
        payment_proof: file,
      },
    ]);
  });

  it('removes the stored photo', async () => {
    await openLoaded();
    fireEvent.click(screen.getByRole('button', { name: 'Hapus foto (Remove)' }));
    expect(screen.queryByAltText('Bukti pembayaran saat ini')).toBeNull();
    save();
    await screen.findByText(DONE);
    expect(sent()[0]).toMatchObject({ remove_payment_proof: true });
  });

  it('returns to the list after 1.5 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { router } = await openLoaded();
    save();
    await screen.findByText(DONE);
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(router.state.location.pathname).toBe(`/tax-records/${ID}/edit`);
    await act(() => vi.advanceTimersByTimeAsync(500));
    expect((await screen.findByTestId('elsewhere')).textContent).toBe('/tax-records');
  });
});

describe('OwnRecordEditPage: validation and errors', () => {
  it('shows one warning for the form and marks each missing field', async () => {
    await openLoaded();
    fillFields({ Nama: ' ', Jumlah: '' });
    save();
    expect(await screen.findAllByText('Mohon lengkapi data yang wajib diisi')).toHaveLength(1);
    expect(screen.getByText('Nama wajib diisi')).toBeTruthy();
    expect(screen.getByText('Jumlah wajib diisi')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(textField('Nama')));
    expect(sent()).toEqual([]);
  });

  it('rejects an amount of 0', async () => {
    await openLoaded();
    fillFields({ Jumlah: '0' });
    save();
    expect(screen.getByText('Jumlah pajak harus berupa angka yang valid')).toBeTruthy();
    expect(screen.queryByText('Mohon lengkapi data yang wajib diisi')).toBeNull();
    expect(sent()).toEqual([]);
  });

  it('shows an error and keeps the typed input when saving fails', async () => {
    server.on(UPDATE, failAnswer(500));
    await openLoaded();
    fillFields({ Catatan: 'baru' });
    save();
    await screen.findByText('Gagal memperbarui data PBB');
    expect(textField('Catatan').value).toBe('baru');
  });
});

describe('OwnRecordEditPage: a record that cannot be edited', () => {
  async function expectRedirectTo(list: string) {
    await act(() => vi.advanceTimersByTimeAsync(1500));
    expect((await screen.findByTestId('elsewhere')).textContent).toBe(list);
  }

  beforeEach(() => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
  });

  it('redirects to the list for a text that cannot be an id, without a call', async () => {
    open('undefined');
    await screen.findByText('ID data tidak valid');
    expect(screen.getByText('ID Data Tidak Valid')).toBeTruthy();
    expect(server.calls.filter(({ path }) => path !== '/api/office')).toEqual([]);
    await expectRedirectTo('/tax-records');
  });

  it('redirects to the list when the record does not exist', async () => {
    server.on(READ, failAnswer(404, 'Data PBB tidak ditemukan'));
    open();
    await screen.findByText('Data PBB tidak ditemukan');
    await expectRedirectTo('/tax-records');
  });

  it('redirects to the list when the record cannot be loaded', async () => {
    server.on(READ, failAnswer(500));
    open();
    await screen.findByText('Gagal memuat data PBB');
    await expectRedirectTo('/tax-records');
  });
});

describe('OwnRecordEditPage: conflict with another edit', () => {
  const CONFLICT = 'Data telah diubah oleh pengguna lain. Muat ulang lalu coba lagi.';
  const storedMeanwhile = {
    ...record,
    amount: 3_000_000,
    address: 'Jl. Mawar 2',
    updated_at: '2025-05-05T00:00:00.000Z',
  };
  const version = (name: string, which: RegExp) =>
    within(screen.getByRole('radiogroup', { name })).getByRole<HTMLButtonElement>('radio', { name: which });

  beforeEach(async () => {
    await openLoaded();
    server.on(UPDATE, failAnswer(409, CONFLICT));
    server.on(READ, okAnswer(storedMeanwhile));
    fillFields({ Jumlah: '2000000', Catatan: 'ketikan saya' });
    save();
    await screen.findByText(CONFLICT);
  });

  it('shows both versions, keeps the typed fields and takes over the others', () => {
    expect(version('Jumlah', /^Rp.3\.000\.000.*Tersimpan sekarang/).getAttribute('aria-checked')).toBe('false');
    expect(version('Jumlah', /^Rp.2\.000\.000.*Isian Anda/).getAttribute('aria-checked')).toBe('true');
    expect(version('Alamat', /Jl. Mawar 2/).getAttribute('aria-checked')).toBe('true');
    expect(textField('Jumlah').value).toBe('2.000.000');
    expect(textField('Catatan').value).toBe('ketikan saya');
    expect(textField('Alamat').value).toBe('Jl. Mawar 2');
  });

  it('saves the chosen versions with the updated_at of the stored record', async () => {
    fireEvent.click(version('Jumlah', /Tersimpan sekarang/));
    expect(textField('Jumlah').value).toBe('3.000.000');
    server.on(UPDATE, okAnswer(storedMeanwhile));
    save();
    await screen.findByText(DONE);
    expect(sent().at(-1)).toMatchObject({
      updated_at: storedMeanwhile.updated_at,
      amount: 3_000_000,
      address: 'Jl. Mawar 2',
      notes: 'ketikan saya',
    });
  });
});
