import {
  LETTERHEAD,
  type ReportColumn,
  type ReportDocument,
  type ReportSection,
} from '#client/exports/report-document.ts';
import { showDateTime, today } from '#client/lib/format.ts';
import { propertyLabel } from '#client/features/tax-records/display/record-labels.ts';
import type { AdminStatistics } from '#shared/api/tax-records.ts';
import type { RecordStatus } from '#shared/domain/tax-record-fields.ts';
import { statusLabels } from '#shared/texts.ts';

export const ADMIN_REPORT_TITLE = 'Laporan Seluruh Data PBB';
export const STATUSES = ['lunas', 'belum_lunas', 'proses'] as const satisfies readonly RecordStatus[];

/** A part in whole percent (R-REPORT-7); 0 when the whole is 0. */
export function wholePercent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 100);
}

/** A row of the two tables: one year, or one property type. */
export type BreakdownRow = { label: string; records: number; lunas: number; total: number; paid: number };

type GroupStatistics = AdminStatistics['by_year'][number] | AdminStatistics['by_property'][number];
const toBreakdownRow = (
  label: string,
  { total_records, lunas, total_tax, paid_tax }: GroupStatistics,
): BreakdownRow => ({
  label,
  records: total_records,
  lunas,
  total: total_tax,
  paid: paid_tax,
});

export const yearBreakdown = ({ by_year }: AdminStatistics): BreakdownRow[] =>
  by_year.map((group) => toBreakdownRow(String(group.year), group));
export const propertyBreakdown = ({ by_property }: AdminStatistics): BreakdownRow[] =>
  by_property.map((group) => toBreakdownRow(propertyLabel(group.property_type), group));

/** The letterhead and the details; prints and files have the same. */
export function adminReportHeader(
  userName: string,
  nowMs: number,
): Pick<ReportDocument, 'letterhead' | 'details' | 'printedAt'> {
  return {
    letterhead: LETTERHEAD,
    details: [
      { label: 'Data', value: 'Seluruh warga' },
      { label: 'Dibuat oleh', value: userName },
    ],
    printedAt: showDateTime(new Date(nowMs).toISOString()),
  };
}

function breakdownSection(
  heading: string,
  firstColumn: Pick<ReportColumn, 'header' | 'kind'>,
  breakdownRows: BreakdownRow[],
  statistics: AdminStatistics,
): ReportSection {
  return {
    heading,
    columns: [
      { ...firstColumn, width: 20 },
      { header: 'Data', kind: 'integer', width: 10 },
      { header: 'Lunas', kind: 'integer', width: 10 },
      { header: 'Total Pajak', kind: 'rupiah', width: 26 },
      { header: 'Terbayar', kind: 'rupiah', width: 26 },
      { header: '% Terbayar', kind: 'percent', width: 12 },
    ],
    rows: breakdownRows.map(({ label, records, lunas, total, paid }) => [
      firstColumn.kind === 'year' ? Number(label) : label,
      records,
      lunas,
      total,
      paid,
      wholePercent(paid, total),
    ]),
    ...(breakdownRows.length > 0 && {
      totals: [
        'Total',
        statistics.total_records,
        statistics.lunas,
        statistics.total_tax,
        statistics.paid_tax,
        wholePercent(statistics.paid_tax, statistics.total_tax),
      ],
    }),
  };
}

/** The page as a document for .xlsx and .pdf. */
export function adminReport(statistics: AdminStatistics, userName: string, nowMs: number): ReportDocument {
  return {
    title: ADMIN_REPORT_TITLE,
    ...adminReportHeader(userName, nowMs),
    fileName: `laporan-admin_${today()}`,
    sections: [
      {
        heading: 'Status',
        columns: [
          { header: 'Status', kind: 'text', width: 30 },
          { header: 'Data', kind: 'integer', width: 14 },
          { header: 'Persentase', kind: 'percent', width: 14 },
        ],
        rows: STATUSES.map((status) => [
          statusLabels[status],
          statistics[status],
          wholePercent(statistics[status], statistics.total_records),
        ]),
        totals: ['Total', statistics.total_records, statistics.total_records > 0 ? 100 : 0],
      },
      breakdownSection('Menurut Tahun', { header: 'Tahun', kind: 'year' }, yearBreakdown(statistics), statistics),
      breakdownSection(
        'Menurut Jenis Properti',
        { header: 'Jenis Properti', kind: 'text' },
        propertyBreakdown(statistics),
        statistics,
      ),
    ],
  };
}
