import { queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api/api.ts';
import { ADMIN_RECORDS_MAX } from '#shared/limits.ts';

/** The totals of one user, for admins (R-USER-15). */
export const userStatisticsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['tax-records', 'user-statistics', userId],
    queryFn: ({ signal }) => api.get('/admin/users/{id}/statistics', { params: { id: userId }, signal }),
  });

/** The records of one user, newest year first: all of them, or the first 1,000. */
export const userRecordsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['tax-records', 'of-user', userId],
    queryFn: ({ signal }) =>
      api.get('/admin/tax-records', { query: { user_id: userId, sort: '-year', limit: ADMIN_RECORDS_MAX }, signal }),
  });
