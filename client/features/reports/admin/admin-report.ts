import { currentLetterhead } from '#client/exports/current-letterhead.ts';
import type { ReportDocument, ReportSection } from '#client/exports/report-document.ts';
import { SERVER_TIME_ZONE, showDate, showDateTime } from '#client/lib/format.ts';
import { checkedText, noteOf } from '#client/lib/sum-texts.ts';
import { propertyLabel } from '#client/features/tax-records/display/record-labels.ts';
import type { AdminStatistics } from '#shared/api/tax-records.ts';
import type { ReportOverview } from '#shared/api/reports.ts';
import { type DateRange, todayIn } from '#shared/domain/dates.ts';
import type { RecordStatus } from '#shared/domain/tax-record-fields.ts';
import { percentShares } from '#shared/domain/shares.ts';
import { statusLabels } from '#shared/labels.ts';
import { overviewSections } from './overview/overview-sections.ts';
import { wholePercent } from './whole-percent.ts';

export const ADMIN_REPORT_TITLE = 'Laporan Seluruh Data PBB';
export const STATUSES = ['lunas', 'belum_lunas', 'proses'] as const satisfies readonly RecordStatus[];

/** The records of each status in whole percent, which add up to 100 (R-REPORT-31). */
export function statusPercents(statistics: Pick<AdminStatistics, RecordStatus>): Record<RecordStatus, number> {
  const [lunas = 0, belum_lunas = 0, proses = 0] = percentShares(
    [statistics.lunas, statistics.belum_lunas, statistics.proses],
    0,
  );
  return { lunas, belum_lunas, proses };
}

/** Reported payments that the office has not checked; they belong to one of the statuses, too. */
export const TO_CHECK_LABEL = 'Menunggu dicocokkan';

/** The totals of one property type. */
export type BreakdownRow = { label: string; records: number; lunas: number; total: number; paid: number };

export const propertyBreakdown = ({ by_property }: AdminStatistics): BreakdownRow[] =>
  by_property.map(({ property_type, total_records, lunas, total_tax, paid_tax }) => ({
    label: propertyLabel(property_type),
    records: total_records,
    lunas,
    total: total_tax,
    paid: paid_tax,
  }));

/** The letterhead and the details; prints and files have the same. */
export function adminReportHeader(
  userName: string,
  nowMs: number,
  { fromDate, toDate }: DateRange,
): Pick<ReportDocument, 'letterhead' | 'details' | 'printedAt'> {
  return {
    letterhead: currentLetterhead(),
    details: [
      { label: 'Data', value: 'Seluruh warga' },
      { label: 'Periode', value: `${showDate(fromDate)} – ${showDate(toDate)}` },
      { label: 'Dibuat oleh', value: userName },
    ],
    printedAt: showDateTime(new Date(nowMs).toISOString()),
  };
}

function breakdownSection(statistics: AdminStatistics): ReportSection {
  const breakdownRows = propertyBreakdown(statistics);
  return {
    heading: 'Menurut Jenis Properti',
    columns: [
      { header: 'Jenis Properti', kind: 'text', width: 20 },
      { header: 'Data', kind: 'integer', width: 10 },
      { header: 'Lunas', kind: 'integer', width: 10 },
      { header: 'Total Pajak', kind: 'rupiah', width: 26 },
      { header: 'Terbayar', kind: 'rupiah', width: 26 },
      { header: 'Belum terbayar', kind: 'rupiah', width: 26 },
      { header: '% Terbayar', kind: 'percent', width: 17 },
    ],
    rows: breakdownRows.map(({ label, records, lunas, total, paid }) => [
      label,
      records,
      lunas,
      total,
      paid,
      total - paid,
      wholePercent(paid, total),
    ]),
    ...(breakdownRows.length > 0 && {
      totals: [
        'Total',
        statistics.total_records,
        statistics.lunas,
        statistics.total_tax,
        statistics.paid_tax,
        statistics.unpaid_tax,
        wholePercent(statistics.paid_tax, statistics.total_tax),
      ],
      notes: noteOf('Terbayar', checkedText(statistics.checked)),
    }),
  };
}

/** The page as a document for .xlsx and .pdf. */
export function adminReport(
  statistics: AdminStatistics,
  overview: ReportOverview,
  userName: string,
  nowMs: number,
): ReportDocument {
  const { from: fromDate, to: toDate } = overview.period;
  return {
    title: ADMIN_REPORT_TITLE,
    ...adminReportHeader(userName, nowMs, { fromDate, toDate }),
    fileName: `laporan-admin_${fromDate}_${toDate}`,
    sections: [
      ...overviewSections(overview, todayIn(SERVER_TIME_ZONE, nowMs), [
        `${TO_CHECK_LABEL} per hari ini`,
        statistics.tasks.to_check.count,
        statistics.tasks.to_check.amount,
      ]),
      {
        heading: 'Status',
        columns: [
          { header: 'Status', kind: 'text', width: 30 },
          { header: 'Data', kind: 'integer', width: 14 },
          { header: 'Persentase', kind: 'percent', width: 14 },
        ],
        rows: STATUSES.map((status) => [statusLabels[status], statistics[status], statusPercents(statistics)[status]]),
        totals: ['Total', statistics.total_records, statistics.total_records > 0 ? 100 : 0],
      },
      breakdownSection(statistics),
    ],
  };
}
