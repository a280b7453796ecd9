import type { ProofChoice } from '../form/proof-field.tsx';
import { toFormData } from '#client/lib/form-data.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { createRecord, createRecordWithProof, updateRecord, updateRecordWithProof } from '../api.ts';
import type { RecordFormBody } from '../form/record-form-values.ts';

type Upload = { proof: ProofChoice; onProgress: (share: number) => void };

/** Sends a new record; as a form only when it has an image. */
export function saveNewRecord(body: RecordFormBody, { proof, onProgress }: Upload): Promise<TaxRecord> {
  if (!proof.file) return createRecord(body);
  return createRecordWithProof(toFormData({ ...body, payment_proof: proof.file }), onProgress);
}

/** Sends an edit with the `updated_at` it began from, so that nobody's later change is lost. */
export function saveEdit(
  id: string,
  body: RecordFormBody & { updated_at: string },
  { proof, onProgress }: Upload,
): Promise<TaxRecord> {
  if (proof.file) {
    return updateRecordWithProof(id, toFormData({ ...body, payment_proof: proof.file }), onProgress);
  }
  return updateRecord(id, proof.remove ? { ...body, remove_payment_proof: true } : body);
}
