import { z } from 'zod';
import type { FormShape } from '#server/http/multipart-form.ts';

/** The form field that carries the image (specification 3). */
export const PROOF_FIELD = 'payment_proof';

const numbers = ['amount', 'year'];
const booleans = ['remove_payment_proof'];
const optionalFields = ['property_type', 'due_date', 'payment_date', 'description', 'notes'];
const requiredFields = ['name', 'address', 'spt_number', 'amount'];

/** A new record: what the form leaves out is simply not there. */
export const createForm: FormShape = { numbers, booleans, nullWhenMissing: [], files: [PROOF_FIELD] };

/**
 * An edit carries the whole form (contract 2): an optional field left out is emptied, a required one is missing.
 * `status` is left alone instead, because every form has one and a client without it means no change.
 */
export const editForm: FormShape = { ...createForm, nullWhenMissing: [...requiredFields, ...optionalFields] };
export const adminEditForm: FormShape = {
  ...createForm,
  nullWhenMissing: [...editForm.nullWhenMissing, 'tax_type', 'year'],
};

/** Only an image. */
export const proofForm: FormShape = { numbers: [], booleans: [], nullWhenMissing: [], files: [PROOF_FIELD] };

/** For the documentation; the image itself arrives beside the body. */
export const proofBody = z
  .object({ [PROOF_FIELD]: z.unknown().optional().meta({ type: 'string', format: 'binary' }) })
  .nullish();

/** What calls that also take a form say about it. */
export const formDescription =
  'Sebagai JSON, atau sebagai multipart/form-data dengan gambar di payment_proof (JPG, PNG, atau GIF; paling besar 5.242.880 byte).';
export const editFormDescription = `${formDescription} JSON: bidang yang tidak dikirim tidak berubah. Formulir membawa semuanya: bidang opsional yang tidak dikirim dikosongkan, kecuali status dan gambar.`;
export const formContentTypes = ['application/json', 'multipart/form-data'];
