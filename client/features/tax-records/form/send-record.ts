import { api } from '#client/lib/api/api.ts';
import { toFormData } from '#client/lib/api/form-data.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import type { RecordScope } from '../scope.ts';
import type { ProofChange } from './proof-field.tsx';
import type { RecordFormBody } from './record-form-values.ts';
import type { EditBody } from './use-record-edit.ts';

const listCalls = { own: '/tax-records', admin: '/admin/tax-records' } as const satisfies Record<RecordScope, string>;
const recordCalls = {
  own: '/tax-records/{id}',
  admin: '/admin/tax-records/{id}',
} as const satisfies Record<RecordScope, string>;

export type RecordUpload = { proof: ProofChange; onProgress: (fraction: number) => void };

/**
 * Sends a new record, as a form only when it has an image.
 * @param body has `user_id` in the scope 'admin': the owner
 */
export function createRecord(
  scope: RecordScope,
  body: RecordFormBody & { user_id?: string },
  { proof, onProgress }: RecordUpload,
): Promise<TaxRecord> {
  if (!proof.file) return api.post(listCalls[scope], { body });
  const form = toFormData({ ...body, payment_proof: proof.file });
  return api.postForm(listCalls[scope], { form, onProgress });
}

/** Sends an edit, as a form only when it has an image. The server compares `updated_at` with the stored record (R-REC-9). */
export function updateRecord(
  scope: RecordScope,
  id: string,
  body: EditBody,
  { proof, onProgress }: RecordUpload,
): Promise<TaxRecord> {
  if (proof.file) {
    const form = toFormData({ ...body, payment_proof: proof.file });
    return api.putForm(recordCalls[scope], { params: { id }, form, onProgress });
  }
  return api.put(recordCalls[scope], {
    params: { id },
    body: proof.remove ? { ...body, remove_payment_proof: true } : body,
  });
}
