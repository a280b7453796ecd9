import { v7 as newId } from 'uuid';
import type { BatchKind } from '#shared/domain/dhkp/list-states.ts';
import type { ListField } from '#shared/domain/dhkp/list-fields.ts';
import { formatRupiah, senToRupiah } from '#shared/domain/money/rupiah.ts';
import type { StoredCells, StoredRowData } from '#server/db/dhkp-columns.ts';
import { type CellNote, hasPayment, type ListRow } from '../reading/list-reading.ts';
import type { AssessmentRow } from '../assessment-queries.ts';
import { cellsOf, cellsOfAssessment, FILE_FIELDS, PAYMENT_FIELDS } from './file-columns.ts';

/** The comparison of a row of the file with the list (R-DHKP-6, R-DHKP-7). */

export type RowStatus = 'new' | 'changed' | 'same' | 'problem' | 'other_village';
export type ComparedRow = { status: RowStatus; nop: string | null; data: StoredRowData };

export type Comparison = {
  kind: BatchKind;
  year: number;
  /** The fields that the file has: what it lacks it does not change. */
  fields: ReadonlySet<ListField>;
  includesOtherVillage: boolean;
};

/** @param existing the assessment of this NOP and year */
export function compareRow(row: ListRow, existing: AssessmentRow | undefined, comparison: Comparison): ComparedRow {
  const values = cellsOf(row.values);
  const base = {
    sheet: row.sheet,
    row: row.row,
    assessmentId: existing?.id ?? null,
    values,
    before: null,
    differences: [],
    problems: row.problems,
    warnings: row.warnings,
  };
  const end = (status: RowStatus, data: Partial<StoredRowData> = {}): ComparedRow => ({
    status,
    nop: row.nop,
    data: { ...base, ...data },
  });
  if (row.isOtherVillage && !comparison.includesOtherVillage) return end('other_village');
  if (row.problems.length > 0 || row.nop === null || values.amount === null) return end('problem');
  const warnings = [...row.warnings, ...missingPayment(row, existing, comparison)];
  if (comparison.kind === 'payments' && !existing) {
    const missing: CellNote = {
      code: 'object_missing',
      field: 'nop',
      text: row.nop,
      message: 'Objek ini belum ada di daftar',
    };
    return end('problem', { problems: [missing], warnings });
  }
  if (!existing)
    return end('new', { assessmentId: newId(), values: { ...values, paid_flag: hasPayment(row) }, warnings });
  const before = cellsOfAssessment(existing);
  const differences = differencesOf(row, values, existing, comparison);
  if (differences.length === 0) return end('same', { warnings });
  const changed = Object.fromEntries(differences.map((field) => [field, before[field] ?? null]));
  return end('changed', { before: changed, differences, warnings });
}

function differencesOf(
  row: ListRow,
  values: StoredCells,
  existing: AssessmentRow,
  { kind, fields }: Comparison,
): (keyof StoredCells)[] {
  const before = cellsOfAssessment(existing);
  // A cell that cannot be read says nothing against what is known.
  const isUnread = (field: ListField): boolean =>
    (values[field] ?? null) === null && row.warnings.some((warning) => warning.field === field);
  const read = new Set([...fields].filter((field) => !isUnread(field)));
  const ofFile = kind === 'payments' ? [] : FILE_FIELDS.filter((field) => read.has(field));
  const ofPayment = hasPayment(row) ? paymentDifferences(values, before, read) : [];
  return [
    ...ofFile.filter((field) => (values[field] ?? null) !== before[field]),
    ...ofPayment,
    ...(kind === 'list' && !existing.isListed ? (['listed'] as const) : []),
  ];
}

/** A value of an earlier file stays where this file has no such column. */
function paymentDifferences(
  values: StoredCells,
  before: StoredCells,
  fields: ReadonlySet<ListField>,
): (keyof StoredCells)[] {
  const isNew = before.paid_flag !== true;
  const different = PAYMENT_FIELDS.filter((field) => fields.has(field) && (values[field] ?? null) !== before[field]);
  return isNew ? [...different, 'paid_flag'] : different;
}

/** A payment that an earlier file had stays in the list. */
function missingPayment(row: ListRow, existing: AssessmentRow | undefined, { fields }: Comparison): CellNote[] {
  if (hasPayment(row) || !existing || existing.paidBatchId === null || !hasPaymentColumn(fields)) return [];
  const paid = existing.paidAmountSen === null ? '' : ` ${formatRupiah(senToRupiah(existing.paidAmountSen))}`;
  const message = `Berkas lama menyebut pembayaran${paid}. Catatan itu tetap disimpan.`;
  return [{ code: 'payment_missing', field: 'paid_amount', text: '', message }];
}

export const hasPaymentColumn = (fields: ReadonlySet<ListField>): boolean =>
  [...PAYMENT_FIELDS, 'paid_flag' as const].some((field) => fields.has(field));
