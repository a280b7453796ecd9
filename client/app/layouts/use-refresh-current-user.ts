import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ownUserQuery } from '#client/lib/api/own-user-query.ts';
import { updateSessionUser } from '#client/lib/session/session.ts';

/** Updates the stored name and role from the server, because an admin may have changed them. */
export function useRefreshCurrentUser(): void {
  const { data } = useQuery(ownUserQuery);
  useEffect(() => {
    if (data) updateSessionUser(data);
  }, [data]);
}
