import { act, fireEvent, screen } from '@testing-library/react';
import { readXlsx } from 'hucre/xlsx';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { installFakeWorker } from '#client/exports/testing/fake-worker.ts';
import { readPdfPages } from '#client/exports/testing/pdf-text.ts';
import { fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { buildChecked, buildPaid } from '#client/testing/build-sums.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { ReportsPage } from './reports-page.tsx';

const pdfMock = vi.hoisted(() => ({ broken: false }));
vi.mock('#client/exports/pdf.ts', async (original) => {
  const { exportPdf } = await original<{ exportPdf: (report: unknown) => Promise<Blob> }>();
  return {
    exportPdf: (report: unknown) => (pdfMock.broken ? Promise.reject(new Error('rusak')) : exportPdf(report)),
  };
});

let saved: { name: string; file: Blob }[] = [];
let server: ReturnType<typeof fakeServer>;

beforeEach(() => {
  saved = [];
  pdfMock.broken = false;
  installFakeWorker();
  signIn({ name: 'Siti Aminah' });
  server = fakeServer();
  server.on(
    'GET /api/reports/summary',
    okAnswer({
      totalTax: 16_000_000,
      paidTax: 10_000_000,
      unpaidTax: 6_000_000,
      totalRecords: 12,
      paidInPeriod: buildPaid(2, 330_000),
      checked: buildChecked(5, 10_000_000, {
        matched: { count: 4, amount: 9_000_000 },
        pending: { count: 1, amount: 1_000_000 },
      }),
    }),
  );
  server.on('GET /api/reports/property', okAnswer([{ property: 'Kantor', amount: 16_000_000, percentage: 100 }]));
  let file = new Blob();
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    file = blob as Blob;
    return 'blob:test';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push({ name: this.download, file });
  });
});

const button = (name: string) => screen.getByRole('button', { name });

/** Opens the page on 21 November 2026 and stops the clock once it is loaded. */
async function openAndStopClock(search: string, loaded: string) {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T07:05:00Z') });
  renderPage(<ReportsPage />, { path: '/reports', at: `/reports${search}` });
  await screen.findByText(loaded);
  vi.useFakeTimers({ now: new Date('2026-11-21T07:05:00Z') });
}

/** Waits in real time, because making a file takes real time while the clock is stopped. */
async function waitForSave() {
  vi.useRealTimers();
  await expect.poll(() => saved).toHaveLength(1);
}

describe('Export Excel and Export PDF', () => {
  it('saves one file and shows a toast after 2 seconds, without a call to the server', async () => {
    await openAndStopClock('', '62,5% terbayar');
    const callsBefore = server.calls.length;
    fireEvent.click(button('Export Excel'));
    fireEvent.click(button('Export Excel'));
    expect(button('Export Excel').getAttribute('aria-disabled')).toBe('true');
    expect(button('Export Excel').getAttribute('aria-busy')).toBe('true');
    expect(button('Export PDF').hasAttribute('aria-disabled')).toBe(false);
    await act(() => vi.advanceTimersByTimeAsync(1999));
    expect(saved).toEqual([]);
    expect(screen.queryByText('Laporan berhasil diekspor ke Excel')).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(1));
    await waitForSave();
    expect(await screen.findByText('Laporan berhasil diekspor ke Excel')).toBeTruthy();
    expect(saved.map(({ name }) => name)).toEqual(['laporan-ringkasan_2026-01-01_2026-12-31.xlsx']);
    expect(button('Export Excel').hasAttribute('aria-disabled')).toBe(false);
    expect(server.calls).toHaveLength(callsBefore);
  });

  it('writes the summary with the dates of its period into the workbook', async () => {
    await openAndStopClock('', '62,5% terbayar');
    fireEvent.click(button('Export Excel'));
    await act(() => vi.advanceTimersByTimeAsync(2000));
    await waitForSave();
    const { sheets } = await readXlsx((await saved[0]?.file.arrayBuffer()) ?? new ArrayBuffer());
    expect(sheets[0]?.rows.filter((row) => row.some((value) => value !== null))).toEqual([
      ['PBB Kita', null],
      ['Laporan Ringkasan PBB', null],
      [
        'Periode: Tahun Ini (1 Januari 2026 – 31 Desember 2026) · Atas nama: Siti Aminah · Keterangan: Dihitung dari data yang dicatat 1 Jan–31 Des 2026 · Dicetak: 21 November 2026 pukul 14.05',
        null,
      ],
      ['Uraian', 'Nilai'],
      ['Total Catatan', 12],
      ['Persentase Terbayar', 0.625],
      ['Persentase yang diketahui kantor', 0.563],
      ['Pembayaran pada periode ini', 2],
      ['Dibayar pada periode ini', 330_000],
      ['Pajak Terbayar', 10_000_000],
      ['Belum Bayar', 6_000_000],
      ['Total Pajak', 16_000_000],
      ['Pajak Terbayar: Dicocokkan Rp\u00A09.000.000 · menunggu Rp\u00A01.000.000', null],
      ['Dibayar pada periode ini: Semua sudah dicocokkan', null],
      ['Bukan bukti setoran resmi', null],
    ]);
  });

  it('writes the property types of the chosen period into the PDF', async () => {
    await openAndStopClock('?tab=properti&periode=last_month', 'Kantor');
    fireEvent.click(button('Export PDF'));
    await act(() => vi.advanceTimersByTimeAsync(2000));
    await waitForSave();
    expect(saved[0]?.name).toBe('laporan-jenis-properti_2026-10-01_2026-10-31.pdf');
    const [page = ''] = await readPdfPages(saved[0]?.file ?? new Blob());
    for (const text of [
      'LAPORAN JENIS PROPERTI PBB',
      'Bulan Lalu (1 Oktober 2026 – 31 Oktober 2026)',
      'Siti Aminah',
      'Kantor',
      'Rp\u00A016.000.000',
      'Total',
      'Halaman 1 dari 1',
    ]) {
      expect(page.split('\n')).toContain(text);
    }
  });

  it('shows an error when the file cannot be made, and enables the button again', async () => {
    pdfMock.broken = true;
    await openAndStopClock('', '62,5% terbayar');
    fireEvent.click(button('Export PDF'));
    vi.useRealTimers();
    expect(await screen.findByText('Gagal mengekspor laporan ke PDF')).toBeTruthy();
    expect(saved).toEqual([]);
    await expect.poll(() => button('Export PDF').hasAttribute('aria-disabled')).toBe(false);
  });
});

describe('Print', () => {
  it('prints the page under a heading with title, period and time of printing', async () => {
    await openAndStopClock('?periode=last_year', '62,5% terbayar');
    const print = vi.spyOn(window, 'print').mockImplementation(() => {});
    fireEvent.click(button('Print'));
    expect(print).toHaveBeenCalledOnce();
    expect(screen.getByText('Laporan Ringkasan PBB')).toBeTruthy();
    expect(screen.getByText('Tahun Lalu (1 Januari 2025 – 31 Desember 2025)')).toBeTruthy();
    vi.setSystemTime(new Date('2026-11-22T01:00:00Z'));
    fireEvent(window, new Event('beforeprint'));
    expect(screen.getByText('22 November 2026 pukul 08.00')).toBeTruthy();
  });
});
