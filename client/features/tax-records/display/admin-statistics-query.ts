import { queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api.ts';

/** The whole office's figures, which several screens show; under 'tax-records' because every change of a record changes them. */
export const adminStatisticsQuery = queryOptions({
  queryKey: ['tax-records', 'admin-statistics'],
  queryFn: ({ signal }) => api.get('/admin/statistics', { signal }),
});
