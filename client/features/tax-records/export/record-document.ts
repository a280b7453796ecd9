import { ESTIMATE_LABEL } from '#shared/rollover-texts.ts';
import type { ReportCell, ReportDocument } from '#client/exports/report-document.ts';
import { reportHead } from '#client/exports/report-head.ts';
import { rowCells, type TableColumn, tableSection } from '#client/exports/report-table.ts';
import type { ExportKind } from '#client/exports/worker-messages.ts';
import { formatNumber, showDateShort, today } from '#client/lib/format.ts';
import { estimatedText, noteOf, paidNote } from '#client/lib/sum-texts.ts';
import { adminRecordViews } from '#client/paths.ts';
import { propertyLabel, statusLabel } from '../display/record-labels.ts';
import {
  verificationAnswers,
  verificationFilterText,
  verificationText,
} from '../display/verification/verification-text.ts';
import { UNPAID_LABEL } from '#shared/labels.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import { checkedSumsOf } from '#shared/domain/tax-records/checked-sums.ts';
import { totalAmount } from '#shared/domain/money/rupiah.ts';
import type { CheckedSums } from '#shared/api/tax-records/record-sums.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import type { FieldWhere } from '#shared/domain/tax-records/tax-record-fields.ts';
import type { AdminRecordFilter } from '../api.ts';

export type ReportDetail = { label: string; value: string };

export const viewLabels = { overdue: 'Tunggakan', unpaid: UNPAID_LABEL } as const;

export const proofLabels = { with: 'Ada', without: 'Tidak ada' } as const;

const FILE_NAME_PART_MAX = 24;

/** A range of dates in words; '' for a range without bounds. */
function rangeText(from: string, to: string): string {
  if (from && to) return from === to ? showDateShort(from) : `${showDateShort(from)} – ${showDateShort(to)}`;
  if (from) return `mulai ${showDateShort(from)}`;
  return to ? `sampai ${showDateShort(to)}` : '';
}

type FilterPart = ReportDetail & { keys: (keyof AdminRecordFilter)[] };

/** Each part of the filter that hides records, in words. */
export function activeFilterParts(filter: AdminRecordFilter, ownerName: string | undefined): FilterPart[] {
  const { search, status, property_type, year, view, proof, verification, user_id } = filter;
  const parts: FilterPart[] = [
    { label: 'Pencarian', value: search, keys: ['search'] },
    { label: 'Status', value: status && statusLabel(status), keys: ['status'] },
    { label: 'Jenis properti', value: property_type && propertyLabel(property_type), keys: ['property_type'] },
    { label: 'Tahun', value: year, keys: ['year'] },
    { label: 'Tampilan', value: view && viewLabels[view], keys: ['view'] },
    { label: 'Bukti', value: proof && proofLabels[proof], keys: ['proof'] },
    { label: 'Pencocokan', value: verificationFilterText(verification), keys: ['verification'] },
    { label: 'Jatuh tempo', value: rangeText(filter.due_from, filter.due_to), keys: ['due_from', 'due_to'] },
    {
      label: 'Tanggal bayar',
      value: rangeText(filter.payment_from, filter.payment_to),
      keys: ['payment_from', 'payment_to'],
    },
    { label: 'Pemilik', value: user_id && (ownerName ?? user_id), keys: ['user_id'] },
  ];
  return parts.filter(({ value }) => value !== '');
}

/** Names the filter in the name of a file, in short: 'tunggakan_2023'. '' without a filter. */
export function filterFileName(filter: AdminRecordFilter, ownerName: string | undefined): string {
  const { search, status, property_type, year, view, proof, verification, user_id } = filter;
  const parts = [
    view && adminRecordViews[view],
    status,
    property_type,
    year,
    (filter.due_from || filter.due_to) && 'jatuh tempo',
    (filter.payment_from || filter.payment_to) && 'tanggal bayar',
    proof && (proof === 'with' ? 'ada bukti' : 'tanpa bukti'),
    verificationFilterText(verification),
    user_id && (ownerName ?? 'pemilik'),
    search,
  ];
  return parts.map(toFileNamePart).filter(Boolean).join('_');
}

/** Only letters, digits and hyphens, which every file system takes. */
function toFileNamePart(text: string): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, FILE_NAME_PART_MAX).replace(/-$/, '');
}

/** Names the filter in the heading of a print or file. */
export function filterDetails(filter: AdminRecordFilter, ownerName: string | undefined): ReportDetail[] {
  const parts = activeFilterParts(filter, ownerName).map(({ label, value }) => ({ label, value }));
  return parts.length > 0 ? parts : [{ label: 'Data', value: 'Semua data' }];
}

type ExportedColumn = TableColumn<TaxRecord>;

const estimateOf = ({ amount_source: source }: TaxRecord): string | null =>
  source === 'estimate' ? ESTIMATE_LABEL : null;

/** The columns from left to right; the amount is last, above the total. */
const exportedColumns: Record<
  FieldWhere<{ exported: true }> | 'owner' | 'verification' | 'amount_source',
  ExportedColumn
> = {
  name: { header: 'Nama', kind: 'text', width: 20, value: (record) => record.name },
  address: { header: 'Alamat', kind: 'text', width: 26, value: (record) => record.address },
  owner: { header: 'Pemilik', kind: 'text', width: 18, value: (record) => record.user.name },
  spt_number: { header: 'Nomor SPT', kind: 'text', width: 25, value: (record) => formatSptNumber(record.spt_number) },
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
  verification: {
    header: 'Pencocokan',
    kind: 'text',
    width: 30,
    value: (record) => verificationText(record, 'admin') || null,
  },
  amount_source: { header: 'Sumber Jumlah', kind: 'text', width: 22, value: estimateOf },
  amount: { header: 'Jumlah', kind: 'rupiah', width: 22, value: (record) => record.amount },
};

/** On paper an owner of the same name would only repeat it, so the owner stands behind the name where it differs. */
function nameAndOwner({ name, user }: TaxRecord): string {
  return user.name === name ? name : `${name} (${user.name})`;
}

const { owner: _owner, amount_source: _source, ...otherColumns } = exportedColumns;

/** The same fields on one line of a landscape page, in millimetres. Each status and property type fits its column, as most texts do. */
const onPaper: Record<keyof typeof otherColumns, Partial<ExportedColumn> & { width: number }> = {
  name: { header: 'Nama (pemilik akun)', width: 42.5, value: nameAndOwner },
  address: { width: 67.5 },
  spt_number: { width: 40.4 },
  property_type: { width: 25.5 },
  year: { width: 10.8 },
  // An estimate is rare and stands here, so that the other records keep their one line.
  status: {
    width: 19.3,
    value: (record) => [statusLabel(record.status), estimateOf(record)].filter(Boolean).join(' · '),
  },
  due_date: { header: 'Jatuh tempo', width: 19.4 },
  payment_date: { header: 'Tgl. bayar', width: 18.7 },
  // The narrowest answer to 'Cocok?', so that a record keeps its one line; Excel has name, date and reason.
  verification: {
    header: 'Cocok',
    width: 10.9,
    value: ({ verification: { state } }) => (state === 'none' ? null : verificationAnswers[state]),
  },
  amount: { header: 'Jumlah (Rp)', width: 25 },
};
const paperColumn = (key: keyof typeof otherColumns): ExportedColumn => ({ ...otherColumns[key], ...onPaper[key] });
const paperColumns = (Object.keys(otherColumns) as (keyof typeof otherColumns)[]).map(paperColumn);

const fileColumns = { xlsx: Object.values(exportedColumns), pdf: paperColumns } as const;

/** The paid sum of the records and the estimated part of the others, with the same words on screen, in files and in print. */
export function sumNotes(checked: CheckedSums, estimated: { count: number; amount: number }): string[] {
  const paid = paidNote(checked);
  return [...(paid === null ? [] : [paid]), ...noteOf('Belum terbayar', estimatedText(estimated))];
}

/** The unpaid records whose amount nobody has confirmed yet. */
export function estimatedOf(records: readonly TaxRecord[]): { count: number; amount: number } {
  const estimated = records.filter(({ status, amount_source }) => status !== 'lunas' && amount_source === 'estimate');
  return { count: estimated.length, amount: totalAmount(estimated) };
}

/** Builds the document of records that come in parts: the rows of each part, and at the end the document without rows. */
export function recordExport(kind: ExportKind) {
  const columns = fileColumns[kind];
  let count = 0;
  let totalRupiah = 0;
  let checked = checkedSumsOf([]);
  let estimated = estimatedOf([]);
  return {
    count: () => count,

    addRecords: (records: readonly TaxRecord[]): ReportCell[][] => {
      count += records.length;
      totalRupiah = totalAmount([{ amount: totalRupiah }, ...records]);
      checked = checkedSumsOf(records, checked);
      const more = estimatedOf(records);
      estimated = { count: estimated.count + more.count, amount: totalAmount([estimated, more]) };
      return records.map((record) => rowCells(columns, record));
    },

    /**
     * @param shownAs what the records are, in the heading and in the name of the file
     * @param userName the signed-in person, named on the file
     */
    finish: (
      shownAs: { details: ReportDetail[]; fileNamePart: string },
      userName: string,
      nowMs: number,
    ): ReportDocument => ({
      title: 'Daftar Data PBB',
      ...reportHead(
        [
          ...shownAs.details,
          { label: 'Jumlah data', value: formatNumber(count) },
          { label: 'Dibuat oleh', value: userName },
        ],
        nowMs,
      ),
      fileName: ['data-pajak', shownAs.fileNamePart, today()].filter(Boolean).join('_'),
      orientation: 'landscape',
      compact: true,
      sections: [
        {
          ...tableSection({ heading: 'Data PBB', columns, rows: [] }),
          ...(count > 0 && { totals: ['Total', ...columns.slice(2).map(() => ''), totalRupiah] }),
          notes: sumNotes(checked, estimated),
        },
      ],
    }),
  };
}
