import { OUR_OFFICE, type ReportDocument, type ReportSection } from '#client/exports/report-document.ts';
import { showDateTime, today } from '#client/lib/format.ts';
import { propertyLabel } from '#client/features/tax-records/display/record-labels.ts';
import type { AdminStatistics, RecordStatus } from '#shared/api/tax-records.ts';
import { statusLabels } from '#shared/texts.ts';

export const REPORT_TITLE = 'Laporan Seluruh Data PBB';
export const STATUSES = ['lunas', 'belum_lunas', 'proses'] as const satisfies readonly RecordStatus[];

/** A share in whole percent (specification 2.4); of nothing, nothing. */
export function wholePercent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 100);
}

/** A row of the two tables: one year, or one type of property. */
export type Share = { label: string; records: number; lunas: number; total: number; paid: number };

type Sums = AdminStatistics['by_year'][number] | AdminStatistics['by_property'][number];
const shareOf = (label: string, { total_records, lunas, total_tax, paid_tax }: Sums): Share => ({
  label,
  records: total_records,
  lunas,
  total: total_tax,
  paid: paid_tax,
});

export const yearShares = ({ by_year }: AdminStatistics): Share[] =>
  by_year.map((sums) => shareOf(String(sums.year), sums));
export const propertyShares = ({ by_property }: AdminStatistics): Share[] =>
  by_property.map((sums) => shareOf(propertyLabel(sums.property_type), sums));

/** Letterhead and particulars, alike on paper and in files. */
export function frameOf(userName: string, nowMs: number): Pick<ReportDocument, 'office' | 'details' | 'printedAt'> {
  return {
    office: OUR_OFFICE,
    details: [
      { label: 'Data', value: 'Seluruh warga' },
      { label: 'Dibuat oleh', value: userName },
    ],
    printedAt: showDateTime(new Date(nowMs).toISOString()),
  };
}

function sharesSection(heading: string, first: string, shares: Share[], figures: AdminStatistics): ReportSection {
  return {
    heading,
    columns: [
      { header: first, kind: 'text', width: 20 },
      { header: 'Data', kind: 'integer', width: 10 },
      { header: 'Lunas', kind: 'integer', width: 10 },
      { header: 'Total Pajak', kind: 'rupiah', width: 26 },
      { header: 'Terbayar', kind: 'rupiah', width: 26 },
      { header: '% Terbayar', kind: 'percent', width: 12 },
    ],
    rows: shares.map(({ label, records, lunas, total, paid }) => [
      label,
      records,
      lunas,
      total,
      paid,
      wholePercent(paid, total),
    ]),
    ...(shares.length > 0 && {
      totals: [
        'Total',
        figures.total_records,
        figures.lunas,
        figures.total_tax,
        figures.paid_tax,
        wholePercent(figures.paid_tax, figures.total_tax),
      ],
    }),
  };
}

/** The whole page as a document. */
export function adminReport(figures: AdminStatistics, userName: string, nowMs: number): ReportDocument {
  return {
    title: REPORT_TITLE,
    ...frameOf(userName, nowMs),
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
          figures[status],
          wholePercent(figures[status], figures.total_records),
        ]),
        totals: ['Total', figures.total_records, figures.total_records > 0 ? 100 : 0],
      },
      sharesSection('Menurut Tahun', 'Tahun', yearShares(figures), figures),
      sharesSection('Menurut Jenis Properti', 'Jenis Properti', propertyShares(figures), figures),
    ],
  };
}
