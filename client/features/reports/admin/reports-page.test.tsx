import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { installFakeWorker } from '#client/exports/testing/fake-worker.ts';
import { failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { buildChecked, buildOverdue, buildPaid } from '#client/testing/build-sums.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { screenWidth } from '#client/testing/screen-width.ts';
import type { ReportOverview } from '#shared/api/reports.ts';
import { adminReport } from './admin-report.ts';
import { AdminReportsPage } from './reports-page.tsx';

const { saveFile } = vi.hoisted(() => ({ saveFile: vi.fn<(file: Blob, name: string) => void>() }));
vi.mock('#client/exports/save-file.ts', () => ({ saveFile }));
vi.mock('#client/exports/xlsx.ts', () => ({ exportXlsx: async () => new Blob(['x']) }));

const READ = 'GET /api/admin/statistics';
const zeroTotals = { total_tax: 0, paid_tax: 0, unpaid_tax: 0, total_records: 0, checked: buildChecked(0, 0) };
const period = { ...zeroTotals, previous: zeroTotals, previous_same_days: zeroTotals };
const zeroSum = { count: 0, amount: 0 };
const paid = { ...buildPaid(0, 0), previous: buildPaid(0, 0) };
const statistics = {
  total_users: 9,
  active_users: 8,
  total_records: 8,
  total_objects: 8,
  lunas: 1,
  belum_lunas: 5,
  proses: 2,
  total_tax: 1000,
  paid_tax: 400,
  unpaid_tax: 600,
  checked: buildChecked(1, 400),
  periods: { today: period, week: period, month: period, year: period },
  payments: { today: paid, week: paid, month: paid, year: paid },
  tasks: {
    reported: zeroSum,
    overdue: buildOverdue(0, 0),
    due_this_week: zeroSum,
    to_check: { count: 2, amount: 150 },
    matched_unpaid: zeroSum,
  },
  by_year: [
    { year: 2026, lunas: 0, total_records: 5, total_tax: 600, paid_tax: 0, checked: buildChecked(0, 0) },
    { year: 2025, lunas: 1, total_records: 3, total_tax: 400, paid_tax: 400, checked: buildChecked(1, 400) },
  ],
  by_property: [
    { property_type: null, lunas: 1, total_records: 8, total_tax: 1000, paid_tax: 400, checked: buildChecked(1, 400) },
  ],
};

const OVERVIEW = 'GET /api/admin/reports/overview';
const due = {
  total: { count: 8, amount: 1000 },
  paid: buildPaid(1, 400, { pending: { count: 1, amount: 400 } }),
  unpaid: { count: 7, amount: 600 },
  overdue: buildOverdue(4, 500, { count: 1, amount: 50 }),
};
const overview: ReportOverview = {
  period: { from: '2026-06-01', to: '2026-06-30' },
  received: {
    ...buildPaid(3, 400, { matched: { count: 1, amount: 100 }, rejected: { count: 1, amount: 200 } }),
    previous: { from: '2026-05-01', to: '2026-05-31', ...buildPaid(2, 200) },
  },
  unpaid: due.unpaid,
  overdue: due.overdue,
  by_year: [{ year: 2026, ...due }],
  by_month: [{ month: '2026-06', due, received: buildPaid(3, 400) }],
  top_overdue: [{ user: { id: 'u1', _id: 'u1', name: 'Siti Aminah' }, ...due.overdue }],
};

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn({ is_admin: true, name: 'Ratna' });
  saveFile.mockClear();
  server = fakeServer();
  server.on(READ, okAnswer(statistics));
  server.on(OVERVIEW, okAnswer(overview));
});
const open = () => renderPage(<AdminReportsPage />, { path: '/admin/reports' });

describe('AdminReportsPage', () => {
  it('shows five cards and the statuses in whole percent, which add up to 100', async () => {
    open();
    const status = await screen.findByRole('region', { name: 'Distribusi Status' });
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Laporan (Admin)');
    for (const label of ['Total Records', 'Total Pajak']) expect(screen.getAllByText(label)[0]).toBeTruthy();
    const rows = within(status)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(rows).toEqual(['Lunas13% · 1 data', 'Belum Lunas62% · 5 data', 'Proses25% · 2 data']);
  });

  it('begins with the four numbers of the period, compares and links them', async () => {
    renderPage(<AdminReportsPage />, {
      path: '/admin/reports',
      at: '/admin/reports?periode=pilih&dari=2026-06-01&sampai=2026-06-30',
    });
    const received = await screen.findByRole('link', { name: 'Diterima' });
    const cards = [...(received.closest('dl')?.children ?? [])].map(({ textContent }) =>
      textContent?.replaceAll(/\s/g, ' '),
    );
    expect(cards).toEqual([
      'DiterimaRp 4003 pembayaran pada periode iniDicocokkan Rp 100 · tidak cocok Rp 200 · dicatat kantor Rp 100',
      'Periode sebelumnyaRp 200naik 100% · 1–30 Jun 2026 dibanding 1–31 Mei 2026Semua sudah dicocokkan',
      'Belum terbayar (termasuk Proses)Rp 6007 data, per hari ini',
      'TunggakanRp 5004 data lewat jatuh tempo, per hari initermasuk perkiraan Rp 50 (1 data)',
    ]);
    expect(screen.getByRole('link', { name: /^tidak cocok/ }).getAttribute('href')).toBe(
      '/admin/tax-records?status=lunas&pencocokan=rejected&bayar_dari=2026-06-01&bayar_sampai=2026-06-30',
    );
    // A year of the table, whichever the period.
    expect(screen.getByRole('link', { name: /^Menunggu Rp/ }).getAttribute('href')).toBe(
      '/admin/tax-records?status=lunas&tahun=2026&pencocokan=pending',
    );
    expect(received.getAttribute('href')).toBe('/admin/tax-records?bayar_dari=2026-06-01&bayar_sampai=2026-06-30');
    expect(server.calls.find(({ path }) => path.endsWith('/overview'))?.query).toEqual({
      from: '2026-06-01',
      to: '2026-06-30',
    });
    expect(screen.getByRole('link', { name: 'Siti Aminah' }).getAttribute('href')).toBe('/admin/users/u1');
    const months = within(screen.getByRole('table', { name: 'Tagihan per Bulan Jatuh Tempo' })).getAllByRole('row');
    expect(months[1]?.textContent?.replaceAll(/\s/g, ' ')).toBe(
      'Jun 2026Rp 1.0008 dataRp 4001 data · 40%Rp 6007 dataRp 5004 data',
    );
  });

  it('keeps the chosen period in the address', async () => {
    const { user, router } = open();
    await screen.findByRole('link', { name: 'Diterima' });
    await user.selectOptions(screen.getByRole('combobox', { name: 'Periode' }), 'Bulan lalu');
    expect(router.state.location.search).toBe('?periode=bulan-lalu');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Periode' }), 'Pilih tanggal');
    expect(router.state.location.search).toMatch(/^\?periode=pilih&dari=\d{4}-\d\d-01&sampai=\d{4}-\d\d-\d\d$/);
    expect(screen.getByRole('textbox', { name: 'Dari tanggal' })).toBeTruthy();
  });

  it('says that the numbers of the period failed, and still shows the rest', async () => {
    server.on(OVERVIEW, failAnswer(500));
    open();
    expect(await screen.findByText('Gagal memuat laporan')).toBeTruthy();
    expect(await screen.findByRole('region', { name: 'Distribusi Status' })).toBeTruthy();
  });

  it('shows the totals of a year once, with its records and the paid part', async () => {
    screenWidth.wide = true;
    open();
    const years = await screen.findByRole('table', { name: 'Tagihan per Tahun Pajak' });
    const rows = within(years)
      .getAllByRole('row')
      .map(({ textContent }) => textContent?.replaceAll(/\s/g, ' '));
    expect(rows.slice(1)).toEqual([
      '2026Rp 1.0008 dataRp 4001 data · 40%Rp 6007 dataRp 5004 data',
      'Menunggu Rp 400Tunggakan termasuk perkiraan Rp 50 (1 data)',
    ]);
    expect(screen.queryByText('Menurut Tahun')).toBeNull();
    expect(
      within(screen.getByRole('table', { name: 'Menurut Jenis Properti' })).getByText('Belum Ditentukan'),
    ).toBeTruthy();
  });

  it('names every total of a row on a phone, too, where a table would hide its last columns', async () => {
    open();
    const types = await screen.findByRole('table', { name: 'Menurut Jenis Properti' });
    expect(types.dataset['stacked']).toBe('true');
    const totals = [...types.querySelectorAll('tbody td')].map((cell) => [
      cell.getAttribute('data-label'),
      cell.textContent?.replaceAll(/\s/g, ' '),
    ]);
    expect(totals).toEqual([
      ['Data', '8'],
      ['Lunas', '1'],
      ['Total Pajak', 'Rp 1.000'],
      ['Terbayar', 'Rp 400'],
      ['Belum terbayar', 'Rp 600'],
      ['% Terbayar', '40%'],
    ]);
  });

  it('shows an empty text without records and an error text after a failed load', async () => {
    server.on(READ, okAnswer({ ...statistics, total_records: 0 }));
    const { unmount } = open();
    await screen.findByText('Tidak ada data');
    unmount();
    server.on(READ, failAnswer(500));
    open();
    await screen.findByText('Gagal memuat laporan');
  });

  it('saves the exported file after two seconds', async () => {
    installFakeWorker();
    open();
    await screen.findByRole('region', { name: 'Distribusi Status' });
    vi.useFakeTimers({ shouldAdvanceTime: true });
    fireEvent.click(screen.getByRole('button', { name: 'Export Excel' }));
    await act(() => vi.advanceTimersByTimeAsync(2000));
    await screen.findByText('Laporan berhasil diekspor ke Excel');
    expect(saveFile.mock.calls[0]?.[1]).toMatch(/^laporan-admin_\d{4}-\d\d-\d\d_\d{4}-\d\d-\d\d\.xlsx$/);
  });
});

it('builds a document with the same numbers as the page', () => {
  const { sections } = adminReport(statistics, overview, 'Ratna', 0);
  expect(sections.map(({ heading, rows, totals }) => ({ heading, rows, totals }))).toEqual([
    {
      heading: 'Angka Utama',
      rows: [
        ['Diterima pada periode ini (1–30 Jun 2026)', 3, 400],
        ['Diterima pada periode sebelumnya (1–31 Mei 2026)', 2, 200],
        ['Belum terbayar (termasuk Proses) per hari ini', 7, 600],
        ['Tunggakan per hari ini', 4, 500],
        ['Menunggu dicocokkan per hari ini', 2, 150],
      ],
      totals: undefined,
    },
    {
      heading: 'Tagihan per Tahun Pajak',
      rows: [[2026, 8, 1, 1000, 400, 600, 500, 40]],
      totals: ['Total', 8, 1, 1000, 400, 600, 500, 40],
    },
    {
      heading: 'Tagihan per Bulan Jatuh Tempo',
      rows: [['Jun 2026', 8, 1, 1000, 400, 600, 500, 40]],
      totals: ['Total', 8, 1, 1000, 400, 600, 500, 40],
    },
    { heading: 'Pembayaran per Bulan', rows: [['Jun 2026', 3, 400]], totals: ['Total', 3, 400] },
    { heading: 'Tunggakan Terbesar', rows: [[1, 'Siti Aminah', 4, 500]], totals: undefined },
    {
      heading: 'Status',
      rows: [
        ['Lunas', 1, 13],
        ['Belum Lunas', 5, 62],
        ['Proses', 2, 25],
      ],
      totals: ['Total', 8, 100],
    },
    {
      heading: 'Menurut Jenis Properti',
      rows: [['Belum Ditentukan', 8, 1, 1000, 400, 600, 40]],
      totals: ['Total', 8, 1, 1000, 400, 600, 40],
    },
  ]);
  expect(sections.flatMap(({ notes = [] }) => notes).map((note) => note.replaceAll(/\s/g, ' '))).toEqual([
    'Diterima pada periode ini (1–30 Jun 2026): Dicocokkan Rp 100 · tidak cocok Rp 200 · dicatat kantor Rp 100',
    'Diterima pada periode sebelumnya (1–31 Mei 2026): Semua sudah dicocokkan',
    'Tunggakan per hari ini: termasuk perkiraan Rp 50 (1 data)',
    'Terbayar 2026: Menunggu Rp 400',
    'Tunggakan 2026: termasuk perkiraan Rp 50 (1 data)',
    'Jumlah: Dicocokkan Rp 100 · tidak cocok Rp 200 · dicatat kantor Rp 100',
    'Siti Aminah: termasuk perkiraan Rp 50 (1 data)',
    'Terbayar: Semua sudah dicocokkan',
  ]);
});
