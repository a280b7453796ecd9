import type { UserEvent } from '@testing-library/user-event';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { today } from '#client/lib/format.ts';
import { failAnswer, fakeServer, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { screenWidth } from '#client/testing/screen-width.ts';
import { buildNewYear } from '#client/testing/build-new-year.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { yearOf } from '#shared/domain/dates/dates.ts';
import { OwnRecordListPage } from './list-page.tsx';
import { buildRecord, recordId } from '#client/testing/build-record.ts';

const LIST = 'GET /api/tax-records';
const OVERDUE = 'GET /api/tax-records/outstanding';

const place = (address: string) => ({ name: address, address });
const home = buildRecord({
  ...place('Rumah'),
  status: 'lunas',
  property_type: 'rumah_tinggal',
  year: 2024,
  amount: 1000,
});
const shop = buildRecord({ ...place('Toko'), status: 'belum_lunas', property_type: 'toko', year: 2026, amount: 2000 });
const land = buildRecord({ ...place('Tanah'), status: 'proses', property_type: null, year: 2025, amount: 4000 });

let server: ReturnType<typeof fakeServer>;

beforeEach(() => {
  signIn({ name: 'Siti Aminah' });
  server = fakeServer();
  server.on(LIST, okListAnswer([home, shop, land]));
});

/** All but the requests, which come after the page. */
const recordCalls = () => server.calls.filter(({ path }) => path !== '/api/tax-records/claims');
const open = (search = '') => renderPage(<OwnRecordListPage />, { path: '/tax-records', at: `/tax-records${search}` });
/** The visible part of each title; the text for screen readers comes before it. */
const titles = () =>
  screen
    .getAllByRole('link', { name: /(Rumah|Toko|Tanah)$/ })
    .map((link) => link.textContent.replace(/^Lihat \(View\) .*: /, ''));
const [HOME, SHOP, LAND] = ['PBB 2024 · Rumah Tinggal – Rumah', 'PBB 2026 · Toko/Ruko – Toko', 'PBB 2025 · Tanah'];
async function pressDelete(user: UserEvent, name: string) {
  await user.click(await screen.findByRole('button', { name: new RegExp(`^Aksi lain \\(More\\) ${name}`) }));
  await user.click(await screen.findByRole('menuitem', { name: new RegExp(`^Hapus \\(Delete\\) ${name}`) }));
}
const button = (name: string | RegExp) => screen.getByRole('button', { name });

describe('OwnRecordListPage: list', () => {
  it('shows every record with its actions, the number of records and their total', async () => {
    const { user } = open();
    await screen.findByText('3 data');
    expect(titles()).toEqual([HOME, SHOP, LAND]);
    expect(screen.getByText('Rp 7.000')).toBeTruthy();
    const href = (name: RegExp) => screen.getByRole('link', { name }).getAttribute('href');
    expect(href(/^Lihat \(View\) Toko/)).toBe(`/tax-records/${shop.id}`);
    await user.click(button(/^Aksi lain \(More\) Toko/));
    const acts = await screen.findAllByRole('menuitem');
    expect(acts.map((act) => act.textContent)).toEqual(['Edit', 'Tanyakan ke admin', 'Hapus']);
    expect(acts[0]?.getAttribute('href')).toBe(`/tax-records/${shop.id}/edit`);
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('says of paid cards when they were paid, and of the others when they are due', async () => {
    const dates = { due_date: '2026-09-30', payment_date: '2026-08-17' };
    server.on(
      LIST,
      okListAnswer([
        { ...home, ...dates },
        { ...shop, ...dates },
      ]),
    );
    open();
    await screen.findByText('2 data');
    const [paid, unpaid] = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(paid).toContain('Dibayar 17 Agu 2026');
    expect(paid).not.toContain('Jatuh tempo');
    expect(unpaid).toContain('Jatuh tempo 30 Sep 2026');
    expect(unpaid).not.toContain('Dibayar');
  });

  it('shows a table on wide screens', async () => {
    screenWidth.wide = true;
    open();
    const table = await screen.findByRole('table');
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map((cell) => cell.textContent),
    ).toEqual(['Objek pajak dan nama', 'Nomor SPT', 'Tahun', 'Jatuh tempo', 'Jumlah', 'Status', 'Aksi']);
    expect(within(table).getAllByRole('row')).toHaveLength(4);
  });

  it('shows twenty records on a page and keeps the page number in the URL', async () => {
    server.on(
      LIST,
      okListAnswer(Array.from({ length: 45 }, (_, index) => buildRecord({ address: `Data ${index + 1}` }))),
    );
    const { user, router } = open('?halaman=2');
    await screen.findByText('45 data');
    expect(screen.getByText(/· Data 21$/)).toBeTruthy();
    await user.click(button('Berikutnya (Next)'));
    expect(screen.getByText(/· Data 45$/)).toBeTruthy();
    expect(screen.queryByText(/· Data 40$/)).toBeNull();
    expect(router.state.location.search).toBe('?halaman=3');
  });

  it('shows a note when there are more records than one answer holds', async () => {
    server.on(LIST, okAnswer({ data: [home], total: 1234, per_page: 1000, current_page: 1, last_page: 2 }));
    open();
    await screen.findByText('Hanya 1 data terbaru dari 1.234 yang ditampilkan.');
  });

  it('shows an empty text and a link to create a record', async () => {
    server.on(LIST, okListAnswer([]));
    open();
    await screen.findByText('Tidak ada data PBB');
    expect(screen.getAllByRole('link', { name: 'Tambah Data' })).toHaveLength(2);
  });

  it('shows an error when the list cannot be loaded, and loads it again', async () => {
    server.on(LIST, failAnswer(500));
    const { user } = open();
    await screen.findByText('Gagal memuat data PBB');
    server.on(LIST, okListAnswer([home]));
    await user.click(button('Coba lagi'));
    await screen.findByText('1 data');
  });
});

describe('OwnRecordListPage: filter', () => {
  it('filters the loaded rows without a call when its button is pressed', async () => {
    const { user, router } = open();
    await screen.findByText('3 data');
    await user.selectOptions(screen.getByLabelText('Status'), 'Belum Lunas');
    expect(titles()).toHaveLength(3);
    await user.click(button('Filter'));
    expect(titles()).toEqual([SHOP]);
    expect(screen.getByText('1 data')).toBeTruthy();
    expect(router.state.location.search).toBe('?status=belum_lunas');
    expect(recordCalls()).toHaveLength(1);
  });

  it('filters by property type, by missing property type and by year', async () => {
    const { user } = open();
    await screen.findByText('3 data');
    await user.selectOptions(screen.getByLabelText('Jenis Properti'), 'Belum Ditentukan');
    await user.click(button('Filter'));
    expect(titles()).toEqual([LAND]);
    await user.selectOptions(screen.getByLabelText('Jenis Properti'), 'Semua');
    await user.selectOptions(screen.getByLabelText('Tahun'), '2024');
    await user.click(button('Filter'));
    expect(titles()).toEqual([HOME]);
    expect(recordCalls()).toHaveLength(1);
  });

  it('offers all statuses, years, displays and property types (R-REC-14)', async () => {
    open();
    await screen.findByText('3 data');
    const options = (label: string) =>
      [...screen.getByLabelText<HTMLSelectElement>(label).options].map((option) => option.text);
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

  it('fetches other records only for the choice of overdue records', async () => {
    server.on(OVERDUE, okListAnswer([shop]));
    const { user, router } = open();
    await screen.findByText('3 data');
    await user.selectOptions(screen.getByLabelText('Tampilan'), 'Hanya tunggakan');
    expect(server.callsOf(OVERDUE)).toHaveLength(0);
    await user.click(button('Filter'));
    await screen.findByText('1 data');
    expect(titles()).toEqual([SHOP]);
    expect(router.state.location.search).toBe('?tampilan=tunggakan');
    expect(server.callsOf(OVERDUE)).toHaveLength(1);
    expect(server.callsOf(LIST)).toHaveLength(1);
  });

  it('reads the filter from the URL, follows the browser back, and clears it', async () => {
    const { user, router } = open('?status=lunas');
    await screen.findByText('1 data');
    expect(screen.getByLabelText<HTMLSelectElement>('Status').value).toBe('lunas');
    await user.click(button('Bersihkan filter (Clear)'));
    expect(titles()).toHaveLength(3);
    expect(router.state.location.search).toBe('');
    await router.navigate(-1);
    await screen.findByText('1 data');
    expect(screen.getByLabelText<HTMLSelectElement>('Status').value).toBe('lunas');
  });

  it('shows the unpaid records to which the dashboard links, and offers that choice only there', async () => {
    const { user } = open('?tampilan=belum-lunas');
    await screen.findByText('2 data');
    expect(titles()).toEqual([SHOP, LAND]);
    expect(screen.getByLabelText<HTMLSelectElement>('Tampilan').value).toBe('belum-lunas');
    expect(recordCalls()).toHaveLength(1);
    await user.click(button('Bersihkan filter (Clear)'));
    expect(titles()).toHaveLength(3);
    expect(screen.getByLabelText<HTMLSelectElement>('Tampilan').options).toHaveLength(2);
  });

  it('says in its folded row what is applied, and closes with the focus on that row', async () => {
    const { user } = open();
    const fold = await screen.findByRole('button', { name: 'Filter · Semua' });
    expect(fold.getAttribute('aria-expanded')).toBe('false');
    await user.click(fold);
    expect(fold.getAttribute('aria-expanded')).toBe('true');
    await user.selectOptions(screen.getByLabelText('Status'), 'Belum Lunas');
    await user.click(button('Filter'));
    expect(button('Filter · Status Belum Lunas').getAttribute('aria-expanded')).toBe('false');
    expect(document.activeElement).toBe(fold);
  });

  it('offers to clear a filter that hides all records', async () => {
    const { user } = open('?status=lunas&tahun=2026');
    await screen.findByText('Tidak ada data PBB');
    expect(screen.getByText(/Tidak ada data yang cocok dengan filter ini/)).toBeTruthy();
    await user.click(button('Tampilkan semua data'));
    expect(titles()).toHaveLength(3);
  });
});

describe('OwnRecordListPage: delete', () => {
  it('asks, deletes, shows a toast, reloads and focuses the next record', async () => {
    let stored = [home, shop, land];
    server.on(LIST, () => okListAnswer(stored));
    server.on(`DELETE /api/tax-records/${shop.id}`, () => {
      stored = [home, land];
      return okAnswer({});
    });
    const { user } = open();
    await screen.findByText('3 data');
    await pressDelete(user, 'Toko');
    expect(screen.getByText('Apakah Anda yakin ingin menghapus data PBB ini?')).toBeTruthy();
    await user.click(button('Hapus'));
    await screen.findByText('Data PBB berhasil dihapus');
    await screen.findByText('2 data');
    expect(titles()).toEqual([HOME, LAND]);
    await waitFor(() => expect(document.activeElement?.textContent).toMatch(/Tanah$/));
  });

  it('focuses the heading after the last record was deleted', async () => {
    let stored = [home];
    server.on(LIST, () => okListAnswer(stored));
    server.on(`DELETE /api/tax-records/${home.id}`, () => {
      stored = [];
      return okAnswer({});
    });
    const { user } = open();
    await pressDelete(user, 'Rumah');
    await user.click(button('Hapus'));
    await screen.findByText('Tidak ada data PBB');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Data Pajak'));
  });

  it('deletes nothing when the question is declined', async () => {
    const { user } = open();
    await pressDelete(user, 'Toko');
    await user.click(button('Batal'));
    expect(recordCalls().map(({ method }) => method)).toEqual(['GET']);
  });

  it('shows an error and keeps the record when the deletion fails', async () => {
    server.on(`DELETE /api/tax-records/${shop.id}`, failAnswer(500));
    const { user } = open();
    await pressDelete(user, 'Toko');
    await user.click(button('Hapus'));
    await screen.findByText('Gagal menghapus data PBB');
    expect(titles()).toContain(SHOP);
  });
});

it('says which amounts are estimates, in the rows and in the sum', async () => {
  server.on(
    LIST,
    okListAnswer([buildRecord({ amount: 1100, amount_source: 'estimate' }), buildRecord({ amount: 500 })]),
  );
  open();
  await screen.findByText('2 data');
  expect(screen.getAllByText('Perkiraan (naik 10 %)')).toHaveLength(1);
  expect(screen.getByText(/^termasuk perkiraan Rp\s1\.100 \(1 data\)$/)).toBeTruthy();
});

describe('OwnRecordListPage: new year', () => {
  const CREATE = 'POST /api/tax-records/auto-create';
  const NEW_YEAR = 'GET /api/tax-records/new-year';
  const thisYear = yearOf(today());
  function storeRecords(records: TaxRecord[]): void {
    server.on(LIST, okListAnswer(records));
    server.on(NEW_YEAR, okAnswer({ years: [thisYear, thisYear + 1].map((year) => buildNewYear(records, year)) }));
  }

  beforeEach(() => {
    storeRecords([buildRecord({ name: 'Rumah', year: thisYear - 1, amount: 1000, spt_number: 'A' })]);
    server.on(CREATE, okAnswer({ year: thisYear, count: 1, outstandingCount: 0, newYearCount: 1 }));
  });

  it('names the year in its question and creates only that year', async () => {
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
    await waitFor(() => expect(server.callsOf(LIST)).toHaveLength(2));
  });

  it('creates the chosen year and shows the number of overdue copies', async () => {
    server.on(CREATE, okAnswer({ year: thisYear + 1, count: 5, outstandingCount: 2, newYearCount: 3 }));
    const { user } = open();
    await screen.findByText('1 data');
    await user.click(button('Tahun Baru'));
    await user.click(await screen.findByRole('radio', { name: new RegExp(`^${thisYear + 1}`) }));
    await user.click(button('Lanjut'));
    await screen.findByText(`Berhasil membuat 5 data PBB untuk tahun ${thisYear + 1} (2 tunggakan, 3 data baru)`);
    expect(server.callsOf(CREATE).map(({ body }) => body)).toEqual([{ year: thisYear + 1 }]);
  });

  it('warns of the records that the quota left out, beside those that were made', async () => {
    server.on(CREATE, okAnswer({ year: thisYear, count: 2, outstandingCount: 0, newYearCount: 2, leftOutCount: 3 }));
    const { user } = open();
    await screen.findByText('1 data');
    await user.click(button('Tahun Baru'));
    await user.click(await screen.findByRole('button', { name: 'Lanjut' }));
    const toast = await screen.findByText(
      `Berhasil membuat 2 data PBB untuk tahun ${thisYear}. 3 data PBB tahun ${thisYear} belum dibuat karena batas jumlah data akun ini tercapai. Hubungi administrator.`,
    );
    expect(toast.closest('[role]')?.getAttribute('role')).toBe('alert');
  });

  describe('with the copies as fields', () => {
    const lastYear = thisYear - 1;
    const [homeSource, shopSource] = [
      buildRecord({ address: 'Jl. Melati 1', year: lastYear, amount: 1000, due_date: `${lastYear}-09-30` }),
      buildRecord({ address: 'Jl. Kenanga 2', year: lastYear, amount: 2000, due_date: `${lastYear}-09-30` }),
    ];
    const sent = () => server.callsOf(CREATE).map(({ body }) => body);
    const copyOf = (title: string) =>
      within(screen.getByRole('checkbox', { name: new RegExp(title) }).closest('li') ?? document.body);
    const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

    async function findCopies() {
      const dialog = await screen.findByRole('dialog', { name: 'Konfirmasi' });
      await within(dialog).findAllByRole('checkbox');
    }

    async function openQuestion() {
      const view = open();
      await screen.findByText('2 data');
      await view.user.click(button('Tahun Baru'));
      await findCopies();
      return view;
    }

    beforeEach(() => {
      storeRecords([homeSource, shopSource]);
    });

    it('suggests 10 % more and one year later, and sends only the year while nothing is changed', async () => {
      await openQuestion();
      const copy = copyOf('Melati');
      expect(copy.getByRole<HTMLInputElement>('textbox', { name: 'Jumlah' }).value).toBe('1.100');
      expect(copy.getByText('Perkiraan (naik 10 %)')).toBeTruthy();
      expect(copy.getByRole<HTMLInputElement>('textbox', { name: 'Jatuh tempo' }).value).toBe(`30/09/${thisYear}`);
      expect(copy.getByText('Perkiraan (setahun kemudian)')).toBeTruthy();
      press('Lanjut');
      await screen.findByText(/^Berhasil membuat/);
      expect(sent()).toEqual([{ year: thisYear }]);
    });

    it('sends what was typed, confirmed and left out', async () => {
      await openQuestion();
      const copy = copyOf('Melati');
      fireEvent.input(copy.getByRole('textbox', { name: 'Jumlah' }), { target: { value: '1250' } });
      fireEvent.change(copy.getByRole('textbox', { name: 'Jatuh tempo' }), { target: { value: `31/08/${thisYear}` } });
      expect(copy.queryByText(/Perkiraan/)).toBeNull();
      expect(screen.getByText(/^2 data PBB$/).closest('p')?.textContent).toContain('Rp\u00A03.450');
      fireEvent.click(copyOf('Kenanga').getByRole('button', { name: 'Sesuai SPPT' }));
      expect(copyOf('Kenanga').queryByText(/Perkiraan \(naik/)).toBeNull();
      press('Lanjut');
      await screen.findByText(/^Berhasil membuat/);
      expect(sent()).toEqual([
        {
          year: thisYear,
          records: [
            {
              source_id: homeSource.id,
              amount: 1250,
              due_date: `${thisYear}-08-31`,
              confirmed: false,
              previewed: true,
            },
            { source_id: shopSource.id, amount: 2200, due_date: `${thisYear}-09-30`, confirmed: true, previewed: true },
          ],
        },
      ]);
    });

    it("says which amounts are the office's, and sends what was typed instead of them", async () => {
      const preview = buildNewYear([homeSource, shopSource], thisYear);
      const copies = preview.copies.map((copy) =>
        copy.source_id === homeSource.id
          ? { ...copy, amount: 1300, amount_source: 'office' as const, due_date: `${thisYear}-08-31` }
          : copy,
      );
      server.on(NEW_YEAR, okAnswer({ years: [{ ...preview, copies }] }));
      await openQuestion();
      const copy = copyOf('Melati');
      expect(copy.getAllByText('Menurut daftar kantor')).toHaveLength(2);
      expect(copy.queryByRole('button', { name: 'Sesuai SPPT' })).toBeNull();
      expect(screen.getByText(/^Jumlah pajak menurut daftar kantor, yang lain naik 10%/)).toBeTruthy();
      expect(copy.getByRole<HTMLInputElement>('textbox', { name: 'Jumlah' }).value).toBe('1.300');
      fireEvent.input(copy.getByRole('textbox', { name: 'Jumlah' }), { target: { value: '1100' } });
      press('Lanjut');
      await screen.findByText(/^Berhasil membuat/);
      expect(sent()).toMatchObject([{ records: [{ source_id: homeSource.id, amount: 1100, previewed: true }, {}] }]);
    });

    it('makes only what is ticked, and asks for one at least', async () => {
      await openQuestion();
      fireEvent.click(screen.getByRole('checkbox', { name: /Melati/ }));
      expect(screen.getByText(/^1 data PBB$/).closest('p')?.textContent).toContain('Rp\u00A02.200');
      fireEvent.click(screen.getByRole('checkbox', { name: /Kenanga/ }));
      press('Lanjut');
      expect(await screen.findByText('Pilih data yang akan dibuat')).toBeTruthy();
      fireEvent.click(screen.getByRole('checkbox', { name: /Kenanga/ }));
      press('Lanjut');
      await screen.findByText(/^Berhasil membuat/);
      expect(sent()).toEqual([
        {
          year: thisYear,
          records: [
            {
              source_id: shopSource.id,
              amount: 2200,
              due_date: `${thisYear}-09-30`,
              confirmed: false,
              previewed: true,
            },
          ],
        },
      ]);
    });

    it('sends nothing while an amount is empty', async () => {
      await openQuestion();
      fireEvent.input(copyOf('Melati').getByRole('textbox', { name: 'Jumlah' }), { target: { value: '' } });
      expect(screen.getByText('Jumlah wajib diisi')).toBeTruthy();
      press('Lanjut');
      await waitFor(() => expect(document.activeElement?.getAttribute('aria-invalid')).toBe('true'));
      expect(sent()).toEqual([]);
    });

    it('keeps what was typed when the server refuses, also after the question was closed', async () => {
      const taken = `Data PBB tahun ${thisYear} untuk nomor SPT ${homeSource.spt_number} sudah ada`;
      server.on(CREATE, failAnswer(409, taken));
      const { user } = await openQuestion();
      fireEvent.input(copyOf('Melati').getByRole('textbox', { name: 'Jumlah' }), { target: { value: '1250' } });
      press('Lanjut');
      const alert = await screen.findByText(taken);
      expect(alert.closest('[role="alert"]')?.textContent).toContain('Hapus centangnya, lalu coba lagi.');
      const amount = () => copyOf('Melati').getByRole<HTMLInputElement>('textbox', { name: 'Jumlah' }).value;
      expect(amount()).toBe('1.250');
      press('Batal');
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      await user.click(button('Tahun Baru'));
      await findCopies();
      expect(amount()).toBe('1.250');
    });

    it('keeps what was typed when a later part of the copies is not made', async () => {
      const records = Array.from({ length: 501 }, (_, index) =>
        buildRecord({ address: `Jl. Panjang ${index + 1}`, year: lastYear, amount: 1000 }),
      );
      // The list says that every copy is missing also after the first part, so that the typed one is on the first page.
      server.on(NEW_YEAR, okAnswer({ years: [buildNewYear(records, thisYear)] }));
      const { user } = await openQuestion();
      const amount = () => copyOf('Panjang 2').getByRole<HTMLInputElement>('textbox', { name: 'Jumlah' });
      fireEvent.input(amount(), { target: { value: '1250' } });
      server.on(CREATE, ({ body }) => {
        const { length } = (body as { records: unknown[] }).records;
        if (length === 1) return failAnswer(500);
        return okAnswer({ year: thisYear, count: length, outstandingCount: length, newYearCount: 0, leftOutCount: 0 });
      });
      press('Lanjut');
      await screen.findByText(/^Berhasil membuat 500 data PBB/);
      await screen.findByText('Gagal membuat data tahun baru');
      await user.click(button('Tahun Baru'));
      await findCopies();
      expect(amount().value).toBe('1.250');
    });

    it('shows ten of many copies at a time, and goes to the one that is wrong', async () => {
      const records = Array.from({ length: 25 }, (_, index) =>
        buildRecord({ address: `Jl. Panjang ${index + 1}`, year: lastYear, amount: 1000 }),
      );
      storeRecords(records);
      open();
      await screen.findByText('25 data');
      press('Tahun Baru');
      const dialog = within(await screen.findByRole('dialog', { name: 'Konfirmasi' }));
      const shown = () => dialog.getAllByRole('checkbox').length;
      expect(shown()).toBe(10);
      fireEvent.click(dialog.getByRole('button', { name: 'Berikutnya (Next)' }));
      fireEvent.click(dialog.getByRole('button', { name: 'Berikutnya (Next)' }));
      expect(shown()).toBe(5);
      const [first] = dialog.getAllByRole('textbox', { name: 'Jumlah' });
      if (first) fireEvent.input(first, { target: { value: '' } });
      fireEvent.click(dialog.getByRole('button', { name: 'Sebelumnya (Previous)' }));
      press('Lanjut');
      expect(await dialog.findByText('Halaman 3 dari 3')).toBeTruthy();
      expect(dialog.getByText('Jumlah wajib diisi')).toBeTruthy();
      expect(sent()).toEqual([]);
    });

    it('opens by its address, once', async () => {
      renderPage(<OwnRecordListPage />, { path: '/tax-records', at: '/tax-records#tahun-baru' });
      expect(await screen.findByRole('dialog', { name: 'Konfirmasi' })).toBeTruthy();
    });
  });

  it('creates nothing when the question is declined', async () => {
    const { user } = open();
    await screen.findByText('1 data');
    await user.click(button('Tahun Baru'));
    await user.click(await screen.findByRole('button', { name: 'Batal' }));
    expect(server.callsOf(CREATE)).toHaveLength(0);
  });

  it('shows an error when the year cannot be created', async () => {
    server.on(CREATE, failAnswer(500));
    const { user } = open();
    await screen.findByText('1 data');
    await user.click(button('Tahun Baru'));
    await user.click(await screen.findByRole('button', { name: 'Lanjut' }));
    await screen.findByText('Gagal membuat data tahun baru');
  });
});

describe('OwnRecordListPage: print', () => {
  it('prints every shown record under a heading with the date of printing', async () => {
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
    const printedTable = within(screen.getByText('Jumlah seluruhnya').closest('table') ?? document.body);
    expect(printedTable.getAllByRole('row', { hidden: true })).toHaveLength(47);
    expect(printedTable.getByText('Rp 45.000')).toBeTruthy();
    expect(screen.getByText('21 November 2026 pukul 14.05')).toBeTruthy();
    expect(screen.getByText('Status Belum Lunas')).toBeTruthy();
    print.mockRestore();
  });

  it('renders the print when the browser starts printing by itself', async () => {
    open();
    await screen.findByText('3 data');
    fireEvent(window, new Event('beforeprint'));
    expect(screen.getByText('Jumlah seluruhnya')).toBeTruthy();
  });
});
