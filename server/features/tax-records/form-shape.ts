import { z } from 'zod';
import { fieldsWhere } from '#shared/domain/tax-record-fields.ts';
import type { FormShape } from '#server/http/bodies/multipart-form.ts';

/** The form field that carries the image (R-PROOF-3). */
export const PROOF_FIELD = 'payment_proof';

const numbers = [...fieldsWhere({ kind: 'rupiah' }), ...fieldsWhere({ kind: 'year' })];
const booleans = ['remove_payment_proof'];

/** A new record: what the form leaves out is absent. */
export const createForm: FormShape = { numbers, booleans, nullWhenMissing: [], files: [PROOF_FIELD] };

/** An edit carries the whole form (R-API-9): an optional field left out is emptied, a required one is missing. */
export const editForm: FormShape = {
  ...createForm,
  nullWhenMissing: fieldsWhere({ nullWhenMissing: true, adminOnly: false }),
};
export const adminEditForm: FormShape = { ...createForm, nullWhenMissing: fieldsWhere({ nullWhenMissing: true }) };

/** A form with an image and nothing else. */
export const proofForm: FormShape = { numbers: [], booleans: [], nullWhenMissing: [], files: [PROOF_FIELD] };

/** Exists for the API documentation; the image itself arrives beside the body. */
export const proofBody = z
  .object({ [PROOF_FIELD]: z.unknown().optional().meta({ type: 'string', format: 'binary' }) })
  .nullish();

/** Descriptions of the calls that also take a form. */
export const formDescription =
  'Sebagai JSON, atau sebagai multipart/form-data dengan gambar di payment_proof (JPG, PNG, atau GIF; paling besar 5.242.880 byte).';
export const editFormDescription = `${formDescription} JSON: bidang yang tidak dikirim tidak berubah. Formulir membawa semuanya: bidang opsional yang tidak dikirim dikosongkan, kecuali status dan gambar.`;
export const formContentTypes = ['application/json', 'multipart/form-data'];
