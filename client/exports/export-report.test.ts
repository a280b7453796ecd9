import { readXlsx } from 'hucre/xlsx';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { letterheadOf } from '#client/lib/office/letterhead.ts';
import { NO_IDENTITY } from '#client/lib/office/office-identity.ts';
import { exportReport } from './export-report.ts';
import type { ReportDocument } from './report-document.ts';
import { installBrokenWorker, installFakeWorker } from './testing/fake-worker.ts';
import { ExportWorkerError } from './worker-connection.ts';

const report: ReportDocument = {
  title: 'Laporan',
  letterhead: letterheadOf(NO_IDENTITY),
  details: [],
  printedAt: '21 November 2026 pukul 14.05',
  fileName: 'laporan-2026',
  sections: [{ heading: 'Kosong', columns: [{ header: 'Uraian', kind: 'text' }], rows: [] }],
};

const revoke = vi.fn<(url: string) => void>();
let saved: { name: string; href: string }[] = [];
let savedFile = new Blob();
let workers: ReturnType<typeof installFakeWorker> = [];

beforeEach(() => {
  saved = [];
  workers = installFakeWorker();
  revoke.mockClear();
  vi.useFakeTimers();
  vi.stubGlobal('fetch', () => {
    throw new Error('an export makes no call');
  });
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    savedFile = file as Blob;
    return 'blob:test';
  });
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(revoke);
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push({ name: this.download, href: this.href });
  });
});

describe('exportReport', () => {
  it.each(['pdf', 'xlsx'] as const)(
    'saves the .%s 2 seconds after the call, not earlier, and revokes its URL later',
    async (kind) => {
      const running = exportReport(kind, report);
      await vi.advanceTimersByTimeAsync(1999);
      expect(saved).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      // Making the file takes real time, which the fake clock does not advance.
      await running;
      expect(saved).toEqual([{ name: `laporan-2026.${kind}`, href: 'blob:test' }]);
      expect(document.querySelector('a')).toBeNull();
      expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true]);
      expect(revoke).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(revoke).toHaveBeenCalledWith('blob:test');
    },
  );

  it('rejects at once and saves nothing when the file cannot be made', async () => {
    const broken = { ...report, sections: [{ heading: 'x', columns: [{ kind: 'text' }], rows: [] }] };
    await expect(exportReport('xlsx', broken as unknown as ReportDocument)).rejects.toThrow('TypeError');
    await vi.advanceTimersByTimeAsync(5000);
    expect(saved).toEqual([]);
    expect(workers[0]?.isTerminated).toBe(true);
  });

  it('puts the rows that were collected in parts before the rows of the document', async () => {
    const makings: number[] = [];
    const running = exportReport(
      'xlsx',
      async (addRows) => {
        addRows([['satu'], ['dua']]);
        await Promise.resolve();
        addRows([['tiga']]);
        return report;
      },
      { onMaking: (madeRows) => makings.push(madeRows) },
    );
    await vi.advanceTimersByTimeAsync(2000);
    await running;
    const { sheets } = await readXlsx(await savedFile.arrayBuffer());
    expect(sheets[0]?.rows.slice(4)).toEqual([['Uraian'], ['satu'], ['dua'], ['tiga']]);
    expect(makings[0]).toBe(0);
  });

  it.each(['while rows are collected', 'while the file is made'])(
    'ends the worker and saves nothing when it is cancelled %s',
    async (moment) => {
      const controller = new AbortController();
      const running = exportReport(
        'pdf',
        () => (moment === 'while the file is made' ? Promise.resolve(report) : new Promise(() => {})),
        { signal: controller.signal },
      );
      const settled = expect(running).rejects.toThrow('aborted');
      await vi.advanceTimersByTimeAsync(0);
      controller.abort();
      await settled;
      expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true]);
      await vi.advanceTimersByTimeAsync(5000);
      expect(saved).toEqual([]);
    },
  );

  it('rejects with ExportWorkerError where workers are missing or their program does not load', async () => {
    installBrokenWorker();
    await expect(exportReport('pdf', report)).rejects.toThrow(ExportWorkerError);
    vi.stubGlobal('Worker', undefined);
    await expect(exportReport('pdf', report)).rejects.toThrow(ExportWorkerError);
    expect(saved).toEqual([]);
  });
});
