import type { AdminCreateRecordBody, AdminUpdateRecordBody } from '#shared/api/tax-records.ts';
import type { RecordChange } from '#shared/events.ts';
import { rupiahToSen } from '#shared/domain/rupiah.ts';
import { errorTexts } from '#shared/texts.ts';
import { conflict } from '#server/http/errors.ts';
import type { Publish } from '#server/realtime/publish.ts';
import type { RecordRow } from './queries.ts';

/** What a stored record takes from a request, once validated. */
export type NewRecord = Omit<AdminCreateRecordBody, 'user_id' | 'year'> & { year: number };
/** Fields that are undefined were not sent and stay as they are. */
export type RecordEdit = AdminUpdateRecordBody;

/** @throws 409 when the row is no longer the one that the form was loaded with (contract 4) */
export function requireUnchanged(row: RecordRow, loadedAt: string | undefined): void {
  if (loadedAt !== undefined && Date.parse(loadedAt) !== row.updatedAt) throw conflict(errorTexts.conflict);
}

/** @param nowMs becomes created_at and updated_at */
export function toNewRow(
  { id, userId, proofFile }: Pick<RecordRow, 'id' | 'userId' | 'proofFile'>,
  body: NewRecord,
  nowMs: number,
): RecordRow {
  return {
    id,
    userId,
    name: body.name,
    address: body.address,
    taxType: body.tax_type,
    propertyType: body.property_type ?? null,
    sptNumber: body.spt_number,
    year: body.year,
    amountSen: rupiahToSen(body.amount),
    description: body.description ?? null,
    status: body.status,
    dueDate: body.due_date ?? null,
    paymentDate: paymentDateFor(body.status, body.payment_date ?? null),
    notes: body.notes ?? null,
    proofFile,
    predecessorId: null,
    rolledOverAt: null,
    createdAt: nowMs,
    updatedAt: nowMs,
  };
}

/**
 * The row after an edit.
 * @param newProof name of the image uploaded with it; it wins over `remove_payment_proof`
 */
export function mergeEdit(row: RecordRow, edit: RecordEdit, newProof: string | null, nowMs: number): RecordRow {
  const status = sentOrStored(edit.status, row.status);
  return {
    ...row,
    name: sentOrStored(edit.name, row.name),
    address: sentOrStored(edit.address, row.address),
    taxType: sentOrStored(edit.tax_type, row.taxType),
    propertyType: sentOrStored(edit.property_type, row.propertyType),
    sptNumber: sentOrStored(edit.spt_number, row.sptNumber),
    year: sentOrStored(edit.year, row.year),
    amountSen: edit.amount === undefined ? row.amountSen : rupiahToSen(edit.amount),
    description: sentOrStored(edit.description, row.description),
    status,
    dueDate: sentOrStored(edit.due_date, row.dueDate),
    paymentDate: paymentDateFor(status, sentOrStored(edit.payment_date, row.paymentDate)),
    notes: sentOrStored(edit.notes, row.notes),
    proofFile: newProof ?? (edit.remove_payment_proof ? null : row.proofFile),
    updatedAt: nextUpdatedAt(row, nowMs),
  };
}

/** Grows with every change of a row, also within one millisecond or when the clock was set back: forms compare it. */
export function nextUpdatedAt(row: Pick<RecordRow, 'updatedAt'>, nowMs: number): number {
  return Math.max(nowMs, row.updatedAt + 1);
}

/** The image that `after` no longer refers to. */
export function findRemovedProof(before: RecordRow, after: RecordRow): string | null {
  return before.proofFile === after.proofFile ? null : before.proofFile;
}

/** Tells the owner and all administrators, after the commit (contract 5). */
export function publishRecordChange(
  publish: Publish,
  { id, userId }: Pick<RecordRow, 'id' | 'userId'>,
  change: RecordChange['change'],
): void {
  publish.toConversation(userId, 'tax-record:changed', { id, user_id: userId, change });
}

/** A payment date means something only for what is paid (contract 4). */
function paymentDateFor(status: RecordRow['status'], paymentDate: string | null): string | null {
  return status === 'lunas' ? paymentDate : null;
}

function sentOrStored<T>(sent: T | undefined, stored: T): T {
  return sent === undefined ? stored : sent;
}
