import { queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api.ts';

export const systemKeys = {
  database: ['system', 'database'],
  info: ['system', 'info'],
  backups: ['system', 'backups'],
} as const;

export const systemInfoQuery = queryOptions({
  queryKey: systemKeys.info,
  queryFn: ({ signal }) => api.get('/admin/system', { signal }),
  staleTime: 0,
});

export const backupsQuery = queryOptions({
  queryKey: systemKeys.backups,
  queryFn: ({ signal }) => api.get('/admin/backups', { signal }),
});

/** Begins one and does not wait for it; 409 while one is being made. */
export const startBackup = () => api.post('/admin/backups');

/** @returns an address for this session, good for a few minutes; 422 for a wrong password, 429 after too many */
export const requestDownloadUrl = (name: string, password: string) =>
  api.post('/admin/backups/{name}/download', { params: { name }, body: { password } });
