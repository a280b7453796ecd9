import { queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api.ts';
import type { BackupsData, SystemInfo } from '#shared/api/system.ts';

export const systemKeys = {
  database: ['system', 'database'],
  info: ['system', 'info'],
  backups: ['system', 'backups'],
} as const;

export const systemInfoQuery = queryOptions({
  queryKey: systemKeys.info,
  queryFn: ({ signal }) => api.get<SystemInfo>('/admin/system', { signal }),
  staleTime: 0,
});

export const backupsQuery = queryOptions({
  queryKey: systemKeys.backups,
  queryFn: ({ signal }) => api.get<BackupsData>('/admin/backups', { signal }),
});

/** Begins one and does not wait for it; 409 while one is being made. */
export const startBackup = () => api.post<BackupsData>('/admin/backups');

/** @returns an address for this session, good for a few minutes; 422 for a wrong password, 429 after too many */
export const requestDownloadUrl = (name: string, password: string) =>
  api.post<{ url: string }>(`/admin/backups/${encodeURIComponent(name)}/download`, { password });
