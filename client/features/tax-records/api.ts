import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { reloadQueries } from '#client/lib/api/reload-queries.ts';
import { api } from '#client/lib/api/api.ts';
import { toFormData } from '#client/lib/api/form-data.ts';
import type { Page } from '#shared/api/envelope.ts';
import type { RecordSettings } from '#shared/api/tax-records/record-settings.ts';
import type { BulkResult, ListSums, RecordChange, RecordSort, TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import type { ChosenCopy } from '#shared/api/tax-records/rollover.ts';
import type { PropertyType, RecordStatus } from '#shared/domain/tax-records/record-values.ts';
import { ACTIVITY_PER_PAGE } from '#shared/limits.ts';
import type { RecordScope } from './scope.ts';

export type RecordPage = Page<TaxRecord>;
export type SummedRecordPage = RecordPage & ListSums;

/** A filter of the admins' list; '' means all. */
export type AdminRecordFilter = {
  search: string;
  status: RecordStatus | '';
  property_type: PropertyType | '';
  year: string;
  user_id: string;
  view: 'overdue' | 'unpaid' | '';
  /** Whether a payment proof is there. */
  proof: 'with' | 'without' | '';
  /** One or several of `VERIFICATION_FILTERS`, separated by commas. */
  verification: string;
  /** Dates, yyyy-mm-dd; both ends of a range belong to it. */
  due_from: string;
  due_to: string;
  payment_from: string;
  payment_to: string;
  sort: RecordSort | `-${RecordSort}`;
};

export const noAdminRecordFilter: AdminRecordFilter = {
  search: '',
  status: '',
  property_type: '',
  year: '',
  user_id: '',
  view: '',
  proof: '',
  verification: '',
  due_from: '',
  due_to: '',
  payment_from: '',
  payment_to: '',
  sort: '-created_at',
};

/** The query keys. They begin alike, so that one change of a record invalidates all of them. */
export const recordKeys = {
  all: ['tax-records'],
  ownList: ['tax-records', 'list'],
  ownOverdue: ['tax-records', 'outstanding'],
  ownRecent: (page: number) => ['tax-records', 'recent', page],
  ownStatistics: ['tax-records', 'statistics'],
  adminList: (filter: AdminRecordFilter, page: number, pageSize: number) => [
    'tax-records',
    'admin-list',
    filter,
    page,
    pageSize,
  ],
  adminStatistics: ['tax-records', 'admin-statistics'],
  record: (scope: RecordScope, id: string) => ['tax-records', `${scope}-record`, id],
  /** Stored records and images decide what room is left, so each change of a record asks for it again. */
  quota: (ownerId: string | null) => ['tax-records', 'quota', ownerId ?? 'own'],
  /** Stand apart: a card in a message follows the changes of its own record, and not those of all records (R-CARD-11). */
  cards: ['record-cards'],
  card: (scope: RecordScope, id: string) => ['record-cards', scope, id],
  /** Stands apart: the call creates records, so a changed record must not repeat it. */
  yearCheck: ['year-check'],
} as const;

const proofFromMessageCalls = {
  own: '/tax-records/{id}/payment-proof/from-message',
  admin: '/admin/tax-records/{id}/payment-proof/from-message',
} as const satisfies Record<RecordScope, string>;

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

/** The quota of an account and its use. @param ownerId null for the own account */
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

export const recordQuery = (scope: RecordScope, id: string) =>
  queryOptions({
    queryKey: recordKeys.record(scope, id),
    queryFn: ({ signal }) => fetchRecord(scope, id, signal),
  });

export function fetchRecord(scope: RecordScope, id: string, signal?: AbortSignal): Promise<TaxRecord> {
  return api.get(recordCalls[scope], { params: { id }, signal });
}

/** The report of an owner about a payment. `payment_date` counts only for `lunas`. */
export type PaymentReport = { status: RecordStatus; payment_date: string | null };

/** Stores a report and leaves all else as it is. The server compares `updated_at` (R-REC-9). */
export function reportPayment({ id, updated_at }: TaxRecord, report: PaymentReport): Promise<TaxRecord> {
  return api.put(recordCalls.own, { params: { id }, body: { ...report, updated_at } });
}

/** Adds a photo and changes nothing else. */
export function uploadProof(
  { id }: TaxRecord,
  { file, onProgress }: { file: File; onProgress: (fraction: number) => void },
): Promise<TaxRecord> {
  const form = toFormData({ payment_proof: file });
  return api.postForm('/tax-records/{id}/payment-proof', { params: { id }, form, onProgress });
}

/** Makes a photo of the conversation with the owner the proof of a record. The server compares `updated_at` (R-REC-9). */
export function fileProof(
  scope: RecordScope,
  { id, updated_at }: Pick<TaxRecord, 'id' | 'updated_at'>,
  filing: { attachment_id: string } & Partial<PaymentReport>,
): Promise<TaxRecord> {
  return api.post(proofFromMessageCalls[scope], { params: { id }, body: { ...filing, updated_at } });
}

/**
 * Puts back what a record was before a report.
 * @param stored the record as the report left it; the server refuses when it changed since
 */
export function undoReport(stored: TaxRecord, before: TaxRecord): Promise<TaxRecord> {
  const { status, payment_date } = before;
  const isProofNew = before.payment_proof === null && stored.payment_proof !== null;
  return api.put(recordCalls.own, {
    params: { id: stored.id },
    body: {
      status,
      payment_date,
      updated_at: stored.updated_at,
      undo: true,
      ...(isProofNew ? { remove_payment_proof: true } : {}),
    },
  });
}

const adoptionCalls = {
  own: '/tax-records/{id}/adopt-assessment',
  admin: '/admin/tax-records/{id}/adopt-assessment',
} as const satisfies Record<RecordScope, string>;

type Adopted = TaxRecord & { assessment: NonNullable<TaxRecord['assessment']> };

/** Takes what the office's list says otherwise (R-DHKP-35). The server compares `updated_at`. */
export function adoptAssessment(scope: RecordScope, { id, updated_at, assessment }: Adopted): Promise<TaxRecord> {
  return api.post(adoptionCalls[scope], { params: { id }, body: { fields: assessment.differs, updated_at } });
}

/**
 * Puts back what a record was before it took the office's values; they are what a person typed then.
 * @param stored the record with them; the server refuses when it changed since
 */
export function undoAdoption(scope: RecordScope, { id, updated_at }: TaxRecord, before: Adopted): Promise<TaxRecord> {
  const fields = Object.fromEntries(before.assessment.differs.map((field) => [field, before[field]]));
  return api.put(recordCalls[scope], { params: { id }, body: { ...fields, updated_at } });
}

export const deleteRecord = (scope: RecordScope, id: string) => api.delete(recordCalls[scope], { params: { id } });

/** Edits status and payment date of many records; each has its own result (R-REC-29). */
export const changeRecords = (changes: readonly RecordChange[]): Promise<{ results: BulkResult[] }> =>
  api.post('/admin/tax-records/bulk', { body: { changes: [...changes] } });

/** The tax years that users may enter, and the effect of a new year (R-YEAR-13). */
export const recordSettingsQuery = queryOptions({
  queryKey: ['record-settings'],
  queryFn: ({ signal }) => api.get('/admin/record-settings', { signal }),
  staleTime: 0,
});

/** Absent fields stay. */
export const saveRecordSettings = (settings: Partial<RecordSettings>) =>
  api.put('/admin/record-settings', { body: settings });

/** Takes no signal: the call may create this year's records, and its answer counts even after the page is left. */
export const checkYear = () => api.get('/tax-records/check-year');
/** The copies that this year and next year lack, before they exist. */
export const newYearQuery = queryOptions({
  queryKey: ['new-year'],
  queryFn: ({ signal }) => api.get('/tax-records/new-year', { signal }),
  // The question shows what will be made.
  staleTime: 0,
});
/** @param records the only copies to make, all or none; null for every copy that the year lacks */
export const createNewYear = (year: number, records: ChosenCopy[] | null) =>
  api.post('/tax-records/auto-create', { body: records === null ? { year } : { year, records } });

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
  await Promise.all([
    refetchRecords(queryClient, deletedId),
    queryClient.invalidateQueries({ queryKey: recordKeys.cards }),
  ]);
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
