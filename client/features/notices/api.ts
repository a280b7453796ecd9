import { queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api/api.ts';
import type { OwnPasswordBody } from '#shared/api/users.ts';

const REFETCH_INTERVAL_MS = 5 * 60_000;

/** The acts of other admins that this one has not confirmed, newest first. An event reports each change. */
export const noticesQuery = queryOptions({
  queryKey: ['notices'],
  queryFn: ({ signal }) => api.get('/admin/notices', { signal }),
  staleTime: REFETCH_INTERVAL_MS,
  // Without a socket, and for what was done by a command on the server.
  refetchInterval: REFETCH_INTERVAL_MS,
  retry: false,
});

/** Keeps everything for ever again that this announcement would delete. */
export const stopNotice = (id: string) => api.post('/admin/notices/{id}/stop', { params: { id } });

/** Confirms this notice and all older ones. */
export const markNoticeSeen = (id: string) => api.post('/admin/notices/{id}/seen', { params: { id } });

/** Gives an account the address again that it had before the change of this line (docs/requirements.md R-ACCESS-18). */
export const revertAddress = (id: string, body: OwnPasswordBody) =>
  api.post('/admin/notices/{id}/revert', { params: { id }, body });
