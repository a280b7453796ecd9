import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api/api.ts';
import { reloadQueries } from '#client/lib/api/reload-queries.ts';
import { MINUTE_MS } from '#shared/durations.ts';

/** The open requests of people who cannot get into their account, the one that was asked last first. */
export const recoveriesQuery = queryOptions({
  queryKey: ['recoveries'],
  // They end after seven days, which nothing announces.
  refetchInterval: 5 * MINUTE_MS,
  queryFn: ({ signal }) => api.get('/admin/recoveries', { query: { state: 'open' }, signal }),
});

export const removeRecovery = (id: string) => api.delete('/admin/recoveries/{id}', { params: { id } });

export const reloadRecoveries = (queryClient: QueryClient): Promise<void> =>
  reloadQueries(queryClient, { queryKey: recoveriesQuery.queryKey });

/** The newest records of an account show its objects and its last amount. */
const KNOWN_RECORDS_MAX = 20;

export const knownRecordsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['tax-records', 'known', userId],
    queryFn: ({ signal }) =>
      api.get('/admin/tax-records', { query: { user_id: userId, sort: '-year', limit: KNOWN_RECORDS_MAX }, signal }),
  });

/** The audit names no number, but each change of it. */
const ACCOUNT_CHANGES_MAX = 50;
const OWN_PHONE = 'own_phone';

/** The instant since which an account has its number; null when the newest changes do not say. */
export const phoneSinceQuery = (userId: string) =>
  queryOptions({
    queryKey: ['audit', 'phone', userId],
    queryFn: async ({ signal }) => {
      const query = { subject_id: userId, action: 'user.updated', limit: ACCOUNT_CHANGES_MAX } as const;
      const { data } = await api.get('/admin/audit', { query, signal });
      return data.find(({ changes }) => changes.some(({ field }) => field === OWN_PHONE))?.created_at ?? null;
    },
  });
