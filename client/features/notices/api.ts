import { queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api.ts';

const REFETCH_INTERVAL_MS = 5 * 60_000;

/** What other admins did and this one has not confirmed, newest first. An event tells when it changes. */
export const noticesQuery = queryOptions({
  queryKey: ['notices'],
  queryFn: ({ signal }) => api.get('/admin/notices', { signal }),
  staleTime: REFETCH_INTERVAL_MS,
  // Without a socket, and for what was done by a command on the server.
  refetchInterval: REFETCH_INTERVAL_MS,
  retry: false,
});

/** Confirms this notice and all older ones. */
export const markNoticeSeen = (id: string) => api.post('/admin/notices/{id}/seen', { params: { id } });
