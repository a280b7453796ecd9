import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import { recordSettingsQuery } from '../api.ts';

/** The tax years that are open for users, and what a new year does; follows the changes of other admins (R-YEAR-13). */
export function useRecordSettings() {
  const queryClient = useQueryClient();
  const reload = useCallback(
    () => void queryClient.invalidateQueries({ queryKey: recordSettingsQuery.queryKey }),
    [queryClient],
  );
  useServerEvent('office', reload);
  return useQuery(recordSettingsQuery);
}
