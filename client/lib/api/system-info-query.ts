import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

/** The state of the installation, for admins. */
export const systemInfoQuery = queryOptions({
  queryKey: ['system', 'info'],
  queryFn: ({ signal }) => api.get('/admin/system', { signal }),
  staleTime: 0,
});
