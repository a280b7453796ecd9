import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api/api.ts';
import { reloadQueries } from '#client/lib/api/reload-queries.ts';
import type { DecideErasureBody } from '#shared/api/erasures.ts';
import { MINUTE_MS } from '#shared/durations.ts';

/** The open requests of people who want their account deleted, the nearest deadline first. */
export const erasuresQuery = queryOptions({
  queryKey: ['erasures'],
  // The deadline comes nearer by itself.
  refetchInterval: 5 * MINUTE_MS,
  queryFn: ({ signal }) => api.get('/admin/erasures', { query: { state: 'open' }, signal }),
});

export const reloadErasures = (queryClient: QueryClient): Promise<void> =>
  reloadQueries(queryClient, { queryKey: erasuresQuery.queryKey });

export const decideErasure = (userId: string, body: DecideErasureBody) =>
  api.post('/admin/users/{id}/erasure', { params: { id: userId }, body });
