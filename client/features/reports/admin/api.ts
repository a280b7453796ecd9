import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api.ts';

/** The report on all records of a period (R-REPORT-12). The key begins like those of all reports, which changes invalidate. */
export const overviewQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: ['reports', 'overview', from, to],
    queryFn: ({ signal }) => api.get('/admin/reports/overview', { query: { from, to }, signal }),
    // The numbers on screen stay until those of the next period arrive.
    placeholderData: keepPreviousData,
  });
