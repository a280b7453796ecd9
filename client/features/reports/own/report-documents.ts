import { OUR_OFFICE, type ReportDocument, type ReportSection } from '#client/exports/report-document.ts';
import { OFFICE_TIME_ZONE, showDate, showDateTime } from '#client/lib/format.ts';
import type { PropertyShare, ReportSummary } from '#shared/api/reports.ts';
import { reportRange, type ReportPeriod } from '#shared/domain/dates.ts';
import { sharePercent } from '#shared/domain/rupiah.ts';
import { periodLabels } from '#shared/texts.ts';

/** What every report of this page has around its table. */
export type ReportFrame = { period: ReportPeriod; userName: string; nowMs: number };

export const tabTitles = { ringkasan: 'Laporan Ringkasan PBB', properti: 'Laporan Jenis Properti PBB' } as const;

/** The real dates behind a period's name: '1 Januari 2026 – 31 Desember 2026'. */
export function periodDates(period: ReportPeriod, nowMs: number): string {
  const { fromDate, toDate } = reportRange(period, OFFICE_TIME_ZONE, nowMs);
  return `${showDate(fromDate)} – ${showDate(toDate)}`;
}

/** The paid share of the tax in percent with one decimal, as everywhere on this page. */
export function paidPercent(summary: ReportSummary): number {
  return sharePercent(summary.paidTax, summary.totalTax, 1);
}

/** All shares together, summed in sen: sums of rupiah with decimals drift in doubles. */
export function totalOf(shares: readonly PropertyShare[]): number {
  return shares.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0) / 100;
}

/** Letterhead and particulars, alike on paper and in files. */
export function frameOf(frame: ReportFrame): Pick<ReportDocument, 'office' | 'details' | 'printedAt'> {
  return {
    office: OUR_OFFICE,
    details: [
      { label: 'Periode', value: `${periodLabels[frame.period]} (${periodDates(frame.period, frame.nowMs)})` },
      { label: 'Atas nama', value: frame.userName },
    ],
    printedAt: showDateTime(new Date(frame.nowMs).toISOString()),
  };
}

function reportOf(name: string, title: string, frame: ReportFrame, section: ReportSection): ReportDocument {
  const { fromDate, toDate } = reportRange(frame.period, OFFICE_TIME_ZONE, frame.nowMs);
  return {
    title,
    ...frameOf(frame),
    fileName: `${name}_${fromDate}_${toDate}`,
    sections: [section],
  };
}

/** The tab 'Ringkasan' as a document. */
export function summaryReport(summary: ReportSummary, frame: ReportFrame): ReportDocument {
  return reportOf('laporan-ringkasan', tabTitles.ringkasan, frame, {
    heading: 'Ringkasan',
    columns: [
      { header: 'Uraian', kind: 'text', width: 40 },
      { header: 'Nilai', kind: 'rupiah', width: 26 },
    ],
    rows: [
      ['Total Catatan', { kind: 'integer', value: summary.totalRecords }],
      ['Persentase Terbayar', { kind: 'percent', value: paidPercent(summary) }],
      // These two last, so that the bold line below them is their sum.
      ['Pajak Terbayar', summary.paidTax],
      ['Belum Bayar', summary.unpaidTax],
    ],
    totals: ['Total Pajak', summary.totalTax],
  });
}

/** The tab 'Jenis Properti' as a document. */
export function propertyReport(shares: readonly PropertyShare[], frame: ReportFrame): ReportDocument {
  const total = totalOf(shares);
  return reportOf('laporan-jenis-properti', tabTitles.properti, frame, {
    heading: 'Jenis Properti',
    columns: [
      { header: 'Jenis Properti', kind: 'text', width: 40 },
      { header: 'Jumlah', kind: 'rupiah', width: 26 },
      { header: 'Persentase', kind: 'percent', width: 14 },
    ],
    rows: shares.map(({ property, amount, percentage }) => [property, amount, percentage]),
    ...(shares.length > 0 && { totals: ['Total', total, total > 0 ? 100 : 0] }),
  });
}
