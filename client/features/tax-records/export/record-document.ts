import { LETTERHEAD, type ReportDocument } from '#client/exports/report-document.ts';
import { showDateTime, today } from '#client/lib/format.ts';
import { propertyLabel, statusLabel } from '../display/record-labels.ts';
import { totalAmount } from '../display/total-amount.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
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

/**
 * Records as a document for .xlsx and .pdf. It leaves out the tax type, which is PBB for every record and would take width from
 * the other columns.
 */
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
        columns: [
          { header: 'Nama', kind: 'text', width: 20 },
          { header: 'Alamat', kind: 'text', width: 26 },
          { header: 'Pemilik', kind: 'text', width: 18 },
          { header: 'Nomor SPT', kind: 'text', width: 25 },
          { header: 'Jenis Properti', kind: 'text', width: 16 },
          { header: 'Tahun', kind: 'text', width: 12 },
          { header: 'Status', kind: 'text', width: 14 },
          { header: 'Jatuh Tempo', kind: 'date', width: 20 },
          { header: 'Tanggal Bayar', kind: 'date', width: 20 },
          { header: 'Jumlah', kind: 'rupiah', width: 22 },
        ],
        rows: records.map((record) => [
          record.name,
          record.address,
          record.user.name,
          record.spt_number,
          propertyLabel(record.property_type),
          String(record.year),
          statusLabel(record.status),
          record.due_date,
          record.payment_date,
          record.amount,
        ]),
        ...(records.length > 0 && {
          totals: ['Total', '', '', '', '', '', '', '', '', totalAmount(records)],
        }),
      },
    ],
  };
}
