import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { backupsQuery, startBackup, systemKeys } from '../api.ts';

const POLL_INTERVAL_MS = 60_000;
const POLL_WHILE_RUNNING_MS = 1500;

/** Loads the backups, more often while one runs, and starts one. Shows a toast when a running backup ends. */
export function useBackups() {
  const queryClient = useQueryClient();
  const query = useQuery({
    ...backupsQuery,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status.running ? POLL_WHILE_RUNNING_MS : POLL_INTERVAL_MS),
  });
  const isResultPending = useRef(false);
  const status = query.data?.status;

  useEffect(() => {
    if (status?.running) isResultPending.current = true;
    if (!status || status.running || !isResultPending.current) return;
    isResultPending.current = false;
    if (status.failure) notify.error('Pencadangan gagal', status.failure.message);
    else notify.success('Cadangan selesai dibuat');
    void queryClient.invalidateQueries({ queryKey: systemKeys.info });
  }, [status, queryClient]);

  const { submit, busy } = useSubmit(async () => {
    try {
      const data = await startBackup();
      // A small backup may end before a poll sees it running.
      isResultPending.current = true;
      await queryClient.cancelQueries({ queryKey: systemKeys.backups });
      queryClient.setQueryData(systemKeys.backups, data);
    } catch (error) {
      notify.failure(error, 'Gagal memulai pencadangan');
      await queryClient.invalidateQueries({ queryKey: systemKeys.backups });
    }
  });

  return { query, start: () => void submit(), busy };
}
