import { queryOptions } from '@tanstack/react-query';
import { ownPasswordFields } from '#client/features/users/api.ts';
import { api } from '#client/lib/api/api.ts';

/** The copy of the own data; its link is good for ten minutes. */
export const exportQuery = queryOptions({
  queryKey: ['auth', 'export'],
  queryFn: ({ signal }) => api.get('/auth/export', { signal }),
  staleTime: 0,
});

export const startExport = (password: string) => api.post('/auth/export', { body: ownPasswordFields(password) });
