import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildRecord, recordId } from '#client/testing/build-record.ts';
import { failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { screenWidth } from '#client/testing/screen-width.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { AdminRecordListPage } from './list-page.tsx';

const LIST = 'GET /api/admin/tax-records';
const SLOW_MS = 20_000;

const statistics = {
  belum_lunas: 1234,
  proses: 5,
  lunas: 60,
  by_year: [{ year: 2025, lunas: 1, total_records: 2, total_tax: 3, paid_tax: 1 }],
  by_property: [],
};

function page(rows: TaxRecord[], { total = rows.length, current = 1, last = 1 } = {}) {
  return okAnswer({ data: rows, total, per_page: 25, current_page: current, last_page: last });
}

const siti = buildRecord({ id: recordId(1), name: 'Siti Aminah', amount: 1_500_000 });
const budi = buildRecord({ id: recordId(2), name: 'Budi Santoso', address: 'Jl. Mawar 2', status: 'proses' });
const paid = buildRecord({ id: recordId(3), name: 'Rina', status: 'lunas', payment_date: '2025-01-02' });

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn({ is_admin: true, name: 'Ratna' });
  server = fakeServer();
  server.on('GET /api/admin/statistics', okAnswer(statistics));
  server.on('GET /api/admin/users', page([]));
  server.on(LIST, page([siti, budi, paid]));
});

const open = (search = '') =>
  renderPage(<AdminRecordListPage />, { path: '/admin/tax-records', at: `/admin/tax-records${search}` });
const lastQuery = () => server.callsOf(LIST).at(-1)?.query;
const field = (name: string) => screen.getByRole<HTMLSelectElement>('combobox', { name });

describe('AdminRecordListPage: list', { timeout: SLOW_MS }, () => {
  it('shows three counters and each record with its owner', async () => {
    open();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Manajemen Catatan Pajak');
    const row = (await screen.findByRole('link', { name: 'Budi Santoso' })).closest('li');
    expect(row?.textContent).toContain('Jl. Mawar 2');
    expect(row?.textContent).toContain('Pemilik: Siti Aminah');
    expect(row?.textContent).toContain('Proses');
    for (const text of ['Belum Bayar', 'Sedang Diproses', 'Selesai', '1.234'])
      expect(screen.getByText(text)).toBeTruthy();
  });

  it('is a table with sortable columns on wide screens', async () => {
    screenWidth.wide = true;
    open();
    const table = await screen.findByRole('table');
    const heads = within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent);
    expect(heads.slice(1)).toEqual(['Nama', 'Jenis Pajak', 'Tahun', 'Jumlah', 'Status', 'Aksi']);
    fireEvent.click(within(table).getByRole('button', { name: 'Jumlah' }));
    await waitFor(() => expect(lastQuery()).toMatchObject({ sort: '-amount' }));
    const head = within(screen.getByRole('table')).getByRole('columnheader', { name: 'Jumlah' });
    expect(head.getAttribute('aria-sort')).toBe('descending');
  });

  it('sends filter, sort order and page of the URL to the server', async () => {
    open('?cari=melati&status=proses&properti=toko&tahun=2025&pemilik=u9&urut=-amount&halaman=3');
    await screen.findByRole('link', { name: 'Siti Aminah' });
    expect(lastQuery()).toEqual({
      search: 'melati',
      status: 'proses',
      property_type: 'toko',
      year: '2025',
      user_id: 'u9',
      sort: '-amount',
      page: '3',
      limit: '25',
    });
  });

  it('ignores unknown values in the URL', async () => {
    open('?status=x&properti=y&tahun=z&urut=w&halaman=-1');
    await screen.findByRole('link', { name: 'Siti Aminah' });
    expect(lastQuery()).toEqual({ sort: '-created_at', page: '1', limit: '25' });
  });

  it('writes a filter into the URL and returns to the first page', async () => {
    const { router } = open('?halaman=2');
    await screen.findByRole('link', { name: 'Siti Aminah' });
    fireEvent.click(screen.getByRole('button', { name: 'Filter' }));
    fireEvent.change(field('Status'), { target: { value: 'lunas' } });
    await waitFor(() => expect(router.state.location.search).toBe('?status=lunas'));
    await waitFor(() => expect(lastQuery()).toMatchObject({ status: 'lunas', page: '1' }));
  });

  it("searches when typing pauses, and '/' focuses the search field", async () => {
    const { user, router } = open();
    await screen.findByRole('link', { name: 'Siti Aminah' });
    fireEvent.keyDown(document.body, { key: '/' });
    expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Cari' }));
    await user.keyboard('jl. m');
    await waitFor(() => expect(lastQuery()).toMatchObject({ search: 'jl. m' }));
    expect(server.callsOf(LIST)).toHaveLength(2);
    expect(router.state.location.search).toBe('?cari=jl.+m');
  });

  it('keeps the old rows until the next answer arrives', async () => {
    open();
    await screen.findByRole('link', { name: 'Siti Aminah' });
    let answer: (value: ReturnType<typeof page>) => void = () => {};
    server.on(LIST, () => new Promise((resolve) => (answer = resolve)));
    fireEvent.click(screen.getByRole('button', { name: 'Filter' }));
    fireEvent.change(field('Status'), { target: { value: 'proses' } });
    await waitFor(() => expect(server.callsOf(LIST)).toHaveLength(2));
    expect(screen.getByRole('link', { name: 'Siti Aminah' })).toBeTruthy();
    act(() => answer(page([budi])));
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Siti Aminah' })).toBeNull());
  });

  it('shows an empty text without records and an error text after a failed load', async () => {
    server.on(LIST, page([]));
    const { unmount } = open();
    await screen.findByText('Belum ada catatan pajak');
    expect(screen.getAllByRole('link', { name: /Tambah Data Pajak/ }).length).toBeGreaterThan(0);
    unmount();
    server.on(LIST, failAnswer(500));
    open();
    await screen.findByText('Gagal memuat data pajak');
  });
});

describe('AdminRecordListPage: a filter that finds nothing', { timeout: SLOW_MS }, () => {
  it.each(['?cari=tidak+ada', '?status=proses', '?tahun=2021', '?pemilik=siapa'])(
    'says so, and not that there are no records: %s',
    async (search) => {
      server.on(LIST, page([]));
      const { user } = open(search);
      await screen.findByText('Tidak ada catatan pajak yang cocok');
      expect(screen.queryByText('Belum ada catatan pajak')).toBeNull();
      server.on(LIST, page([budi]));
      await user.click(screen.getByRole('button', { name: 'Tampilkan semua data' }));
      await screen.findByRole('link', { name: 'Budi Santoso' });
    },
  );
});

describe('AdminRecordListPage: delete', { timeout: SLOW_MS }, () => {
  const DELETE = `DELETE /api/admin/tax-records/${siti.id}`;

  it('asks, deletes the record and loads the list again', async () => {
    server.on(DELETE, okAnswer({}));
    open();
    fireEvent.click(await screen.findByRole('button', { name: /^Hapus \(Delete\) Siti Aminah/ }));
    const dialog = await screen.findByRole('dialog', { name: 'Hapus Data Pajak' });
    server.on(LIST, page([budi, paid]));
    fireEvent.click(within(dialog).getByRole('button', { name: 'Hapus' }));
    await screen.findByText('Data pajak berhasil dihapus');
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Siti Aminah' })).toBeNull());
  });

  it('deletes nothing when the question is declined', async () => {
    open();
    fireEvent.click(await screen.findByRole('button', { name: /^Hapus \(Delete\) Siti Aminah/ }));
    const dialog = await screen.findByRole('dialog', { name: 'Hapus Data Pajak' });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Batal' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.callsOf(DELETE)).toHaveLength(0);
  });
});

describe('AdminRecordListPage: mark as paid', { timeout: SLOW_MS }, () => {
  const put = (id: string) => `PUT /api/admin/tax-records/${id}`;

  async function openDialogFor(...names: string[]) {
    await screen.findByRole('link', { name: 'Siti Aminah' });
    for (const name of names) fireEvent.click(screen.getByRole('checkbox', { name: new RegExp(`^Pilih ${name}`) }));
    fireEvent.click(screen.getByRole('button', { name: 'Tandai Lunas' }));
    return screen.findByRole('dialog');
  }

  it('sends each record with its updated_at and reports the outcome of each', async () => {
    server.on(put(siti.id), okAnswer(siti));
    server.on(put(budi.id), failAnswer(409, 'Data telah diubah oleh pengguna lain. Muat ulang lalu coba lagi.'));
    open();
    const dialog = await openDialogFor('Siti', 'Budi', 'Rina');
    expect(dialog.textContent).toContain('Tandai 2 data lunas');
    expect(dialog.textContent).toContain('1 data yang sudah lunas tidak diubah.');
    fireEvent.change(within(dialog).getByLabelText(/Tanggal Pembayaran/), { target: { value: '17/08/2025' } });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Tandai Lunas' }));
    await within(dialog).findByText('1 data ditandai lunas.');
    expect(within(dialog).getByText('Data telah diubah oleh pengguna lain. Muat ulang lalu coba lagi.')).toBeTruthy();
    expect(within(dialog).getByRole('link').textContent).toContain('Budi Santoso');
    expect(server.callsOf(put(siti.id)).map(({ body }) => body)).toEqual([
      { status: 'lunas', payment_date: '2025-08-17', updated_at: siti.updated_at },
    ]);
    expect(server.callsOf(put(paid.id))).toHaveLength(0);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Selesai' }));
    await waitFor(() => expect(screen.getByText('1 dipilih')).toBeTruthy());
  });

  it('requires a payment date', async () => {
    open();
    const dialog = await openDialogFor('Siti');
    fireEvent.change(within(dialog).getByLabelText(/Tanggal Pembayaran/), { target: { value: '' } });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Tandai Lunas' }));
    await within(dialog).findByText('Tanggal pembayaran wajib diisi jika status Lunas');
    expect(server.callsOf(put(siti.id))).toHaveLength(0);
  });
});
