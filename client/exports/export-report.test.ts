import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { exportReport } from './export-report.ts';
import type { ReportDocument } from './report-document.ts';

const report: ReportDocument = {
  title: 'Laporan',
  letterhead: { name: 'PBB Kita' },
  details: [],
  printedAt: '21 November 2026 pukul 14.05',
  fileName: 'laporan-2026',
  sections: [{ heading: 'Kosong', columns: [{ header: 'Uraian', kind: 'text' }], rows: [] }],
};

const revoke = vi.fn<(url: string) => void>();
let saved: { name: string; href: string }[] = [];

beforeEach(() => {
  saved = [];
  revoke.mockClear();
  vi.useFakeTimers();
  vi.stubGlobal('fetch', () => {
    throw new Error('an export makes no call');
  });
  URL.createObjectURL = () => 'blob:test';
  URL.revokeObjectURL = revoke;
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push({ name: this.download, href: this.href });
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
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
      expect(revoke).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(revoke).toHaveBeenCalledWith('blob:test');
    },
  );

  it('rejects at once and saves nothing when the file cannot be made', async () => {
    const broken = {
      ...report,
      sections: [
        {
          heading: 'x',
          columns: [],
          get rows(): never {
            throw new Error('rusak');
          },
        },
      ],
    };
    await expect(exportReport('xlsx', broken)).rejects.toThrow('rusak');
    await vi.advanceTimersByTimeAsync(5000);
    expect(saved).toEqual([]);
  });
});
