import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import { reloadList } from '../api.ts';

/** Loads the list again when an import or another admin has changed it. The server joins the changes of a second. */
export function useLiveList(): void {
  const queryClient = useQueryClient();
  const reload = useCallback(() => void reloadList(queryClient), [queryClient]);
  useServerEvent('dhkp:changed', reload);
}
