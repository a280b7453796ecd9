import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail, fakeServer, ok } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { RecordEditPage } from './edit-page.tsx';
import { buildRecord, recordId } from '#client/testing/build-record.ts';
import { choose, field, fill, pickPhoto } from '#client/testing/fill-form.ts';

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

// Whole forms and lists are drawn again and again; on a busy machine that takes its time.
vi.setConfig({ testTimeout: 20_000 });

let server: ReturnType<typeof fakeServer>;

beforeEach(() => {
  signIn();
  server = fakeServer();
  server.on(READ, ok(record));
  server.on(UPDATE, ok(record));
});

const open = (id = ID) =>
  renderPage(<RecordEditPage />, { path: '/tax-records/:id/edit', at: `/tax-records/${id}/edit` });
const save = () => fireEvent.click(screen.getByRole('button', { name: /Simpan Perubahan|Menyimpan/ }));
const sent = () => server.callsOf(UPDATE).map(({ body }) => body);

/** Opens the form and waits until the record is in it. */
async function openLoaded() {
  const view = open();
  await screen.findByRole('button', { name: 'Simpan Perubahan (Save)' });
  return view;
}

describe('an edit', () => {
  it('begins with what is stored, in the year of the record', async () => {
    await openLoaded();
    expect(field('Nama').value).toBe('Siti Aminah');
    expect(field('Tahun').value).toBe('2023');
    expect(field('Tahun').readOnly).toBe(true);
    expect(field('Jumlah').value).toBe('1.500.000');
    expect(field('Tanggal Pembayaran').value).toBe('17/08/2023');
    expect(screen.getByAltText('Bukti pembayaran saat ini').getAttribute('src')).toMatch(/\/uploads\/a\.jpg\?t=1$/);
  });

  it('is sent as JSON with the time it was loaded', async () => {
    await openLoaded();
    fill({ Jumlah: '2000000', Catatan: '' });
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

  it('is sent whole, as a form, with a new photo', async () => {
    await openLoaded();
    const file = pickPhoto();
    await screen.findByAltText('Pratinjau bukti pembayaran');
    choose('Status', 'belum_lunas');
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

  it('takes the stored photo away', async () => {
    await openLoaded();
    fireEvent.click(screen.getByRole('button', { name: 'Hapus foto (Remove)' }));
    expect(screen.queryByAltText('Bukti pembayaran saat ini')).toBeNull();
    save();
    await screen.findByText(DONE);
    expect(sent()[0]).toMatchObject({ remove_payment_proof: true });
  });

  it('leads back to the list after 1.5 seconds', async () => {
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

describe('what is wrong', () => {
  it('is warned of in one text, and named at each field', async () => {
    await openLoaded();
    fill({ Nama: ' ', Jumlah: '' });
    save();
    expect(await screen.findAllByText('Mohon lengkapi data yang wajib diisi')).toHaveLength(1);
    expect(screen.getByText('Nama wajib diisi')).toBeTruthy();
    expect(screen.getByText('Jumlah wajib diisi')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(field('Nama')));
    expect(sent()).toEqual([]);
  });

  it('is an amount of 0', async () => {
    await openLoaded();
    fill({ Jumlah: '0' });
    save();
    expect(screen.getByText('Jumlah pajak harus berupa angka yang valid')).toBeTruthy();
    expect(screen.queryByText('Mohon lengkapi data yang wajib diisi')).toBeNull();
    expect(sent()).toEqual([]);
  });

  it('is told when saving fails, and what was typed stays', async () => {
    server.on(UPDATE, fail(500));
    await openLoaded();
    fill({ Catatan: 'baru' });
    save();
    await screen.findByText('Gagal memperbarui data PBB');
    expect(field('Catatan').value).toBe('baru');
  });
});

describe('a record that cannot be edited', () => {
  async function leavesFor(list: string) {
    await act(() => vi.advanceTimersByTimeAsync(1500));
    expect((await screen.findByTestId('elsewhere')).textContent).toBe(list);
  }

  beforeEach(() => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
  });

  it('has an id that cannot be one', async () => {
    open('undefined');
    await screen.findByText('ID data tidak valid');
    expect(screen.getByText('ID Data Tidak Valid')).toBeTruthy();
    expect(server.calls).toEqual([]);
    await leavesFor('/tax-records');
  });

  it('is not there', async () => {
    server.on(READ, fail(404, 'Data PBB tidak ditemukan'));
    open();
    await screen.findByText('Data PBB tidak ditemukan');
    await leavesFor('/tax-records');
  });

  it('cannot be loaded', async () => {
    server.on(READ, fail(500));
    open();
    await screen.findByText('Gagal memuat data PBB');
    await leavesFor('/tax-records');
  });
});

describe('a record that somebody else changed meanwhile', () => {
  const CONFLICT = 'Data telah diubah oleh pengguna lain. Muat ulang lalu coba lagi.';
  const theirs = { ...record, amount: 3_000_000, address: 'Jl. Mawar 2', updated_at: '2025-05-05T00:00:00.000Z' };
  const version = (name: string, which: RegExp) =>
    within(screen.getByRole('radiogroup', { name })).getByRole<HTMLButtonElement>('radio', { name: which });

  beforeEach(async () => {
    await openLoaded();
    server.on(UPDATE, fail(409, CONFLICT));
    server.on(READ, ok(theirs));
    fill({ Jumlah: '2000000', Catatan: 'ketikan saya' });
    save();
    await screen.findByText(CONFLICT);
  });

  it('shows both versions, keeps what was typed and takes over the rest', () => {
    expect(version('Jumlah', /^Rp.3\.000\.000.*Tersimpan sekarang/).getAttribute('aria-checked')).toBe('false');
    expect(version('Jumlah', /^Rp.2\.000\.000.*Isian Anda/).getAttribute('aria-checked')).toBe('true');
    expect(version('Alamat', /Jl. Mawar 2/).getAttribute('aria-checked')).toBe('true');
    expect(field('Jumlah').value).toBe('2.000.000');
    expect(field('Catatan').value).toBe('ketikan saya');
    expect(field('Alamat').value).toBe('Jl. Mawar 2');
  });

  it('saves on top of the new version, with the versions chosen', async () => {
    fireEvent.click(version('Jumlah', /Tersimpan sekarang/));
    expect(field('Jumlah').value).toBe('3.000.000');
    server.on(UPDATE, ok(theirs));
    save();
    await screen.findByText(DONE);
    expect(sent().at(-1)).toMatchObject({
      updated_at: theirs.updated_at,
      amount: 3_000_000,
      address: 'Jl. Mawar 2',
      notes: 'ketikan saya',
    });
  });
});
