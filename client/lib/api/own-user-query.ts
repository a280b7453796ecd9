import { queryOptions } from '@tanstack/react-query';
import { MINUTE_MS } from '#shared/durations.ts';
import { api } from './api.ts';

/** The signed-in account as the server has it. */
export const ownUserQuery = queryOptions({
  queryKey: ['auth', 'user'],
  queryFn: ({ signal }) => api.get('/auth/user', { signal }),
  staleTime: 5 * MINUTE_MS,
  retry: false,
});
