import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { fetchOwnUser } from '#client/features/auth/api.ts';
import { updateSessionUser } from '#client/lib/session.ts';

/** Keeps the stored name and role in step with the server; an administrator may have changed them meanwhile. */
export function useRefreshCurrentUser(): void {
  const { data } = useQuery({
    queryKey: ['auth', 'user'],
    queryFn: ({ signal }) => fetchOwnUser(signal),
    staleTime: 5 * 60_000,
    retry: false,
  });
  useEffect(() => {
    if (data) updateSessionUser(data);
  }, [data]);
}
