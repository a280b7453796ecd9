import { LETTERHEAD, type ReportDocument } from '#client/exports/report-document.ts';
import { showDateTime, today } from '#client/lib/format.ts';
import { propertyLabel, statusLabel } from '../display/record-labels.ts';
import { totalAmount } from '../display/total-amount.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';

export type ReportDetail = { label: string; value: string };

/** Records as a document for .xlsx and .pdf; without the tax type, which is PBB for all of them and would cost the others their room. */
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
