import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { reloadQueries } from '#client/lib/api/reload-queries.ts';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import { quickRepliesKey } from '../api.ts';

/** Keeps the quick replies current while they may be used. */
export function useReloadQuickReplies(): void {
  const queryClient = useQueryClient();
  useServerEvent(
    'quick-replies:changed',
    useCallback(() => void reloadQueries(queryClient, { queryKey: quickRepliesKey }), [queryClient]),
  );
}
