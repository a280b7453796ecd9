import type { ReportDocument, ReportSection } from '#client/exports/report-document.ts';
import { type ReportHead, reportHead } from '#client/exports/report-head.ts';
import { tableSection } from '#client/exports/report-table.ts';
import { propertyLabel } from '#client/features/tax-records/display/record-labels.ts';
import { formatDateRange, SERVER_TIME_ZONE, showDate } from '#client/lib/format.ts';
import { checkedText, estimatedText, noteOf } from '#client/lib/sum-texts.ts';
import type { ReportOverview } from '#shared/api/reports.ts';
import type { AdminStatistics } from '#shared/api/tax-records/statistics.ts';
import { type DateRange, todayIn } from '#shared/domain/dates/dates.ts';
import { sharePercent } from '#shared/domain/money/rupiah.ts';
import { percentShares } from '#shared/domain/money/shares.ts';
import type { RecordStatus } from '#shared/domain/tax-records/record-values.ts';
import { statusLabels, UNPAID_LABEL } from '#shared/labels.ts';
import type { ReportTable, TableBar } from '../table/report-table.ts';
import { periodSoFar } from './compared-with.ts';
import { formatMonth, monthTable, yearTable } from './due-table.ts';

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

export function adminReportHead(userName: string, nowMs: number, { fromDate, toDate }: DateRange): ReportHead {
  return reportHead(
    [
      { label: 'Data', value: 'Seluruh warga' },
      { label: 'Periode', value: `${showDate(fromDate)} – ${showDate(toDate)}` },
      { label: 'Dibuat oleh', value: userName },
    ],
    nowMs,
  );
}

/** The numbers that the screen has as cards. `today` ends the name of a period that has not ended. */
function mainNumbers(overview: ReportOverview, statistics: AdminStatistics, today: string): ReportSection {
  const { received, unpaid, overdue } = overview;
  const { from: fromDate, to: toDate } = received.previous;
  const nowLabel = `Diterima pada periode ini (${periodSoFar(overview, today)})`;
  const beforeLabel = `Diterima pada periode sebelumnya (${formatDateRange({ fromDate, toDate })})`;
  const { to_check } = statistics.tasks;
  return {
    heading: 'Angka Utama',
    columns: [
      { header: 'Angka', kind: 'text', width: 40 },
      { header: 'Data', kind: 'integer', width: 16 },
      { header: 'Jumlah', kind: 'rupiah', width: 30 },
    ],
    rows: [
      [nowLabel, received.count, received.amount],
      [beforeLabel, received.previous.count, received.previous.amount],
      [`${UNPAID_LABEL} per hari ini`, unpaid.count, unpaid.amount],
      ['Tunggakan per hari ini', overdue.count, overdue.amount],
      [`${TO_CHECK_LABEL} per hari ini`, to_check.count, to_check.amount],
    ],
    notes: [
      ...noteOf(nowLabel, checkedText(received.checked)),
      ...noteOf(beforeLabel, checkedText(received.previous.checked)),
      ...noteOf('Tunggakan per hari ini', estimatedText(overdue.estimated)),
    ],
  };
}

type ReceivedRow = Pick<ReportOverview['by_month'][number], 'month'> & {
  received: { count: number; amount: number };
};

/** The payments of each month of the period, by the day of the payment. */
export function receivedTable({ by_month, received }: ReportOverview): ReportTable<ReceivedRow> {
  return {
    heading: 'Pembayaran per Bulan',
    columns: [
      { header: 'Bulan', kind: 'text', width: 30, value: ({ month }) => formatMonth(month) },
      { header: 'Pembayaran', kind: 'integer', width: 20, value: (row) => row.received.count },
      { header: 'Jumlah', kind: 'rupiah', width: 30, value: (row) => row.received.amount },
    ],
    rows: by_month,
    total: { label: 'Total', row: { month: '', received } },
    notes: noteOf('Jumlah', checkedText(received.checked)),
  };
}

export function receivedBar(rows: readonly ReceivedRow[]): TableBar<ReceivedRow> {
  const largest = Math.max(...rows.map(({ received }) => received.amount), 1);
  return {
    legend: [],
    parts: ({ received: { amount } }) => (amount > 0 ? [{ part: 'paid', from: 0, to: (amount / largest) * 100 }] : []),
  };
}

/** The owners with the largest overdue sums. The screen has them as a list with links. */
const overdueSection = ({ top_overdue }: ReportOverview): ReportSection => ({
  heading: 'Tunggakan Terbesar',
  columns: [
    { header: 'No.', kind: 'integer', width: 6 },
    { header: 'Nama', kind: 'text', width: 36 },
    { header: 'Data', kind: 'integer', width: 14 },
    { header: 'Jumlah', kind: 'rupiah', width: 30 },
  ],
  rows: top_overdue.map(({ user, count, amount }, index) => [index + 1, user.name, count, amount]),
  notes: top_overdue.flatMap(({ user, estimated }) => noteOf(user.name, estimatedText(estimated))),
});

/** The screen has them as bars and as a ring. */
function statusSection(statistics: AdminStatistics): ReportSection {
  const percents = statusPercents(statistics);
  return {
    heading: 'Status',
    columns: [
      { header: 'Status', kind: 'text', width: 30 },
      { header: 'Data', kind: 'integer', width: 14 },
      { header: 'Persentase', kind: 'percent', width: 14 },
    ],
    rows: STATUSES.map((status) => [statusLabels[status], statistics[status], percents[status]]),
    totals: ['Total', statistics.total_records, statistics.total_records > 0 ? 100 : 0],
  };
}

type PropertyRow = Pick<AdminStatistics, 'total_records' | 'lunas' | 'total_tax' | 'paid_tax' | 'unpaid_tax'> & {
  label: string;
};

/** The totals of each property type, with the paid part. */
export function propertyTable(statistics: AdminStatistics): ReportTable<PropertyRow> {
  const { by_property, checked } = statistics;
  return {
    heading: 'Menurut Jenis Properti',
    columns: [
      { header: 'Jenis Properti', kind: 'text', width: 20, value: ({ label }) => label },
      { header: 'Data', kind: 'integer', width: 10, value: ({ total_records }) => total_records },
      { header: 'Lunas', kind: 'integer', width: 10, value: ({ lunas }) => lunas },
      { header: 'Total Pajak', kind: 'rupiah', width: 26, value: ({ total_tax }) => total_tax },
      { header: 'Terbayar', kind: 'rupiah', width: 26, value: ({ paid_tax }) => paid_tax },
      { header: 'Belum terbayar', kind: 'rupiah', width: 26, value: ({ unpaid_tax }) => unpaid_tax },
      {
        header: '% Terbayar',
        kind: 'percent',
        width: 17,
        value: ({ total_tax, paid_tax }) => sharePercent(paid_tax, total_tax, 0),
      },
    ],
    rows: by_property.map((sums) => ({
      ...sums,
      label: propertyLabel(sums.property_type),
      unpaid_tax: sums.total_tax - sums.paid_tax,
    })),
    total: { label: 'Total', row: { ...statistics, label: 'Total' } },
    notes: by_property.length > 0 ? noteOf('Terbayar', checkedText(checked)) : [],
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
    ...adminReportHead(userName, nowMs, { fromDate, toDate }),
    fileName: `laporan-admin_${fromDate}_${toDate}`,
    sections: [
      mainNumbers(overview, statistics, todayIn(SERVER_TIME_ZONE, nowMs)),
      tableSection(yearTable(overview)),
      tableSection(monthTable(overview)),
      tableSection(receivedTable(overview)),
      overdueSection(overview),
      statusSection(statistics),
      tableSection(propertyTable(statistics)),
    ],
  };
}
