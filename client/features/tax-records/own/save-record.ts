import type { ProofChange } from '../form/proof-field.tsx';
import { toFormData } from '#client/lib/form-data.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { createOwnRecord, createOwnRecordWithProof, updateOwnRecord, updateOwnRecordWithProof } from '../api.ts';
import type { RecordFormBody } from '../form/record-form-values.ts';

type Upload = { proof: ProofChange; onProgress: (fraction: number) => void };

/** Sends a new record; as a form only when it has an image. */
export function saveNewOwnRecord(body: RecordFormBody, { proof, onProgress }: Upload): Promise<TaxRecord> {
  if (!proof.file) return createOwnRecord(body);
  return createOwnRecordWithProof(toFormData({ ...body, payment_proof: proof.file }), onProgress);
}

/** Sends an edit with the `updated_at` it began from, so that nobody's later change is lost. */
export function saveOwnRecordEdit(
  id: string,
  body: RecordFormBody & { updated_at: string },
  { proof, onProgress }: Upload,
): Promise<TaxRecord> {
  if (proof.file) {
    return updateOwnRecordWithProof(id, toFormData({ ...body, payment_proof: proof.file }), onProgress);
  }
  return updateOwnRecord(id, proof.remove ? { ...body, remove_payment_proof: true } : body);
}
