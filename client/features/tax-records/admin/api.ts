import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api.ts';
import type { ProofChange } from '../form/proof-field.tsx';
import type { EditBody } from '../form/use-record-edit.ts';
import type { RecordFormBody } from '../form/record-form-values.ts';
import { toFormData } from '#client/lib/form-data.ts';
import type { Page } from '#shared/api/envelope.ts';
import type { PropertyType, RecordSort, RecordStatus, TaxRecord } from '#shared/api/tax-records.ts';

export type AdminRecordPage = Page<TaxRecord>;
/** What the office looks for; '' means all. */
export type AdminRecordFilter = {
  search: string;
  status: RecordStatus | '';
  property_type: PropertyType | '';
  year: string;
  user_id: string;
  sort: RecordSort | `-${RecordSort}`;
};

export const ROWS_PER_PAGE = 25;

// The first name is that of the residents' records too: whatever changes one asks for both again.
const adminRecordKeys = {
  all: ['tax-records'],
  list: (filter: AdminRecordFilter, page: number) => ['tax-records', 'admin-list', filter, page],
  record: (id: string) => ['tax-records', 'admin-record', id],
} as const;

export const adminRecordListQuery = (filter: AdminRecordFilter, page: number) =>
  queryOptions({
    queryKey: adminRecordKeys.list(filter, page),
    queryFn: ({ signal }) => fetchAdminRecords(filter, { page, limit: ROWS_PER_PAGE, signal }),
    // What is on screen stays until the next answer is here.
    placeholderData: keepPreviousData,
  });

export function fetchAdminRecords(
  filter: AdminRecordFilter,
  { page, limit, signal }: { page: number; limit: number; signal: AbortSignal },
): Promise<AdminRecordPage> {
  return api.get('/admin/tax-records', { query: { ...filter, page, limit }, signal });
}

export const adminRecordQuery = (id: string) =>
  queryOptions({
    queryKey: adminRecordKeys.record(id),
    queryFn: ({ signal }) => fetchAdminRecord(id, signal),
  });

export function fetchAdminRecord(id: string, signal?: AbortSignal): Promise<TaxRecord> {
  return api.get('/admin/tax-records/{id}', { params: { id }, signal });
}

export const deleteRecordAsAdmin = (id: string) => api.delete('/admin/tax-records/{id}', { params: { id } });

/** Marks one record as paid, if it is still as it was seen. */
export function markRecordPaid({ id, updated_at }: TaxRecord, paymentDate: string): Promise<TaxRecord> {
  return api.put('/admin/tax-records/{id}', {
    params: { id },
    body: { status: 'lunas', payment_date: paymentDate, updated_at },
  });
}

type Upload = { proof: ProofChange; onProgress: (fraction: number) => void };

/** Sends a new record for somebody; as a form only when it has an image. */
export function createRecordAsAdmin(body: RecordFormBody & { user_id: string }, { proof, onProgress }: Upload) {
  if (!proof.file) return api.post('/admin/tax-records', { body });
  const form = toFormData({ ...body, payment_proof: proof.file });
  return api.postForm('/admin/tax-records', { form, onProgress });
}

export function updateRecordAsAdmin(id: string, body: EditBody, { proof, onProgress }: Upload) {
  if (proof.file) {
    return api.putForm('/admin/tax-records/{id}', {
      params: { id },
      form: toFormData({ ...body, payment_proof: proof.file }),
      onProgress,
    });
  }
  return api.put('/admin/tax-records/{id}', {
    params: { id },
    body: proof.remove ? { ...body, remove_payment_proof: true } : body,
  });
}
