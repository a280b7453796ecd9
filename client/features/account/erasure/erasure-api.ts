import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { ApiError } from '#client/lib/api/api-error.ts';
import { api } from '#client/lib/api/api.ts';
import { reloadQueries } from '#client/lib/api/reload-queries.ts';
import { deviceTokenOf } from '#client/lib/session/device-tokens.ts';
import { accountKeys } from '../api.ts';
import { ownNoticesQuery } from '../own-notices/own-notices-query.ts';

/** The last request to delete the own account; null when there never was one. */
export const ownErasureQuery = queryOptions({
  queryKey: ['auth', 'erasure'],
  queryFn: async ({ signal }) => {
    try {
      return await api.get('/auth/erasure', { signal });
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  },
});

export const erasureTermsQuery = queryOptions({
  queryKey: ['auth', 'erasure-terms'],
  queryFn: ({ signal }) => api.get('/auth/erasure/terms', { signal }),
});

/** @param email of the account */
export const askErasure = (reason: string, password: string, email: string) =>
  api.post('/auth/erasure', { body: { reason, current_password: password, ...deviceTokenOf(email) } });

export const withdrawErasure = () => api.delete('/auth/erasure');

/** Loads everything again that shows the own request. */
export async function reloadOwnErasure(queryClient: QueryClient): Promise<void> {
  const keys = [ownErasureQuery.queryKey, ownNoticesQuery.queryKey, accountKeys.securityLog];
  await Promise.all(keys.map((queryKey) => reloadQueries(queryClient, { queryKey })));
}
