import type { ReportDocument, ReportSection } from '#client/exports/report-document.ts';
import { type ReportHead, reportHead } from '#client/exports/report-head.ts';
import { tableSection } from '#client/exports/report-table.ts';
import { SERVER_TIME_ZONE, showDate, showDateShort } from '#client/lib/format.ts';
import { checkedText, isAllChecked, noteOf } from '#client/lib/sum-texts.ts';
import type { PropertyStatistics, ReportSummary } from '#shared/api/reports.ts';
import { reportRange, type ReportPeriod } from '#shared/domain/dates/dates.ts';
import { sharePercent, totalAmount } from '#shared/domain/money/rupiah.ts';
import { periodLabels } from '#shared/texts.ts';
import type { ReportTable } from '../table/report-table.ts';

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

/** The sentence on the records that are counted: 'Dihitung dari data yang dicatat 1 Jan–31 Des 2026'. */
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

export const ownReportHead = ({ period, userName, nowMs }: ReportContext): ReportHead =>
  reportHead(
    [
      { label: 'Periode', value: `${periodLabels[period]} (${periodDates(period, nowMs)})` },
      { label: 'Atas nama', value: userName },
      { label: 'Keterangan', value: periodSentence(period, nowMs) },
    ],
    nowMs,
  );

function toReport(name: string, title: string, context: ReportContext, section: ReportSection): ReportDocument {
  const { fromDate, toDate } = reportRange(context.period, SERVER_TIME_ZONE, context.nowMs);
  return {
    title,
    ...ownReportHead(context),
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

/** The tax of each property type. */
export function propertyTable(shares: readonly PropertyStatistics[]): ReportTable<PropertyStatistics> {
  const amount = totalAmount(shares);
  return {
    heading: 'Jenis Properti',
    columns: [
      { header: 'Jenis Properti', kind: 'text', width: 40, value: ({ property }) => property },
      { header: 'Jumlah', kind: 'rupiah', width: 26, value: (share) => share.amount },
      { header: 'Persentase', kind: 'percent', width: 14, value: ({ percentage }) => percentage },
    ],
    rows: shares,
    total: { label: 'Total', row: { property: 'Total', amount, percentage: amount > 0 ? 100 : 0 } },
  };
}

/** The tab 'Jenis Properti' as a document. */
export const propertyReport = (shares: readonly PropertyStatistics[], context: ReportContext): ReportDocument =>
  toReport('laporan-jenis-properti', tabTitles.properti, context, tableSection(propertyTable(shares)));
