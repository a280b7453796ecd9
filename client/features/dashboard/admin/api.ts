import { queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api.ts';
import type { Page } from '#shared/api/envelope.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import type { UserAnswer } from '#shared/api/users.ts';
import { ADMIN_RECORDS_MAX, ADMIN_USERS_MAX } from '#shared/limits.ts';
import { statisticsFromLists } from './dashboard-statistics.ts';

/** At most so many rows in each list (specification 9). */
const LIST_ROWS = 6;

export type UserPage = Page<UserAnswer>;
export type RecordPage = Page<TaxRecord>;

/** Named after what they show, so that whoever changes accounts or records has these read again too. */
export const dashboardKeys = {
  users: ['users', 'newest'],
  records: ['tax-records', 'newest'],
  statistics: ['tax-records', 'admin-statistics'],
  statisticsFromLists: ['tax-records', 'figures-from-lists'],
} as const;

const fetchUsers = (limit: number, signal: AbortSignal) => api.get('/admin/users', { query: { limit }, signal });
const fetchRecords = (limit: number, signal: AbortSignal) =>
  api.get('/admin/tax-records', { query: { limit }, signal });

export const newestUsersQuery = queryOptions({
  queryKey: dashboardKeys.users,
  queryFn: ({ signal }) => fetchUsers(LIST_ROWS, signal),
});

export const newestRecordsQuery = queryOptions({
  queryKey: dashboardKeys.records,
  queryFn: ({ signal }) => fetchRecords(LIST_ROWS, signal),
});

export const adminStatisticsQuery = queryOptions({
  queryKey: dashboardKeys.statistics,
  queryFn: ({ signal }) => api.get('/admin/statistics', { signal }),
});

/** The figures without the statistics (specification 7): from as much of the lists as one call brings. */
export const statisticsFromListsQuery = queryOptions({
  queryKey: dashboardKeys.statisticsFromLists,
  queryFn: async ({ signal }) => {
    const [users, records] = await Promise.all([
      fetchUsers(ADMIN_USERS_MAX, signal),
      fetchRecords(ADMIN_RECORDS_MAX, signal),
    ]);
    return {
      figures: statisticsFromLists(users, records, Date.now()),
      counted: records.data.length,
      all: records.total,
    };
  },
});
