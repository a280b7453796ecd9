import { currentLetterhead } from '#client/exports/current-letterhead.ts';
import type { ReportDocument, ReportSection } from '#client/exports/report-document.ts';
import { SERVER_TIME_ZONE, showDate, showDateShort, showDateTime } from '#client/lib/format.ts';
import { checkedText, isAllChecked, noteOf } from '#client/lib/sum-texts.ts';
import type { PropertyStatistics, ReportSummary } from '#shared/api/reports.ts';
import { reportRange, type ReportPeriod } from '#shared/domain/dates.ts';
import { sharePercent, totalAmount } from '#shared/domain/rupiah.ts';
import { periodLabels } from '#shared/texts.ts';

/** A report says what its owner recorded, also under the letterhead of the office. */
export const NO_OFFICIAL_PROOF = 'Bukan bukti setoran resmi';

/** The values that every report of this page names above its table. */
export type ReportContext = { period: ReportPeriod; userName: string; nowMs: number };

export const tabTitles = { ringkasan: 'Laporan Ringkasan PBB', properti: 'Laporan Jenis Properti PBB' } as const;

/** The dates of a period: '1 Januari 2026 – 31 Desember 2026'. */
export function periodDates(period: ReportPeriod, nowMs: number): string {
  const { fromDate, toDate } = reportRange(period, SERVER_TIME_ZONE, nowMs);
  return `${showDate(fromDate)} – ${showDate(toDate)}`;
}

/** What the figures count: 'Dihitung dari data yang dicatat 1 Jan–31 Des 2026'. */
export function periodSentence(period: ReportPeriod, nowMs: number): string {
  const { fromDate, toDate } = reportRange(period, SERVER_TIME_ZONE, nowMs);
  const from = showDateShort(fromDate);
  const year = fromDate.slice(0, 4);
  // A period never reaches into another year, so the year stands once.
  return `Dihitung dari data yang dicatat ${from.replace(` ${year}`, '')}–${showDateShort(toDate)}`;
}

/** The paid part of the tax in percent, with one decimal as in the property report (R-REPORT-3). */
export function paidPercent(summary: ReportSummary): number {
  return sharePercent(summary.paidTax, summary.totalTax, 1);
}

/** The part of the tax whose payment the office knows, in percent; what was only reported or refused is not in it. */
export function knownPercent({ checked, totalTax }: ReportSummary): number {
  return sharePercent(totalAmount([checked.matched, checked.office]), totalTax, 1);
}

/** The letterhead and the details; prints and files have the same. */
export function ownReportHeader(context: ReportContext): Pick<ReportDocument, 'letterhead' | 'details' | 'printedAt'> {
  return {
    letterhead: currentLetterhead(),
    details: [
      { label: 'Periode', value: `${periodLabels[context.period]} (${periodDates(context.period, context.nowMs)})` },
      { label: 'Atas nama', value: context.userName },
      { label: 'Keterangan', value: periodSentence(context.period, context.nowMs) },
    ],
    printedAt: showDateTime(new Date(context.nowMs).toISOString()),
  };
}

function toReport(name: string, title: string, context: ReportContext, section: ReportSection): ReportDocument {
  const { fromDate, toDate } = reportRange(context.period, SERVER_TIME_ZONE, context.nowMs);
  return {
    title,
    ...ownReportHeader(context),
    fileName: `${name}_${fromDate}_${toDate}`,
    sections: [{ ...section, notes: [...(section.notes ?? []), NO_OFFICIAL_PROOF] }],
  };
}

/** The tab 'Ringkasan' as a document. */
export function summaryReport(summary: ReportSummary, context: ReportContext): ReportDocument {
  return toReport('laporan-ringkasan', tabTitles.ringkasan, context, {
    heading: 'Ringkasan',
    columns: [
      { header: 'Uraian', kind: 'text', width: 40 },
      { header: 'Nilai', kind: 'rupiah', width: 26 },
    ],
    rows: [
      ['Total Catatan', { kind: 'integer', value: summary.totalRecords }],
      ['Persentase Terbayar', { kind: 'percent', value: paidPercent(summary) }],
      ...(isAllChecked(summary.checked)
        ? []
        : [['Persentase yang diketahui kantor', { kind: 'percent' as const, value: knownPercent(summary) }]]),
      ['Pembayaran pada periode ini', { kind: 'integer', value: summary.paidInPeriod.count }],
      ['Dibayar pada periode ini', summary.paidInPeriod.amount],
      // The last two rows, because the bold line below them is their sum.
      ['Pajak Terbayar', summary.paidTax],
      ['Belum Bayar', summary.unpaidTax],
    ],
    totals: ['Total Pajak', summary.totalTax],
    notes: [
      ...noteOf('Pajak Terbayar', checkedText(summary.checked)),
      ...noteOf('Dibayar pada periode ini', checkedText(summary.paidInPeriod.checked)),
    ],
  });
}

/** The tab 'Jenis Properti' as a document. */
export function propertyReport(shares: readonly PropertyStatistics[], context: ReportContext): ReportDocument {
  const total = totalAmount(shares);
  return toReport('laporan-jenis-properti', tabTitles.properti, context, {
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
