import { queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api/api.ts';
import type { OwnSecretBody } from '#shared/api/users.ts';

/** The copy of the own data; its link is good for ten minutes. */
export const exportQuery = queryOptions({
  queryKey: ['auth', 'export'],
  queryFn: ({ signal }) => api.get('/auth/export', { signal }),
  staleTime: 0,
});

export const startExport = (body: OwnSecretBody) => api.post('/auth/export', { body });
