import { queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api/api.ts';

/** The acts of the office on the own account that were not put away yet, the newest first. */
export const ownNoticesQuery = queryOptions({
  queryKey: ['auth', 'notices'],
  queryFn: ({ signal }) => api.get('/auth/notices', { signal }),
});
