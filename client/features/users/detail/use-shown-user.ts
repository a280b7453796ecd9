import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useParams } from 'react-router-dom';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import { ApiError } from '#client/lib/api-error.ts';
import { focusHeading } from '#client/ui/page/focus-heading.ts';
import type { UserChange } from '#shared/events.ts';
import { userQuery } from '../api.ts';
import { userKeys } from '../keys.ts';

/** The user that the URL names, loaded again when another admin changes the account. */
export function useShownUser() {
  const { id = '' } = useParams();
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(userQuery(id));
  const isMissing = error instanceof ApiError && error.status === 404;

  useServerEvent(
    'user:changed',
    useCallback(
      ({ user }: UserChange) => {
        if (user.id === id) void queryClient.invalidateQueries({ queryKey: userKeys.user(id) });
      },
      [queryClient, id],
    ),
  );

  return {
    user: isMissing ? undefined : data,
    isMissing,
    error: isMissing ? null : error,
    retry: () => {
      focusHeading();
      void refetch();
    },
  };
}
