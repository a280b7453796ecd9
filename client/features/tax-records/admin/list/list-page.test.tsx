import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildRecord, recordId } from '#client/testing/build-record.ts';
import { failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { buildChecked } from '#client/testing/build-sums.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { notify } from '#client/ui/feedback/notify.tsx';
import { screenWidth } from '#client/testing/screen-width.ts';
import { paths } from '#client/paths.ts';
import type { ListSums, TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { AdminRecordListPage } from './list-page.tsx';

const LIST = 'GET /api/admin/tax-records';

const statistics = {
  belum_lunas: 1234,
  proses: 5,
  lunas: 60,
  by_year: [{ year: 2025, lunas: 1, total_records: 2, total_tax: 3, paid_tax: 1 }],
  by_property: [],
  tasks: { overdue: { count: 12, amount: 3_400_000, estimated: { count: 2, amount: 500_000 } } },
};

type PageParts = { total?: number; current?: number; last?: number; amount?: number } & Partial<
  Pick<ListSums, 'checked' | 'estimated'>
>;

function page(
  rows: TaxRecord[],
  { total = rows.length, current = 1, last = 1, amount = 0, ...others }: PageParts = {},
) {
  const sums = { checked: buildChecked(0, 0), estimated: { count: 0, amount: 0 }, ...others };
  return okAnswer({
    data: rows,
    total,
    per_page: 25,
    current_page: current,
    last_page: last,
    total_amount: amount,
    ...sums,
  });
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

describe('AdminRecordListPage: list', () => {
  it('shows three counters and each record with its owner', async () => {
    open();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Manajemen Catatan Pajak');
    const row = (await screen.findByRole('link', { name: 'Budi Santoso' })).closest('li');
    expect(row?.textContent).toContain('Jl. Mawar 2');
    const owner = row ? within(row).getByRole('link', { name: 'Pemilik: Siti Aminah' }) : null;
    expect(owner?.getAttribute('href')).toBe('/admin/users/u1');
    expect(screen.getAllByRole('link', { name: /^Pemilik/ })).toHaveLength(2);
    expect(row?.textContent).toContain('Proses');
    for (const text of ['Belum Bayar', 'Sedang Diproses', 'Selesai', '1.234'])
      expect(screen.getByText(text)).toBeTruthy();
  });

  it('shows a table with sortable columns on wide screens', async () => {
    screenWidth.wide = true;
    open();
    const table = await screen.findByRole('table');
    const heads = within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent);
    expect(heads.slice(1)).toEqual(['Nama', 'Jenis Pajak', 'SPT', 'Tahun', 'Jumlah', 'Jatuh Tempo', 'Status', 'Aksi']);
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

  it('sends view and dates of the URL, as `paths.adminRecordsWhere` builds it', async () => {
    const where = {
      view: 'overdue',
      due_from: '2026-01-01',
      due_to: '2026-01-31',
      payment_from: '2026-02-01',
    } as const;
    const url = paths.adminRecordsWhere({ ...where, user_id: 'u 9', sort: 'name' });
    expect(url).toBe(
      '/admin/tax-records?pemilik=u+9&tampilan=tunggakan&jatuh_dari=2026-01-01&jatuh_sampai=2026-01-31&bayar_dari=2026-02-01&urut=name',
    );
    expect(paths.adminRecordsWhere({})).toBe('/admin/tax-records');
    open(url.slice('/admin/tax-records'.length));
    await screen.findByRole('link', { name: 'Siti Aminah' });
    const { view: _view, ...dates } = where;
    const sent = { ...dates, outstanding: '1', user_id: 'u 9', sort: 'name', page: '1', limit: '25' };
    expect(lastQuery()).toEqual(sent);
  });

  it('ignores unknown values in the URL', async () => {
    open('?status=x&properti=y&tahun=z&urut=w&tampilan=v&bukti=u&pencocokan=t&jatuh_dari=2026-02-30&halaman=-1');
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

  it('ends the filters with the number of records they find on a phone, which closes them', async () => {
    const { user } = open();
    await screen.findByRole('link', { name: 'Siti Aminah' });
    const toggle = screen.getByRole('button', { name: 'Filter' });
    await user.click(toggle);
    await user.click(screen.getByRole('button', { name: 'Tampilkan 3 data' }));
    expect(toggle.getAttribute('aria-expanded')).toBe('false');
    expect(document.activeElement).toBe(toggle);
    expect(screen.queryByRole('combobox', { name: 'Status' })).toBeNull();
  });

  it("searches for what is typed, and '/' focuses the search field", async () => {
    const { user, router } = open();
    await screen.findByRole('link', { name: 'Siti Aminah' });
    fireEvent.keyDown(document.body, { key: '/' });
    expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Cari' }));
    // At once: on a slow machine, keys one by one would be several searches.
    await user.paste('jl. m');
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

describe('AdminRecordListPage: a filter that finds nothing', () => {
  it.each(['?cari=tidak+ada', '?status=proses', '?tahun=2021', '?pemilik=siapa'])(
    'says so, and not that there are no records: %s',
    async (search) => {
      server.on(LIST, page([]));
      const { user } = open(search);
      await screen.findByText('Tidak ada data PBB yang cocok');
      expect(screen.queryByText('Belum ada catatan pajak')).toBeNull();
      server.on(LIST, page([budi]));
      await user.click(screen.getByRole('button', { name: 'Tampilkan semua data' }));
      await screen.findByRole('link', { name: 'Budi Santoso' });
    },
  );
});

describe('AdminRecordListPage: counters, sum and filters', () => {
  it('filters by a counter and shows everything again when it is pressed twice', async () => {
    const { router, user } = open();
    await screen.findByText('1.234');
    const counter = (name: RegExp) => screen.getByRole('button', { name });
    await user.click(counter(/^Tunggakan/));
    expect(router.state.location.search).toBe('?tampilan=tunggakan');
    expect(counter(/^Tunggakan/).getAttribute('aria-pressed')).toBe('true');
    await waitFor(() => expect(lastQuery()).toMatchObject({ outstanding: '1' }));
    await user.click(counter(/^Belum Bayar/));
    expect(router.state.location.search).toBe('?status=belum_lunas');
    await user.click(counter(/^Belum Bayar/));
    expect(router.state.location.search).toBe('');
  });

  it('filters by the payment proof, and removes that filter by its chip', async () => {
    const { router, user } = open();
    await screen.findByRole('link', { name: 'Siti Aminah' });
    fireEvent.click(screen.getByRole('button', { name: 'Filter' }));
    fireEvent.change(field('Bukti'), { target: { value: 'without' } });
    await waitFor(() => expect(router.state.location.search).toBe('?bukti=tidak'));
    await waitFor(() => expect(lastQuery()).toMatchObject({ proof: '0' }));
    fireEvent.change(field('Bukti'), { target: { value: 'with' } });
    await waitFor(() => expect(lastQuery()).toMatchObject({ proof: '1' }));
    expect(router.state.location.search).toBe('?bukti=ada');
    await user.click(screen.getByRole('button', { name: 'Hapus filter Bukti: Ada' }));
    await waitFor(() => expect(router.state.location.search).toBe(''));
  });

  it('filters by what the office says of a report, and by several states that a link names', async () => {
    const { router, user } = open(
      paths.adminRecordsWhere({ status: 'lunas', verification: 'rejected,zz,pending' }).slice(18),
    );
    await screen.findByRole('link', { name: 'Siti Aminah' });
    expect(lastQuery()).toMatchObject({ status: 'lunas', verification: 'pending,rejected' });
    expect(screen.getByRole('button', { name: /Menunggu dicocokkan, Tidak cocok$/ })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: /^Filter/ }));
    expect(field('Pencocokan').value).toBe('pending,rejected');
    fireEvent.change(field('Pencocokan'), { target: { value: 'matched_unpaid' } });
    await waitFor(() => expect(router.state.location.search).toBe('?status=lunas&pencocokan=matched_unpaid'));
    await waitFor(() => expect(lastQuery()).toMatchObject({ verification: 'matched_unpaid' }));
    await user.click(screen.getByRole('button', { name: 'Hapus filter Pencocokan: Cocok, belum lunas' }));
    await waitFor(() => expect(router.state.location.search).toBe('?status=lunas'));
  });

  it('says how many records match and their sum, and removes one part of the filter', async () => {
    server.on(LIST, page([siti], { total: 114, amount: 158_713_140 }));
    const { router, user } = open('?tahun=2025&jatuh_dari=2026-01-01&jatuh_sampai=2026-01-31&urut=name');
    await waitFor(() => expect(screen.getByText(/^114 data/).textContent).toBe('114 data · Rp\u00a0158.713.140'));
    await user.click(screen.getByRole('button', { name: 'Hapus filter Jatuh tempo: 1 Jan 2026 – 31 Jan 2026' }));
    expect(router.state.location.search).toBe('?tahun=2025&urut=name');
    await user.click(screen.getByRole('button', { name: 'Bersihkan filter (Clear)' }));
    expect(router.state.location.search).toBe('');
  });
});

describe('AdminRecordListPage: parts of a sum', () => {
  const checked = buildChecked(3, 900, { matched: { count: 1, amount: 400 }, pending: { count: 1, amount: 300 } });
  const estimated = { count: 2, amount: 206_250 };

  it('says below a paid sum what the office knows of it, and each part opens its list with the same filter', async () => {
    server.on(LIST, page([paid], { total: 3, amount: 900, checked }));
    open('?status=lunas&tahun=2025&urut=name');
    const part = await screen.findByRole('link', { name: /^menunggu/ });
    expect(part.getAttribute('href')).toBe('/admin/tax-records?status=lunas&tahun=2025&pencocokan=pending');
    expect(part.closest('div')?.textContent?.replaceAll(/\s/g, ' ')).toBe(
      'Dicocokkan Rp 400 · menunggu Rp 300 · dicatat kantor Rp 200',
    );
  });

  it('says which part of a sum is an estimate, and nothing about matches of a sum that is not all paid', async () => {
    server.on(LIST, page([siti, paid], { total: 5, amount: 1_500_000, checked, estimated }));
    open('?tahun=2025');
    expect((await screen.findByText(/^5 data/)).textContent.replaceAll(/\s/g, ' ')).toBe(
      '5 data · Rp 1.500.000, termasuk perkiraan Rp 206.250 (2 data)',
    );
    expect(screen.queryByRole('link', { name: /^menunggu/ })).toBeNull();
  });
});

describe('AdminRecordListPage: rows', () => {
  it('opens the record by a press anywhere on its row', async () => {
    screenWidth.wide = true;
    const { router, user } = open();
    await user.click(await screen.findByText('Jl. Mawar 2'));
    expect(router.state.location.pathname).toBe(`/admin/tax-records/${budi.id}`);
  });

  it('marks records that have a payment proof', async () => {
    server.on(LIST, page([siti, { ...budi, payment_proof: 'uploads/a.png' }]));
    open();
    const clip = await screen.findByText('Ada bukti pembayaran');
    expect(clip.closest('[data-row]')?.textContent).toContain('Budi Santoso');
  });

  it('goes from row to row, selects and opens the dialog by keys', async () => {
    const { user } = open();
    await screen.findByRole('link', { name: 'Siti Aminah' });
    await user.keyboard('jj');
    expect(document.activeElement?.textContent).toBe('Budi Santoso');
    await user.keyboard('x{ArrowUp}');
    expect(document.activeElement?.textContent).toBe('Siti Aminah');
    await user.keyboard('{Shift>}X{/Shift}');
    expect(screen.getByText('2 dipilih')).toBeTruthy();
    await user.keyboard('t');
    await screen.findByRole('dialog', { name: 'Tandai 2 data lunas' });
    expect(screen.getAllByRole('dialog')).toHaveLength(1);
  });

  it('marks the focused row as paid by T while no row is selected', async () => {
    const { user } = open();
    await screen.findByRole('link', { name: 'Siti Aminah' });
    await user.keyboard('jt');
    await screen.findByRole('dialog', { name: 'Tandai 1 data lunas' });
  });

  it('leaves keys that are typed into a field alone', async () => {
    const { user } = open();
    await screen.findByRole('link', { name: 'Siti Aminah' });
    await user.click(screen.getByRole('searchbox', { name: 'Cari' }));
    await user.keyboard('jx');
    expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Cari' }));
  });
});

describe('AdminRecordListPage: selection', () => {
  const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: new RegExp(`^Pilih ${name}`) });

  it('selects and deselects a range with Shift', async () => {
    open();
    await screen.findByRole('link', { name: 'Siti Aminah' });
    fireEvent.click(box('Siti'));
    fireEvent.click(box('Rina'), { shiftKey: true });
    expect(screen.getByText('3 dipilih')).toBeTruthy();
    fireEvent.click(box('Budi'), { shiftKey: true });
    expect(screen.getByText('1 dipilih')).toBeTruthy();
    expect(box('Siti').checked).toBe(true);
  });

  it('selects everything that the filter finds, on all pages', async () => {
    server.on(LIST, ({ query }) => page(query['limit'] === '1000' ? [siti, budi, paid] : [siti, budi], { total: 3 }));
    open('?status=proses');
    await screen.findByRole('link', { name: 'Siti Aminah' });
    fireEvent.click(screen.getByRole('checkbox', { name: 'Pilih semua di halaman ini' }));
    fireEvent.click(screen.getByRole('button', { name: 'Pilih semua 3 hasil' }));
    await screen.findByText('3 dipilih');
    expect(lastQuery()).toMatchObject({ status: 'proses', page: '1', limit: '1000' });
    expect(screen.queryByRole('button', { name: /^Pilih semua 3/ })).toBeNull();
  });

  it('says in words that more than a thousand records cannot be selected', async () => {
    server.on(LIST, page([siti, budi, paid], { total: 1001 }));
    open();
    await screen.findByRole('link', { name: 'Siti Aminah' });
    fireEvent.click(screen.getByRole('checkbox', { name: 'Pilih semua di halaman ini' }));
    expect(screen.getByText(/^Hasilnya 1.001 data; paling banyak 1.000 dapat dipilih sekaligus/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Pilih semua/ })).toBeNull();
  });
});

describe('AdminRecordListPage: delete', () => {
  const DELETE = `DELETE /api/admin/tax-records/${siti.id}`;

  async function pressDelete() {
    fireEvent.click(await screen.findByRole('button', { name: /^Aksi lain Siti Aminah/ }));
    const items = await screen.findAllByRole('menuitem');
    // The dangerous act stands last.
    expect(items.map(({ textContent }) => textContent)).toEqual([
      'Lihat',
      'Edit',
      'Buka pemilik',
      'Buka chat',
      'Hapus',
    ]);
    fireEvent.click(screen.getByRole('menuitem', { name: /^Hapus \(Delete\) Siti Aminah/ }));
  }

  it('asks, deletes the record and loads the list again', async () => {
    server.on(DELETE, okAnswer({}));
    open();
    await pressDelete();
    const dialog = await screen.findByRole('dialog', { name: 'Hapus Data PBB' });
    server.on(LIST, page([budi, paid]));
    fireEvent.click(within(dialog).getByRole('button', { name: 'Hapus' }));
    await screen.findByText('Data PBB berhasil dihapus');
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Siti Aminah' })).toBeNull());
  });

  it('deletes nothing when the question is declined', async () => {
    open();
    await pressDelete();
    const dialog = await screen.findByRole('dialog', { name: 'Hapus Data PBB' });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Batal' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.callsOf(DELETE)).toHaveLength(0);
  });
});

describe('AdminRecordListPage: mark as paid', () => {
  const BULK = 'POST /api/admin/tax-records/bulk';
  const CONFLICT = 'Data telah diubah oleh pengguna lain. Muat ulang lalu coba lagi.';
  const result = (id: string, message: string | null = null) => ({
    id,
    _id: id,
    changed: message === null,
    message,
    updated_at: message === null ? '2026-06-10T00:00:00.000Z' : null,
    updatedAt: null,
  });

  async function openDialogFor(...names: string[]) {
    await screen.findByRole('link', { name: 'Siti Aminah' });
    for (const name of names) fireEvent.click(screen.getByRole('checkbox', { name: new RegExp(`^Pilih ${name}`) }));
    fireEvent.keyDown(document.body, { key: 't' });
    return screen.findByRole('dialog');
  }

  it('sends each record with its updated_at and reports those that could not be marked', async () => {
    server.on(BULK, okAnswer({ results: [result(siti.id), result(budi.id, CONFLICT)] }));
    open();
    const dialog = await openDialogFor('Siti', 'Budi', 'Rina');
    expect(dialog.textContent).toContain('Tandai 2 data lunas');
    expect(dialog.textContent).toContain('1 data berstatus Lunas tidak diubah.');
    fireEvent.change(within(dialog).getByLabelText(/Tanggal Pembayaran/), { target: { value: '17/08/2025' } });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Tandai Lunas' }));
    await within(dialog).findByText('1 data ditandai lunas.');
    expect(within(dialog).getByText(CONFLICT)).toBeTruthy();
    expect(within(dialog).getByRole('link').textContent).toContain('Budi Santoso');
    expect(server.callsOf(BULK).map(({ body }) => body)).toEqual([
      {
        changes: [siti, budi].map(({ id, updated_at }) => ({
          id,
          updated_at,
          status: 'lunas',
          payment_date: '2025-08-17',
        })),
      },
    ]);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Selesai' }));
    await waitFor(() => expect(screen.getByText('1 dipilih')).toBeTruthy());
  });

  it('marks a selection on one date, which nobody filled in before, and undoes it', async () => {
    server.on(BULK, okAnswer({ results: [result(siti.id), result(budi.id)] }));
    const { user } = open();
    await screen.findByRole('link', { name: 'Siti Aminah' });
    for (const name of ['Siti', 'Budi'])
      fireEvent.click(screen.getByRole('checkbox', { name: new RegExp(`^Pilih ${name}`) }));
    const dateField = screen.getByRole<HTMLInputElement>('textbox', { name: 'Tanggal pada STTS' });
    expect(dateField.value).toBe('');
    await user.click(screen.getByRole('button', { name: 'Tandai Lunas' }));
    expect(screen.getByText('Tanggal pembayaran wajib diisi jika status Lunas')).toBeTruthy();
    expect(document.activeElement).toBe(dateField);
    expect(server.callsOf(BULK)).toEqual([]);
    await user.type(dateField, '3/8/2025');
    fireEvent.click(screen.getByRole('button', { name: 'Tandai Lunas' }));
    await screen.findByText('Terakhir: 2 data ditandai lunas · Rp 3.000.000');
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => expect(screen.queryByText('2 dipilih')).toBeNull());
    server.on(BULK, okAnswer({ results: [result(siti.id), result(budi.id, CONFLICT)] }));
    fireEvent.click(screen.getByRole('button', { name: 'Urungkan (Undo)' }));
    await screen.findByText('1 dari 2 data tidak dapat dikembalikan: Budi Santoso (2025)');
    expect(screen.getByText(CONFLICT)).toBeTruthy();
    const version = { updated_at: '2026-06-10T00:00:00.000Z' };
    expect(server.callsOf(BULK).map(({ body }) => body)).toEqual([
      {
        changes: [siti, budi].map(({ id, updated_at }) => ({
          id,
          updated_at,
          status: 'lunas',
          payment_date: '2025-08-03',
        })),
      },
      {
        changes: [
          { id: siti.id, ...version, status: 'belum_lunas', payment_date: null, undo: true },
          { id: budi.id, ...version, status: 'proses', payment_date: null, undo: true },
        ],
      },
    ]);
    // The next selection begins without a date, too.
    fireEvent.click(screen.getByRole('checkbox', { name: /^Pilih Siti/ }));
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Tanggal pada STTS' }).value).toBe('');
  });

  it('keeps the undo above the list after the toast has gone, over a change of the filter', async () => {
    server.on(BULK, okAnswer({ results: [result(siti.id), result(budi.id)] }));
    const { user } = open();
    await screen.findByRole('link', { name: 'Siti Aminah' });
    for (const name of ['Siti', 'Budi'])
      fireEvent.click(screen.getByRole('checkbox', { name: new RegExp(`^Pilih ${name}`) }));
    await user.click(screen.getByRole('button', { name: 'Hari ini' }));
    fireEvent.click(screen.getByRole('button', { name: 'Tandai Lunas' }));
    const undoButton = () => screen.queryByRole('button', { name: 'Urungkan yang terakhir' });
    await waitFor(() => expect(undoButton()).not.toBeNull());
    act(() => notify.hideUndo());
    await user.click(screen.getByRole('button', { name: /^Sedang Diproses/ }));
    await waitFor(() => expect(lastQuery()).toMatchObject({ status: 'proses' }));
    expect(undoButton()).not.toBeNull();
    server.on(BULK, okAnswer({ results: [result(siti.id), result(budi.id)] }));
    await user.keyboard('{Control>}z{/Control}');
    await screen.findByText('2 data dikembalikan.');
    expect(undoButton()).toBeNull();
    expect(server.callsOf(BULK)).toHaveLength(2);
  });

  it('says that nothing can be undone, only when the list has the focus', async () => {
    const { user } = open();
    await screen.findByRole('link', { name: 'Siti Aminah' });
    await user.keyboard('{Control>}z{/Control}');
    expect(screen.queryByText('Tidak ada yang bisa diurungkan')).toBeNull();
    await user.keyboard('j{Control>}z{/Control}');
    await screen.findByText('Tidak ada yang bisa diurungkan');
  });

  it('sets paid records back to Belum Lunas after a question', async () => {
    server.on(BULK, okAnswer({ results: [result(paid.id)] }));
    open();
    await screen.findByRole('link', { name: 'Rina' });
    fireEvent.click(screen.getByRole('checkbox', { name: /^Pilih Siti/ }));
    expect(screen.queryByRole('button', { name: 'Batalkan lunas' })).toBeNull();
    fireEvent.click(screen.getByRole('checkbox', { name: /^Pilih Rina/ }));
    fireEvent.click(screen.getByRole('button', { name: 'Batalkan lunas' }));
    const dialog = await screen.findByRole('dialog', { name: 'Batalkan lunas' });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Batalkan lunas' }));
    await screen.findByText('Terakhir: 1 data dibatalkan lunasnya · Rp 1.500.000');
    expect(server.callsOf(BULK)[0]?.body).toEqual({
      changes: [{ id: paid.id, updated_at: paid.updated_at, status: 'belum_lunas', payment_date: null }],
    });
    fireEvent.click(screen.getByRole('button', { name: 'Urungkan yang terakhir' }));
    await waitFor(() => expect(server.callsOf(BULK)).toHaveLength(2));
    expect(server.callsOf(BULK)[1]?.body).toMatchObject({
      changes: [{ status: 'lunas', payment_date: '2025-01-02', undo: true }],
    });
  });

  it('marks one record from its row: a press, a date, and Enter', async () => {
    server.on(BULK, okAnswer({ results: [result(siti.id)] }));
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: /^Tandai Lunas Siti Aminah/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Tandai 1 data lunas' }));
    server.on(LIST, page([{ ...siti, status: 'lunas' }, budi, paid]));
    await user.click(dialog.getByRole('button', { name: 'Hari ini' }));
    await user.keyboard('{Enter}');
    await screen.findByText(/^Terakhir: 1 data ditandai lunas/);
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Tandai Lunas Siti Aminah/ })).toBeNull());
    expect(document.activeElement?.textContent).toBe('Siti Aminah');
    expect(screen.queryByRole('button', { name: /^Tandai Lunas Rina/ })).toBeNull();
  });

  it('requires a payment date', async () => {
    open();
    const dialog = await openDialogFor('Siti');
    expect(within(dialog).getByLabelText<HTMLInputElement>(/Tanggal Pembayaran/).value).toBe('');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Tandai Lunas' }));
    await within(dialog).findByText('Tanggal pembayaran wajib diisi jika status Lunas');
    fireEvent.input(within(dialog).getByLabelText(/Tanggal Pembayaran/), { target: { value: '28/11/2099' } });
    await within(dialog).findByText('Tanggal pembayaran tidak boleh setelah hari ini');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Tandai Lunas' }));
    expect(server.callsOf(BULK)).toHaveLength(0);
  });
});
