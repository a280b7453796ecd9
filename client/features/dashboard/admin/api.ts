import { queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api/api.ts';
import type { Page } from '#shared/api/envelope.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { isRupiahAmount } from '#shared/domain/money/rupiah.ts';
import { MINUTE_MS } from '#shared/durations.ts';
import { ADMIN_RECORDS_MAX, ADMIN_USERS_MAX } from '#shared/limits.ts';
import { openClaimsQuery } from '#client/features/dhkp/api.ts';
import { erasuresQuery } from '#client/features/erasures/api.ts';
import { recoveriesQuery } from '#client/features/recoveries/api.ts';
import { adminStatisticsQuery } from '#client/features/tax-records/api.ts';
import { statisticsFromLists } from './dashboard-statistics.ts';

/** The number of rows in each list (R-STAT-9). */
const LIST_ROWS = 6;

/** The query keys. They begin with what is shown, so that a changed user or record invalidates them too. */
export const dashboardKeys = {
  users: ['users', 'newest'],
  records: ['tax-records', 'newest'],
  statistics: adminStatisticsQuery.queryKey,
  statisticsFromLists: ['tax-records', 'statistics-from-lists'],
  waiting: ['conversations', 'waiting'],
  claims: openClaimsQuery.queryKey,
  recoveries: recoveriesQuery.queryKey,
  erasures: erasuresQuery.queryKey,
} as const;

const fetchUsers = (limit: number, signal: AbortSignal) => api.get('/admin/users', { query: { limit }, signal });
async function fetchRecords(limit: number, signal: AbortSignal): Promise<Page<TaxRecord>> {
  const page = await api.get('/admin/tax-records', { query: { limit }, signal });
  for (const record of page.data) record.amount = amountOf(record);
  return page;
}

/** Another server may call the amount `total` (R-STAT-10). What is not an amount counts as 0. */
function amountOf({ amount, total }: { amount?: number; total?: number }): number {
  const rupiah = Number(amount ?? total);
  return isRupiahAmount(rupiah) ? rupiah : 0;
}

export const newestUsersQuery = queryOptions({
  queryKey: dashboardKeys.users,
  queryFn: ({ signal }) => fetchUsers(LIST_ROWS, signal),
});

export const newestRecordsQuery = queryOptions({
  queryKey: dashboardKeys.records,
  queryFn: ({ signal }) => fetchRecords(LIST_ROWS, signal),
});

/** The statistics computed from one page of each list, as large as a page may be (R-STAT-10). */
export const statisticsFromListsQuery = queryOptions({
  queryKey: dashboardKeys.statisticsFromLists,
  queryFn: async ({ signal }) => {
    const [users, records] = await Promise.all([
      fetchUsers(ADMIN_USERS_MAX, signal),
      fetchRecords(ADMIN_RECORDS_MAX, signal),
    ]);
    return {
      statistics: statisticsFromLists(users, records, Date.now()),
      countedRecords: records.data.length,
      totalRecords: records.total,
    };
  },
});

/** The number of users who wait for an answer, and the time since which the longest of them waits. */
export const waitingConversationsQuery = queryOptions({
  queryKey: dashboardKeys.waiting,
  // The wait grows by itself.
  refetchInterval: MINUTE_MS,
  queryFn: async ({ signal }) => {
    const query = { state: 'waiting', sort: 'waiting', limit: 1 } as const;
    const { total, data } = await api.getAnswer('/messages/conversations', { query, signal });
    return { count: total, longestSince: data[0]?.unanswered_since ?? null, atMs: Date.now() };
  },
});
