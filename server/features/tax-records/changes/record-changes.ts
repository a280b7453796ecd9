import type {
  AdminCreateRecordBody,
  AdminUpdateRecordBody,
  UpdateRecordBody,
} from '#shared/api/tax-records/tax-records.ts';
import type { RecordChange } from '#shared/events.ts';
import { findNop } from '#shared/domain/dhkp/nop.ts';
import { rupiahToSen } from '#shared/domain/money/rupiah.ts';
import {
  BODY_FIELDS,
  type BodyField,
  type ColumnOf,
  fieldsWhere,
  type OptionalField,
  taxRecordFields,
} from '#shared/domain/tax-records/tax-record-fields.ts';
import type { Publish } from '#server/realtime/publish.ts';
import { nextUpdatedAt } from '#server/http/row-version.ts';
import type { StoredUpload } from '#server/uploads/upload-files.ts';
import type { RecordRow } from '../queries.ts';
import { columnsAfterChange, type Writing } from './check-rules.ts';

/** The validated fields of a new record. */
export type NewRecord = Omit<AdminCreateRecordBody, 'user_id' | 'year'> & { year: number };
/** Fields that are undefined were not sent and stay as they are. */
export type RecordEdit = AdminUpdateRecordBody & Pick<UpdateRecordBody, 'undo'>;

/** The fields that a body may carry, each with the type of its column; an amount is in rupiah, its column in sen. */
type SentFields = { [Field in BodyField]?: RecordRow[ColumnOf<Field>] | undefined };
type ColumnsOf<Sent> = {
  [Field in keyof Sent as Field extends BodyField ? ColumnOf<Field> : never]: Exclude<Sent[Field], undefined>;
};

/** The columns that store what was sent. Fields that are undefined are left out, so that a spread keeps what is stored. */
function toColumns<Sent extends SentFields>(sent: Sent): ColumnsOf<Sent> {
  const columns = BODY_FIELDS.flatMap((field) => {
    const value = sent[field];
    if (value === undefined) return [];
    return [
      [taxRecordFields[field].column, taxRecordFields[field].kind === 'rupiah' ? rupiahToSen(Number(value)) : value],
    ];
  });
  return Object.fromEntries(columns) as ColumnsOf<Sent>;
}

/** The columns of some optional fields, all null. */
export function emptyColumns<Field extends OptionalField>(fields: readonly Field[]): Record<ColumnOf<Field>, null> {
  return Object.fromEntries(fields.map((field) => [taxRecordFields[field].column, null])) as Record<
    ColumnOf<Field>,
    null
  >;
}

/** @param writing its time becomes created_at and updated_at */
export function toNewRow(
  { id, userId, proof }: Pick<RecordRow, 'id' | 'userId'> & { proof: StoredUpload | null },
  body: NewRecord,
  writing: Writing,
): RecordRow {
  const { nowMs } = writing;
  const columns = { ...emptyColumns(fieldsWhere({ optional: true })), ...toColumns(body) };
  const written = {
    ...columns,
    paymentDate: paymentDateFor(columns.status, columns.paymentDate),
    ...proofColumns(proof),
  };
  return {
    ...written,
    id,
    userId,
    amountSource: 'typed',
    ...columnsAfterChange(null, written, writing),
    predecessorId: null,
    rolledOverAt: null,
    createdAt: nowMs,
    updatedAt: nowMs,
  };
}

/**
 * The row after an edit.
 * @param newProof the image uploaded with it; it wins over `remove_payment_proof`
 */
export function mergeEdit(
  row: RecordRow,
  edit: RecordEdit,
  newProof: StoredUpload | null,
  writing: Writing,
): RecordRow {
  const columns = { ...row, ...toColumns(edit) };
  const merged = {
    ...columns,
    paymentDate: paymentDateFor(columns.status, columns.paymentDate),
    ...(newProof || edit.remove_payment_proof ? proofColumns(newProof) : {}),
  };
  return {
    ...merged,
    amountSource: hasOwnAmount(row, merged) ? 'typed' : row.amountSource,
    ...columnsAfterChange(row, merged, writing),
    updatedAt: nextUpdatedAt(row, writing.nowMs),
  };
}

type Assessed = Pick<RecordRow, 'amountSen' | 'amountSource' | 'sptNumber' | 'year'>;

/** Whether an edit made the amount its own: another one, or the office's one of another object or year. */
function hasOwnAmount(before: Assessed, after: Assessed): boolean {
  if (before.amountSen !== after.amountSen) return true;
  const objectOf = ({ sptNumber }: Assessed): string => findNop(sptNumber) ?? sptNumber.trim();
  const isSameObject = before.year === after.year && objectOf(before) === objectOf(after);
  return before.amountSource === 'office' && !isSameObject;
}

function proofColumns(proof: StoredUpload | null): Pick<RecordRow, 'proofFile' | 'proofBytes'> {
  return { proofFile: proof?.name ?? null, proofBytes: proof?.bytes ?? null };
}

/** The image that `after` no longer refers to. */
export function findRemovedProof(before: RecordRow, after: RecordRow): string | null {
  return before.proofFile === after.proofFile ? null : before.proofFile;
}

/** Publishes a change to the owner and to all admins; called after the commit (R-EVENT-2, R-EVENT-3). */
export function publishRecordChange(
  publish: Publish,
  { id, userId }: Pick<RecordRow, 'id' | 'userId'>,
  change: RecordChange['change'],
): void {
  publish.toUserAndAdmins(userId, 'tax-record:changed', { id, user_id: userId, change });
}

/** A payment date is stored only while the status is lunas (R-REC-2). */
function paymentDateFor(status: RecordRow['status'], paymentDate: string | null): string | null {
  return status === 'lunas' ? paymentDate : null;
}
