import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api.ts';
import type { ProofChoice } from '../form/proof-field.tsx';
import type { EditBody } from '../form/use-record-edit.ts';
import type { RecordFormBody } from '../form/record-form-values.ts';
import { toFormData } from '#client/lib/form-data.ts';
import type { Page } from '#shared/api/envelope.ts';
import type { RecordSort, TaxRecord } from '#shared/api/tax-records.ts';

export type RecordPage = Page<TaxRecord>;
/** What the office looks for; '' means all. */
export type RecordFilter = {
  search: string;
  status: string;
  property_type: string;
  year: string;
  user_id: string;
  sort: RecordSort | `-${RecordSort}`;
};

export const ROWS_PER_PAGE = 25;

// The first name is that of the residents' records too: whatever changes one asks for both again.
const keys = {
  all: ['tax-records'],
  list: (filter: RecordFilter, page: number) => ['tax-records', 'admin-list', filter, page],
  record: (id: string) => ['tax-records', 'admin-record', id],
} as const;

const pathOf = (id: string) => `/admin/tax-records/${encodeURIComponent(id)}`;

export const listQuery = (filter: RecordFilter, page: number) =>
  queryOptions({
    queryKey: keys.list(filter, page),
    queryFn: ({ signal }) => fetchRecords(filter, { page, limit: ROWS_PER_PAGE, signal }),
    // What is on screen stays until the next answer is here.
    placeholderData: keepPreviousData,
  });

export function fetchRecords(
  filter: RecordFilter,
  { page, limit, signal }: { page: number; limit: number; signal: AbortSignal },
): Promise<RecordPage> {
  return api.get<RecordPage>('/admin/tax-records', { query: { ...filter, page, limit }, signal });
}

export const recordQuery = (id: string) =>
  queryOptions({
    queryKey: keys.record(id),
    queryFn: ({ signal }) => fetchRecord(id, signal),
  });

export function fetchRecord(id: string, signal?: AbortSignal): Promise<TaxRecord> {
  return api.get<TaxRecord>(pathOf(id), signal ? { signal } : {});
}

export const deleteRecord = (id: string) => api.del(pathOf(id));

/** Marks one record as paid, if it is still as it was seen. */
export function markRecordPaid({ id, updated_at }: TaxRecord, paymentDate: string): Promise<TaxRecord> {
  return api.put<TaxRecord>(pathOf(id), { status: 'lunas', payment_date: paymentDate, updated_at });
}

type Upload = { proof: ProofChoice; onProgress: (share: number) => void };

/** Sends a new record for somebody; as a form only when it has an image. */
export function createRecord(body: RecordFormBody & { user_id: string }, { proof, onProgress }: Upload) {
  if (!proof.file) return api.post<TaxRecord>('/admin/tax-records', body);
  const form = toFormData({ ...body, payment_proof: proof.file });
  return api.upload<TaxRecord>('POST', '/admin/tax-records', form, { onProgress });
}

export function updateRecord(id: string, body: EditBody, { proof, onProgress }: Upload) {
  if (proof.file) {
    return api.upload<TaxRecord>('PUT', pathOf(id), toFormData({ ...body, payment_proof: proof.file }), { onProgress });
  }
  return api.put<TaxRecord>(pathOf(id), proof.remove ? { ...body, remove_payment_proof: true } : body);
}
