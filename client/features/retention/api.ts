import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { noticesQuery } from '#client/features/notices/api.ts';
import { api } from '#client/lib/api/api.ts';
import { reloadQueries } from '#client/lib/api/reload-queries.ts';
import type { RetentionBody } from '#shared/api/retention.ts';

/** The time for which the office keeps messages and unused accounts, and the counts that each term would delete. */
export const retentionQuery = queryOptions({
  queryKey: ['retention'],
  queryFn: ({ signal }) => api.get('/admin/retention', { signal }),
});

export const saveRetention = (body: RetentionBody) => api.put('/admin/retention', { body });

/** With the line of the announcement above the pages. */
export async function reloadRetention(queryClient: QueryClient): Promise<void> {
  await Promise.all(
    [retentionQuery, noticesQuery].map(({ queryKey }) => reloadQueries(queryClient, { queryKey: [...queryKey] })),
  );
}
