import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { allPages } from '#client/lib/api/all-pages.ts';
import { api } from '#client/lib/api/api.ts';
import { ADMIN_RECORDS_MAX } from '#shared/limits.ts';
import { type AdminRecordFilter, recordKeys, type SummedRecordPage } from './api.ts';

/** The calls of the admins' list, apart from those that every page of a user loads. */

export const adminRecordListQuery = (filter: AdminRecordFilter, page: number, pageSize: number) =>
  queryOptions({
    queryKey: recordKeys.adminList(filter, page, pageSize),
    queryFn: ({ signal }) => fetchAdminRecords(filter, { page, limit: pageSize, signal }),
    // The rows on screen stay until the next answer arrives.
    placeholderData: keepPreviousData,
  });

function fetchAdminRecords(
  { view, proof, ...filter }: AdminRecordFilter,
  { page, limit, signal }: { page: number; limit: number; signal: AbortSignal },
): Promise<SummedRecordPage> {
  const viewQuery = { outstanding: view === 'overdue' ? 1 : '', unpaid: view === 'unpaid' ? 1 : '' } as const;
  const proofQuery = { proof: proof && (proof === 'with' ? 1 : 0) } as const;
  return api.get('/admin/tax-records', { query: { ...filter, ...viewQuery, ...proofQuery, page, limit }, signal });
}

/** All records that match a filter, page by page. */
export const adminRecordPages = (filter: AdminRecordFilter, signal: AbortSignal) =>
  allPages((page) => fetchAdminRecords(filter, { page, limit: ADMIN_RECORDS_MAX, signal }));
