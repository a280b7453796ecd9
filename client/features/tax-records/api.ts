import { queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api.ts';
import type { Page } from '#shared/api/envelope.ts';
import type { AutoCreate, CheckYear, OwnStatistics, TaxRecord } from '#shared/api/tax-records.ts';
import { ACTIVITY_PER_PAGE } from '#shared/limits.ts';
import { recordKeys } from './keys.ts';

export type RecordPage = Page<TaxRecord>;

/** All own records, newest first; up to 1,000 (contract 4). */
export const listQuery = queryOptions({
  queryKey: recordKeys.list,
  queryFn: ({ signal }) => api.get<RecordPage>('/tax-records', { signal }),
});

/** Own records in arrears. */
export const outstandingQuery = queryOptions({
  queryKey: recordKeys.outstanding,
  queryFn: ({ signal }) => api.get<RecordPage>('/tax-records/outstanding', { signal }),
});

/** One page of the newest own records. */
export const recentQuery = (page: number) =>
  queryOptions({
    queryKey: recordKeys.recent(page),
    queryFn: ({ signal }) => api.get<RecordPage>('/tax-records', { query: { limit: ACTIVITY_PER_PAGE, page }, signal }),
  });

export const statisticsQuery = queryOptions({
  queryKey: recordKeys.statistics,
  queryFn: ({ signal }) => api.get<OwnStatistics>('/tax-records/statistics', { signal }),
});

export const recordQuery = (id: string) =>
  queryOptions({
    queryKey: recordKeys.record(id),
    queryFn: ({ signal }) => fetchRecord(id, signal),
  });

function recordPath(id: string): string {
  return `/tax-records/${encodeURIComponent(id)}`;
}

export function fetchRecord(id: string, signal?: AbortSignal): Promise<TaxRecord> {
  return api.get<TaxRecord>(recordPath(id), signal ? { signal } : {});
}

/** May make this year's records, so it takes no signal: what it made counts even when the page is left meanwhile. */
export const checkYear = () => api.get<CheckYear>('/tax-records/check-year');
export const createYear = (year: number) => api.post<AutoCreate>('/tax-records/auto-create', { year });
export const deleteRecord = (id: string) => api.del(recordPath(id));

export const createRecord = (body: object) => api.post<TaxRecord>('/tax-records', body);
export const updateRecord = (id: string, body: object) => api.put<TaxRecord>(recordPath(id), body);

type OnProgress = (share: number) => void;
export const createRecordWithProof = (form: FormData, onProgress: OnProgress) =>
  api.upload<TaxRecord>('POST', '/tax-records', form, { onProgress });
export const updateRecordWithProof = (id: string, form: FormData, onProgress: OnProgress) =>
  api.upload<TaxRecord>('PUT', recordPath(id), form, { onProgress });
