import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { backupsQuery, makeBackup, systemKeys } from './api.ts';

const LOOK_EVERY_MS = 60_000;
const LOOK_WHILE_RUNNING_MS = 1500;

/** The backups, followed closely while one is being made, and the way to make one. Tells how one ended that was seen running. */
export function useBackups() {
  const queries = useQueryClient();
  const query = useQuery({
    ...backupsQuery,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status.running ? LOOK_WHILE_RUNNING_MS : LOOK_EVERY_MS),
  });
  const awaited = useRef(false);
  const status = query.data?.status;

  useEffect(() => {
    if (status?.running) awaited.current = true;
    if (!status || status.running || !awaited.current) return;
    awaited.current = false;
    if (status.failure) notify.error('Pencadangan gagal', status.failure.message);
    else notify.success('Cadangan selesai dibuat');
    void queries.invalidateQueries({ queryKey: systemKeys.info });
  }, [status, queries]);

  const { submit, busy } = useSubmit(async () => {
    try {
      const data = await makeBackup();
      // A small office's backup may be done before anybody could see it run.
      awaited.current = true;
      await queries.cancelQueries({ queryKey: systemKeys.backups });
      queries.setQueryData(systemKeys.backups, data);
    } catch (error) {
      notify.failure(error, 'Gagal memulai pencadangan');
      await queries.invalidateQueries({ queryKey: systemKeys.backups });
    }
  });

  return { query, make: () => void submit(), busy };
}
