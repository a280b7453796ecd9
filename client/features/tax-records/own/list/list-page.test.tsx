import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { today } from '#client/lib/format.ts';
import { failAnswer, fakeServer, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { screenWidth } from '#client/testing/screen-width.ts';
import { yearOf } from '#shared/domain/dates.ts';
import { OwnRecordListPage } from './list-page.tsx';
import { buildRecord, recordId } from '#client/testing/build-record.ts';

const LIST = 'GET /api/tax-records';
const OUTSTANDING = 'GET /api/tax-records/outstanding';

const house = buildRecord({ name: 'Rumah', status: 'lunas', property_type: 'rumah_tinggal', year: 2024, amount: 1000 });
const shop = buildRecord({ name: 'Toko', status: 'belum_lunas', property_type: 'toko', year: 2026, amount: 2000 });
const land = buildRecord({ name: 'Tanah', status: 'proses', property_type: null, year: 2025, amount: 4000 });

// Whole forms and lists are drawn again and again; on a busy machine that takes its time.
vi.setConfig({ testTimeout: 20_000 });

let server: ReturnType<typeof fakeServer>;

beforeEach(() => {
  signIn({ name: 'Siti Aminah' });
  server = fakeServer();
  server.on(LIST, okListAnswer([house, shop, land]));
});

const open = (search = '') => renderPage(<OwnRecordListPage />, { path: '/tax-records', at: `/tax-records${search}` });
const names = () => screen.getAllByRole('link', { name: /^(Rumah|Toko|Tanah)/ }).map((link) => link.textContent);
const button = (name: string | RegExp) => screen.getByRole('button', { name });

describe('the list', () => {
  it('shows every record with its actions, how many there are and their sum', async () => {
    open();
    await screen.findByText('3 data');
    expect(names()).toEqual(['Rumah', 'Toko', 'Tanah']);
    expect(screen.getByText('Rp 7.000')).toBeTruthy();
    const href = (name: RegExp) => screen.getByRole('link', { name }).getAttribute('href');
    expect(href(/^Lihat \(View\) Toko/)).toBe(`/tax-records/${shop.id}`);
    expect(href(/^Edit Toko/)).toBe(`/tax-records/${shop.id}/edit`);
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('is a table on wide screens', async () => {
    screenWidth.wide = true;
    open();
    const table = await screen.findByRole('table');
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map((cell) => cell.textContent),
    ).toEqual(['Nama dan alamat', 'Nomor SPT', 'Tahun', 'Jatuh tempo', 'Jumlah', 'Status', 'Aksi']);
    expect(within(table).getAllByRole('row')).toHaveLength(4);
  });

  it('turns pages of twenty in the address', async () => {
    server.on(LIST, okListAnswer(Array.from({ length: 45 }, (_, index) => buildRecord({ name: `Data ${index + 1}` }))));
    const { user, router } = open('?halaman=2');
    await screen.findByText('45 data');
    expect(screen.getByText('Data 21')).toBeTruthy();
    await user.click(button('Berikutnya (Next)'));
    expect(screen.getByText('Data 45')).toBeTruthy();
    expect(screen.queryByText('Data 40')).toBeNull();
    expect(router.state.location.search).toBe('?halaman=3');
  });

  it('says when there are more than are sent at once', async () => {
    server.on(LIST, okAnswer({ data: [house], total: 1234, per_page: 1000, current_page: 1, last_page: 2 }));
    open();
    await screen.findByText('Hanya 1 data terbaru dari 1.234 yang ditampilkan.');
  });

  it('says when there is nothing and how to begin', async () => {
    server.on(LIST, okListAnswer([]));
    open();
    await screen.findByText('Tidak ada data PBB');
    expect(screen.getAllByRole('link', { name: 'Tambah Data' })).toHaveLength(2);
  });

  it('says when it cannot be loaded, and tries again', async () => {
    server.on(LIST, failAnswer(500));
    const { user } = open();
    await screen.findByText('Gagal memuat data PBB');
    server.on(LIST, okListAnswer([house]));
    await user.click(button('Coba lagi'));
    await screen.findByText('1 data');
  });
});

describe('the filter', () => {
  it('waits for its button, and then shows less of what is loaded without a call', async () => {
    const { user, router } = open();
    await screen.findByText('3 data');
    await user.selectOptions(screen.getByLabelText('Status'), 'Belum Lunas');
    expect(names()).toHaveLength(3);
    await user.click(button('Filter'));
    expect(names()).toEqual(['Toko']);
    expect(screen.getByText('1 data')).toBeTruthy();
    expect(router.state.location.search).toBe('?status=belum_lunas');
    expect(server.calls).toHaveLength(1);
  });

  it('goes by property type, also none, and by year', async () => {
    const { user } = open();
    await screen.findByText('3 data');
    await user.selectOptions(screen.getByLabelText('Jenis Properti'), 'Belum Ditentukan');
    await user.click(button('Filter'));
    expect(names()).toEqual(['Tanah']);
    await user.selectOptions(screen.getByLabelText('Jenis Properti'), 'Semua');
    await user.selectOptions(screen.getByLabelText('Tahun'), '2024');
    await user.click(button('Filter'));
    expect(names()).toEqual(['Rumah']);
    expect(server.calls).toHaveLength(1);
  });

  it('offers every choice of the specification', async () => {
    open();
    await screen.findByText('3 data');
    const options = (label: string) => [...screen.getByLabelText<HTMLSelectElement>(label).options].map((o) => o.text);
    expect(options('Status')).toEqual(['Semua', 'Lunas', 'Belum Lunas', 'Proses']);
    expect(options('Tahun')).toEqual(['Semua', '2026', '2025', '2024', '2023', '2022']);
    expect(options('Tampilan')).toEqual(['Semua data', 'Hanya tunggakan']);
    expect(options('Jenis Properti')).toEqual([
      'Semua',
      'Rumah Tinggal',
      'Kantor',
      'Gudang',
      'Lahan Kosong',
      'Toko/Ruko',
      'Pabrik',
      'Belum Ditentukan',
    ]);
  });

  it('fetches the arrears, and nothing else changes what is fetched', async () => {
    server.on(OUTSTANDING, okListAnswer([shop]));
    const { user, router } = open();
    await screen.findByText('3 data');
    await user.selectOptions(screen.getByLabelText('Tampilan'), 'Hanya tunggakan');
    expect(server.callsOf(OUTSTANDING)).toHaveLength(0);
    await user.click(button('Filter'));
    await screen.findByText('1 data');
    expect(names()).toEqual(['Toko']);
    expect(router.state.location.search).toBe('?tampilan=tunggakan');
    expect(server.callsOf(OUTSTANDING)).toHaveLength(1);
    expect(server.callsOf(LIST)).toHaveLength(1);
  });

  it('is read from the address, follows it back, and can be cleared', async () => {
    const { user, router } = open('?status=lunas');
    await screen.findByText('1 data');
    expect(screen.getByLabelText<HTMLSelectElement>('Status').value).toBe('lunas');
    await user.click(button('Bersihkan filter (Clear)'));
    expect(names()).toHaveLength(3);
    expect(router.state.location.search).toBe('');
    await router.navigate(-1);
    await screen.findByText('1 data');
    expect(screen.getByLabelText<HTMLSelectElement>('Status').value).toBe('lunas');
  });

  it('helps when it hides everything', async () => {
    const { user } = open('?status=lunas&tahun=2026');
    await screen.findByText('Tidak ada data PBB');
    expect(screen.getByText(/Tidak ada data yang cocok dengan filter ini/)).toBeTruthy();
    await user.click(button('Tampilkan semua data'));
    expect(names()).toHaveLength(3);
  });
});

describe('deleting', () => {
  it('asks, deletes, tells, reloads, and puts the focus on the next record', async () => {
    let stored = [house, shop, land];
    server.on(LIST, () => okListAnswer(stored));
    server.on(`DELETE /api/tax-records/${shop.id}`, () => {
      stored = [house, land];
      return okAnswer({});
    });
    const { user } = open();
    await screen.findByText('3 data');
    await user.click(button(/^Hapus \(Delete\) Toko/));
    expect(screen.getByText('Apakah Anda yakin ingin menghapus data PBB ini?')).toBeTruthy();
    await user.click(button('Hapus'));
    await screen.findByText('Data PBB berhasil dihapus');
    await screen.findByText('2 data');
    expect(names()).toEqual(['Rumah', 'Tanah']);
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Tanah'));
  });

  it('puts the focus on the heading after the last record', async () => {
    let stored = [house];
    server.on(LIST, () => okListAnswer(stored));
    server.on(`DELETE /api/tax-records/${house.id}`, () => {
      stored = [];
      return okAnswer({});
    });
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: /^Hapus \(Delete\) Rumah/ }));
    await user.click(button('Hapus'));
    await screen.findByText('Tidak ada data PBB');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Data Pajak'));
  });

  it('does nothing when the answer is no', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: /^Hapus \(Delete\) Toko/ }));
    await user.click(button('Batal'));
    expect(server.calls.map(({ method }) => method)).toEqual(['GET']);
  });

  it('says when it fails and keeps the record', async () => {
    server.on(`DELETE /api/tax-records/${shop.id}`, failAnswer(500));
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: /^Hapus \(Delete\) Toko/ }));
    await user.click(button('Hapus'));
    await screen.findByText('Gagal menghapus data PBB');
    expect(names()).toContain('Toko');
  });
});

describe('a new year', () => {
  const CREATE = 'POST /api/tax-records/auto-create';
  const thisYear = yearOf(today());

  beforeEach(() => {
    server.on(LIST, okListAnswer([buildRecord({ name: 'Rumah', year: thisYear - 1, amount: 1000, spt_number: 'A' })]));
    server.on(CREATE, okAnswer({ year: thisYear, count: 1, outstandingCount: 0, newYearCount: 1 }));
  });

  it('names the year in its question and makes just that one', async () => {
    const { user } = open();
    await screen.findByText('1 data');
    await user.click(button('Tahun Baru'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Konfirmasi' }));
    expect(dialog.getByText(/1 data PBB/).closest('p')?.textContent).toBe(
      `1 data PBB untuk tahun ${thisYear} akan dibuat dari data tahun ${thisYear - 1}, dengan jumlah seluruhnya Rp\u00A01.100.`,
    );
    expect(dialog.getByText(/naik 10% dan statusnya Belum Lunas/)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Lanjut' }));
    await screen.findByText(`Berhasil membuat 1 data PBB untuk tahun ${thisYear}`);
    expect(server.callsOf(CREATE).map(({ body }) => body)).toEqual([{ year: thisYear }]);
    await waitFor(() => expect(server.callsOf(LIST)).toHaveLength(3));
  });

  it('makes the year that was chosen, and tells of arrears', async () => {
    server.on(CREATE, okAnswer({ year: thisYear + 1, count: 5, outstandingCount: 2, newYearCount: 3 }));
    const { user } = open();
    await screen.findByText('1 data');
    await user.click(button('Tahun Baru'));
    await user.click(await screen.findByRole('radio', { name: new RegExp(`^${thisYear + 1}`) }));
    await user.click(button('Lanjut'));
    await screen.findByText(`Berhasil membuat 5 data PBB untuk tahun ${thisYear + 1} (2 tunggakan, 3 data baru)`);
    expect(server.callsOf(CREATE).map(({ body }) => body)).toEqual([{ year: thisYear + 1 }]);
  });

  it('makes nothing when the answer is no', async () => {
    const { user } = open();
    await screen.findByText('1 data');
    await user.click(button('Tahun Baru'));
    await user.click(await screen.findByRole('button', { name: 'Batal' }));
    expect(server.callsOf(CREATE)).toHaveLength(0);
  });

  it('says when it fails', async () => {
    server.on(CREATE, failAnswer(500));
    const { user } = open();
    await screen.findByText('1 data');
    await user.click(button('Tahun Baru'));
    await user.click(await screen.findByRole('button', { name: 'Lanjut' }));
    await screen.findByText('Gagal membuat data tahun baru');
  });
});

describe('printing', () => {
  it('puts every shown record on paper, under a heading with the date', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T07:05:00Z') });
    server.on(
      LIST,
      okListAnswer(Array.from({ length: 45 }, (_, index) => buildRecord({ id: recordId(9000 + index), amount: 1000 }))),
    );
    const print = vi.spyOn(window, 'print').mockImplementation(() => {});
    open('?status=belum_lunas');
    await screen.findByText('45 data');
    expect(screen.getByText('DAFTAR DATA PBB')).toBeTruthy();
    expect(screen.queryByText('Jumlah seluruhnya')).toBeNull();
    fireEvent.click(button('Print'));
    expect(print).toHaveBeenCalledOnce();
    const paper = within(screen.getByText('Jumlah seluruhnya').closest('table') ?? document.body);
    expect(paper.getAllByRole('row', { hidden: true })).toHaveLength(47);
    expect(paper.getByText('Rp 45.000')).toBeTruthy();
    expect(screen.getByText('21 November 2026 pukul 14.05')).toBeTruthy();
    expect(screen.getByText('Status Belum Lunas')).toBeTruthy();
    print.mockRestore();
  });

  it('is ready when the browser prints by itself', async () => {
    open();
    await screen.findByText('3 data');
    fireEvent(window, new Event('beforeprint'));
    expect(screen.getByText('Jumlah seluruhnya')).toBeTruthy();
  });
});
