import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api/api.ts';
import type { AskErasureRequest } from '#shared/api/erasures.ts';

/** The facts before one asks, and the last request to delete the own account; null when there never was one. */
export const ownErasureQuery = queryOptions({
  queryKey: ['auth', 'erasure'],
  queryFn: async ({ signal }) => {
    const terms = await api.get('/auth/erasure/terms', { signal });
    // A browser would print the 404 of an account that never asked as an error.
    return { terms, last: terms.has_asked ? await api.get('/auth/erasure', { signal }) : null };
  },
});
export type ErasureTerms = { deadline_hours: number; archive_months: number };

export const askErasure = (body: AskErasureRequest) => api.post('/auth/erasure', { body });

export const withdrawErasure = () => api.delete('/auth/erasure');

/** Loads everything again that is about the own account: the request, the line above each page, the own log. */
export const reloadOwnErasure = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ['auth'] });
