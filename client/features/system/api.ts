import { queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api/api.ts';
import { systemInfoQuery } from '#client/lib/api/system-info-query.ts';
import { deviceTokenOf } from '#client/lib/session/device-tokens.ts';
import { currentSession } from '#client/lib/session/session.ts';

export const systemKeys = {
  database: ['system', 'database'],
  info: systemInfoQuery.queryKey,
  backups: ['system', 'backups'],
} as const;

export const backupsQuery = queryOptions({
  queryKey: systemKeys.backups,
  queryFn: ({ signal }) => api.get('/admin/backups', { signal }),
});

/** Asks for the certificate of the public names again. 409: nothing failed; 429: within the limits of its authority. */
export const retryCertificate = () => api.post('/admin/system/certificate/retry');

/** Starts a backup and does not wait for its end. 409 while another one runs. */
export const startBackup = () => api.post('/admin/backups');

/** Begins a running copy in an emptied folder. 409 when it is not stopped for that. */
export const startRunningCopy = () => api.post('/admin/backups/running-copy');

/** @returns an address that works for this session for ten minutes. 422: wrong password; 429: too many attempts. */
export const requestDownloadUrl = (name: string, password: string) =>
  api.post('/admin/backups/{name}/download', {
    params: { name },
    body: { password, ...deviceTokenOf(currentSession()?.user?.email) },
  });
