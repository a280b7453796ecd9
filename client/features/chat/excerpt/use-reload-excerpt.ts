import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import { excerptKey } from './excerpt-query.ts';

/** Loads the excerpt again when a message of this conversation was sent, read or deleted, or its state has changed. */
export function useReloadExcerpt(userId: string): void {
  const queryClient = useQueryClient();
  const reload = useCallback(
    (payload: { user_id: string }) => {
      if (payload.user_id === userId) void queryClient.invalidateQueries({ queryKey: excerptKey(userId) });
    },
    [queryClient, userId],
  );
  useServerEvent('message:new', reload);
  useServerEvent('unread', reload);
  useServerEvent('conversation:deleted', reload);
  useServerEvent('conversation:state', reload);
}
