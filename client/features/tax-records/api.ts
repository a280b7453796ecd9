import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { reloadQueries } from '#client/lib/reload-queries.ts';
import { api } from '#client/lib/api.ts';
import { toFormData } from '#client/lib/form-data.ts';
import type { Page } from '#shared/api/envelope.ts';
import type { RecordSort, TaxRecord } from '#shared/api/tax-records.ts';
import type { PropertyType, RecordStatus } from '#shared/domain/tax-record-fields.ts';
import { ACTIVITY_PER_PAGE, ADMIN_RECORDS_MAX } from '#shared/limits.ts';
import type { ProofChange } from './form/proof-field.tsx';
import type { RecordFormBody } from './form/record-form-values.ts';
import type { EditBody } from './form/use-record-edit.ts';
import type { RecordScope } from './scope.ts';

export type RecordPage = Page<TaxRecord>;

/** A filter of the admins' list; '' means all. */
export type AdminRecordFilter = {
  search: string;
  status: RecordStatus | '';
  property_type: PropertyType | '';
  year: string;
  user_id: string;
  sort: RecordSort | `-${RecordSort}`;
};

export const noAdminRecordFilter: AdminRecordFilter = {
  search: '',
  status: '',
  property_type: '',
  year: '',
  user_id: '',
  sort: '-created_at',
};

const ADMIN_LIST_PAGE_SIZE = 25;

/** The query keys. They begin alike, so that one change of a record invalidates all of them. */
export const recordKeys = {
  all: ['tax-records'],
  ownList: ['tax-records', 'list'],
  ownOverdue: ['tax-records', 'outstanding'],
  ownRecent: (page: number) => ['tax-records', 'recent', page],
  ownStatistics: ['tax-records', 'statistics'],
  adminList: (filter: AdminRecordFilter, page: number) => ['tax-records', 'admin-list', filter, page],
  adminStatistics: ['tax-records', 'admin-statistics'],
  record: (scope: RecordScope, id: string) => ['tax-records', `${scope}-record`, id],
  /** Stored records and images decide what room is left, so each change of a record asks for it again. */
  quota: (ownerId: string | null) => ['tax-records', 'quota', ownerId ?? 'own'],
  /** Stands apart: the call creates records, so a changed record must not repeat it. */
  yearCheck: ['year-check'],
} as const;

const listCalls = { own: '/tax-records', admin: '/admin/tax-records' } as const satisfies Record<RecordScope, string>;
const recordCalls = {
  own: '/tax-records/{id}',
  admin: '/admin/tax-records/{id}',
} as const satisfies Record<RecordScope, string>;

/** All own records, newest first; up to 1,000 (R-REC-3). */
export const ownRecordListQuery = queryOptions({
  queryKey: recordKeys.ownList,
  queryFn: ({ signal }) => api.get('/tax-records', { signal }),
});

/** The own overdue records (R-REC-4). */
export const ownOverdueRecordsQuery = queryOptions({
  queryKey: recordKeys.ownOverdue,
  queryFn: ({ signal }) => api.get('/tax-records/outstanding', { signal }),
});

/** One page of the newest own records. */
export const ownRecentRecordsQuery = (page: number) =>
  queryOptions({
    queryKey: recordKeys.ownRecent(page),
    queryFn: ({ signal }) => api.get('/tax-records', { query: { limit: ACTIVITY_PER_PAGE, page }, signal }),
  });

export const ownStatisticsQuery = queryOptions({
  queryKey: recordKeys.ownStatistics,
  queryFn: ({ signal }) => api.get('/tax-records/statistics', { signal }),
});

/** What an account may store and has stored. @param ownerId null for the own account */
export const quotaQuery = (ownerId: string | null) =>
  queryOptions({
    queryKey: recordKeys.quota(ownerId),
    queryFn: ({ signal }) =>
      ownerId === null
        ? api.get('/tax-records/quota', { signal })
        : api.get('/admin/users/{id}/quota', { params: { id: ownerId }, signal }),
    // The form says what was true a moment ago; the server decides.
    staleTime: 0,
  });

/** The totals over the records of all users. */
export const adminStatisticsQuery = queryOptions({
  queryKey: recordKeys.adminStatistics,
  queryFn: ({ signal }) => api.get('/admin/statistics', { signal }),
});

export const adminRecordListQuery = (filter: AdminRecordFilter, page: number) =>
  queryOptions({
    queryKey: recordKeys.adminList(filter, page),
    queryFn: ({ signal }) => fetchAdminRecords(filter, { page, limit: ADMIN_LIST_PAGE_SIZE, signal }),
    // The rows on screen stay until the next answer arrives.
    placeholderData: keepPreviousData,
  });

function fetchAdminRecords(
  filter: AdminRecordFilter,
  { page, limit, signal }: { page: number; limit: number; signal: AbortSignal },
): Promise<RecordPage> {
  return api.get('/admin/tax-records', { query: { ...filter, page, limit }, signal });
}

type FetchAllOptions = { onProgress: (fetchedCount: number, total: number) => void; signal: AbortSignal };

/** All records that match a filter, fetched page by page. A record that moves to a later page meanwhile is kept once. */
export async function fetchAllAdminRecords(
  filter: AdminRecordFilter,
  { onProgress, signal }: FetchAllOptions,
): Promise<TaxRecord[]> {
  const found = new Map<string, TaxRecord>();
  for (let page = 1; ; page += 1) {
    const { data, total, last_page } = await fetchAdminRecords(filter, { page, limit: ADMIN_RECORDS_MAX, signal });
    for (const record of data) found.set(record.id, record);
    onProgress(found.size, total);
    if (page >= last_page || data.length === 0) return [...found.values()];
  }
}

export const recordQuery = (scope: RecordScope, id: string) =>
  queryOptions({
    queryKey: recordKeys.record(scope, id),
    queryFn: ({ signal }) => fetchRecord(scope, id, signal),
  });

export function fetchRecord(scope: RecordScope, id: string, signal?: AbortSignal): Promise<TaxRecord> {
  return api.get(recordCalls[scope], { params: { id }, signal });
}

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

export const deleteRecord = (scope: RecordScope, id: string) => api.delete(recordCalls[scope], { params: { id } });

/** Marks one record as paid. The server refuses when the record changed after it was loaded (R-REC-9). */
export function markRecordPaid({ id, updated_at }: TaxRecord, paymentDate: string): Promise<TaxRecord> {
  return api.put(recordCalls.admin, {
    params: { id },
    body: { status: 'lunas', payment_date: paymentDate, updated_at },
  });
}

/** Takes no signal: the call may create this year's records, and its answer counts even after the page is left. */
export const checkYear = () => api.get('/tax-records/check-year');
export const createNewYear = (year: number) => api.post('/tax-records/auto-create', { body: { year } });

let ownChangeAtMs = Number.NEGATIVE_INFINITY;

/** Whether this page changed records a moment ago. A push from the server then reports this page's own change. */
export function hasOwnChangeWithin(ms: number): boolean {
  return Date.now() - ownChangeAtMs < ms;
}

/**
 * Refetches what shows records, after a change made on this page.
 * @param deletedId a record that was just deleted; fetching it now would only answer 404
 */
export async function reloadRecords(queryClient: QueryClient, deletedId?: string): Promise<void> {
  ownChangeAtMs = Date.now();
  await refetchRecords(queryClient, deletedId);
}

/** Refetches what shows records: lists, dashboards, reports, audit. */
export async function refetchRecords(queryClient: QueryClient, deletedId?: string): Promise<void> {
  await Promise.all([
    reloadQueries(queryClient, { queryKey: ['reports'] }),
    reloadQueries(queryClient, { queryKey: ['audit'] }),
    reloadQueries(queryClient, {
      queryKey: recordKeys.all,
      predicate: ({ queryKey }) => deletedId === undefined || queryKey[2] !== deletedId,
    }),
    deletedId === undefined
      ? undefined
      : queryClient.invalidateQueries({
          queryKey: recordKeys.all,
          predicate: ({ queryKey }) => queryKey[2] === deletedId,
          refetchType: 'none',
        }),
  ]);
}
