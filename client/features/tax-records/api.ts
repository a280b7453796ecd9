import { queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api.ts';
import type { Page } from '#shared/api/envelope.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { ACTIVITY_PER_PAGE } from '#shared/limits.ts';
import type { RecordFormBody } from './form/record-form-values.ts';
import { ownRecordKeys } from './keys.ts';

export type OwnRecordPage = Page<TaxRecord>;

/** All own records, newest first; up to 1,000 (contract 4). */
export const ownRecordListQuery = queryOptions({
  queryKey: ownRecordKeys.list,
  queryFn: ({ signal }) => api.get('/tax-records', { signal }),
});

/** Own records in arrears. */
export const ownOverdueRecordsQuery = queryOptions({
  queryKey: ownRecordKeys.outstanding,
  queryFn: ({ signal }) => api.get('/tax-records/outstanding', { signal }),
});

/** One page of the newest own records. */
export const ownRecentRecordsQuery = (page: number) =>
  queryOptions({
    queryKey: ownRecordKeys.recent(page),
    queryFn: ({ signal }) => api.get('/tax-records', { query: { limit: ACTIVITY_PER_PAGE, page }, signal }),
  });

export const ownStatisticsQuery = queryOptions({
  queryKey: ownRecordKeys.statistics,
  queryFn: ({ signal }) => api.get('/tax-records/statistics', { signal }),
});

export const ownRecordQuery = (id: string) =>
  queryOptions({
    queryKey: ownRecordKeys.record(id),
    queryFn: ({ signal }) => fetchOwnRecord(id, signal),
  });

export function fetchOwnRecord(id: string, signal?: AbortSignal): Promise<TaxRecord> {
  return api.get('/tax-records/{id}', { params: { id }, signal });
}

/** May make this year's records, so it takes no signal: what it made counts even when the page is left meanwhile. */
export const checkYear = () => api.get('/tax-records/check-year');
export const createNewYear = (year: number) => api.post('/tax-records/auto-create', { body: { year } });
export const deleteOwnRecord = (id: string) => api.delete('/tax-records/{id}', { params: { id } });

export const createOwnRecord = (body: RecordFormBody) => api.post('/tax-records', { body });
export const updateOwnRecord = (
  id: string,
  body: RecordFormBody & { updated_at: string; remove_payment_proof?: true },
) => api.put('/tax-records/{id}', { params: { id }, body });

type OnProgress = (fraction: number) => void;
export const createOwnRecordWithProof = (form: FormData, onProgress: OnProgress) =>
  api.postForm('/tax-records', { form, onProgress });
export const updateOwnRecordWithProof = (id: string, form: FormData, onProgress: OnProgress) =>
  api.putForm('/tax-records/{id}', { params: { id }, form, onProgress });
