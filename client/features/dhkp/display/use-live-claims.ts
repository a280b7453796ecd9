import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import { reloadClaims } from '../api.ts';

/** Loads requests again when a user sends or withdraws one, or another admin answers one. */
export function useLiveClaims(): void {
  const queryClient = useQueryClient();
  const reload = useCallback(() => void reloadClaims(queryClient), [queryClient]);
  useServerEvent('claim:changed', reload);
}
