import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { screenWidth } from '#client/testing/screen-width.ts';
import { adminReport, wholePercent } from './admin-report.ts';
import { AdminReportsPage } from './reports-page.tsx';

const { saveFile } = vi.hoisted(() => ({ saveFile: vi.fn<(file: Blob, name: string) => void>() }));
vi.mock('#client/exports/save-file.ts', () => ({ saveFile }));
vi.mock('#client/exports/xlsx.ts', () => ({ exportXlsx: async () => new Blob(['x']) }));

const READ = 'GET /api/admin/statistics';
const zeroTotals = { total_tax: 0, paid_tax: 0, unpaid_tax: 0, total_records: 0 };
const period = { ...zeroTotals, previous: zeroTotals };
const statistics = {
  total_users: 9,
  active_users: 8,
  total_records: 8,
  lunas: 1,
  belum_lunas: 5,
  proses: 2,
  total_tax: 1000,
  paid_tax: 400,
  unpaid_tax: 600,
  periods: { today: period, week: period, month: period, year: period },
  by_year: [
    { year: 2026, lunas: 0, total_records: 5, total_tax: 600, paid_tax: 0 },
    { year: 2025, lunas: 1, total_records: 3, total_tax: 400, paid_tax: 400 },
  ],
  by_property: [{ property_type: null, lunas: 1, total_records: 8, total_tax: 1000, paid_tax: 400 }],
};

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn({ is_admin: true, name: 'Ratna' });
  saveFile.mockClear();
  server = fakeServer();
  server.on(READ, okAnswer(statistics));
});
const open = () => renderPage(<AdminReportsPage />, { path: '/admin/reports' });

describe('AdminReportsPage', { timeout: 20_000 }, () => {
  it('shows five cards and the statuses in whole percent', async () => {
    open();
    const status = await screen.findByRole('region', { name: 'Distribusi Status' });
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Laporan (Admin)');
    for (const label of ['Total Records', 'Total Pajak']) expect(screen.getAllByText(label)[0]).toBeTruthy();
    const rows = within(status)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(rows).toEqual(['Lunas13% · 1 data', 'Belum Lunas63% · 5 data', 'Proses25% · 2 data']);
  });

  it('shows totals by year and by property type', async () => {
    screenWidth.wide = true;
    open();
    const years = await screen.findByRole('table', { name: 'Menurut Tahun' });
    const rows = within(years)
      .getAllByRole('row')
      .map(({ textContent }) => textContent?.replaceAll(/\s/g, ' '));
    expect(rows.slice(1)).toEqual(['202650Rp 600Rp 00%', '202531Rp 400Rp 400100%']);
    expect(
      within(screen.getByRole('table', { name: 'Menurut Jenis Properti' })).getByText('Belum Ditentukan'),
    ).toBeTruthy();
  });

  it('shows every total on a phone, too, where a table would hide its last columns', async () => {
    open();
    const years = await screen.findByRole('list', { name: 'Menurut Tahun' });
    const rows = within(years)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent?.replaceAll(/\s/g, ' '));
    expect(rows).toEqual([
      '2026Rp 6005 data, 0 lunasTerbayar Rp 0 (0%)',
      '2025Rp 4003 data, 1 lunasTerbayar Rp 400 (100%)',
    ]);
    expect(screen.queryByRole('table')).toBeNull();
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
    open();
    await screen.findByRole('region', { name: 'Distribusi Status' });
    vi.useFakeTimers({ shouldAdvanceTime: true });
    fireEvent.click(screen.getByRole('button', { name: 'Export Excel' }));
    await act(() => vi.advanceTimersByTimeAsync(2000));
    await screen.findByText('Laporan berhasil diekspor ke Excel');
    expect(saveFile.mock.calls[0]?.[1]).toMatch(/^laporan-admin_\d{4}-\d\d-\d\d\.xlsx$/);
  });
});

it('builds a document with the same numbers as the page', () => {
  const { sections } = adminReport(statistics, 'Ratna', 0);
  expect(sections.map(({ heading, rows, totals }) => ({ heading, rows, totals }))).toEqual([
    {
      heading: 'Status',
      rows: [
        ['Lunas', 1, 13],
        ['Belum Lunas', 5, 63],
        ['Proses', 2, 25],
      ],
      totals: ['Total', 8, 100],
    },
    {
      heading: 'Menurut Tahun',
      rows: [
        [2026, 5, 0, 600, 0, 0],
        [2025, 3, 1, 400, 400, 100],
      ],
      totals: ['Total', 8, 1, 1000, 400, 40],
    },
    {
      heading: 'Menurut Jenis Properti',
      rows: [['Belum Ditentukan', 8, 1, 1000, 400, 40]],
      totals: ['Total', 8, 1, 1000, 400, 40],
    },
  ]);
  expect(wholePercent(0, 0)).toBe(0);
});
