import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { fetchOwnUser } from '#client/features/auth/api.ts';
import { updateSessionUser } from '#client/lib/session/session.ts';

/** Updates the stored name and role from the server, because an admin may have changed them. */
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
