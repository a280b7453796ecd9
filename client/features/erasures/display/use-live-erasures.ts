import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useLiveQuery } from '#client/realtime/use-live-query.ts';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import type { UserChange } from '#shared/events.ts';
import { erasuresQuery, reloadErasures } from '../api.ts';

/** Loads the requests again when one is made, withdrawn or decided, or its account is deleted. */
export function useLiveErasures(): void {
  useLiveQuery('erasure:changed', erasuresQuery.queryKey);
  const queryClient = useQueryClient();
  const onUserChange = useCallback(
    ({ change }: UserChange) => {
      if (change === 'deleted') void reloadErasures(queryClient);
    },
    [queryClient],
  );
  useServerEvent('user:changed', onUserChange);
}
