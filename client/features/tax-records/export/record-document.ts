import { type CellKind, type CellValue, LETTERHEAD, type ReportDocument } from '#client/exports/report-document.ts';
import { showDateTime, today } from '#client/lib/format.ts';
import { propertyLabel, statusLabel } from '../display/record-labels.ts';
import { totalAmount } from '#shared/domain/rupiah.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import type { FieldWhere } from '#shared/domain/tax-record-fields.ts';
import type { AdminRecordFilter } from '../api.ts';

export type ReportDetail = { label: string; value: string };

/** Names the filter in the heading of a print or file. */
export function filterDetails(filter: AdminRecordFilter, ownerName: string | undefined): ReportDetail[] {
  const parts: (ReportDetail | null)[] = [
    filter.search ? { label: 'Pencarian', value: filter.search } : null,
    filter.status ? { label: 'Status', value: statusLabel(filter.status) } : null,
    filter.property_type ? { label: 'Jenis properti', value: propertyLabel(filter.property_type) } : null,
    filter.year ? { label: 'Tahun', value: filter.year } : null,
    filter.user_id ? { label: 'Pemilik', value: ownerName ?? filter.user_id } : null,
  ];
  const activeParts = parts.filter((part) => part !== null);
  return activeParts.length > 0 ? activeParts : [{ label: 'Data', value: 'Semua data' }];
}

type ExportedColumn = {
  header: string;
  kind: CellKind;
  width: number;
  value: (record: TaxRecord) => CellValue;
};

/** The columns from left to right; the amount is last, above the total. */
const exportedColumns: Record<FieldWhere<{ exported: true }> | 'owner', ExportedColumn> = {
  name: { header: 'Nama', kind: 'text', width: 20, value: (record) => record.name },
  address: { header: 'Alamat', kind: 'text', width: 26, value: (record) => record.address },
  owner: { header: 'Pemilik', kind: 'text', width: 18, value: (record) => record.user.name },
  spt_number: { header: 'Nomor SPT', kind: 'text', width: 25, value: (record) => record.spt_number },
  property_type: {
    header: 'Jenis Properti',
    kind: 'text',
    width: 16,
    value: (record) => propertyLabel(record.property_type),
  },
  year: { header: 'Tahun', kind: 'year', width: 12, value: (record) => record.year },
  status: { header: 'Status', kind: 'text', width: 14, value: (record) => statusLabel(record.status) },
  due_date: { header: 'Jatuh Tempo', kind: 'date', width: 20, value: (record) => record.due_date },
  payment_date: { header: 'Tanggal Bayar', kind: 'date', width: 20, value: (record) => record.payment_date },
  amount: { header: 'Jumlah', kind: 'rupiah', width: 22, value: (record) => record.amount },
};
const columns = Object.values(exportedColumns);

/** Records as a document for .xlsx and .pdf. */
export function recordDocument(records: readonly TaxRecord[], details: ReportDetail[], nowMs: number): ReportDocument {
  return {
    title: 'Daftar Data PBB',
    letterhead: LETTERHEAD,
    details: [...details, { label: 'Jumlah data', value: String(records.length) }],
    printedAt: showDateTime(new Date(nowMs).toISOString()),
    fileName: `data-pajak_${today()}`,
    orientation: 'landscape',
    sections: [
      {
        heading: 'Data PBB',
        columns: columns.map(({ header, kind, width }) => ({ header, kind, width })),
        rows: records.map((record) => columns.map(({ value }) => value(record))),
        ...(records.length > 0 && {
          totals: ['Total', ...columns.slice(2).map(() => ''), totalAmount(records)],
        }),
      },
    ],
  };
}
