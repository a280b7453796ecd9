import { useQueryClient } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useEffect, useRef } from 'react';
import { dashboardKeys, newestUsersQuery } from '#client/features/dashboard/admin/api.ts';
import { presenceAtom, socketConnectedAtom } from '#client/realtime/connection-state.ts';

/**
 * Loads the dashboard again for changes that no event announces: a new account, and changes during a lost connection.
 * For changed records, see `useReloadOnRecordChange`.
 */
export function useLiveDashboard(): void {
  const queryClient = useQueryClient();
  const socketConnected = useAtomValue(socketConnectedAtom);
  const { onlineUserIds } = useAtomValue(presenceAtom);
  const seenUserIds = useRef(new Set<string>());

  useEffect(() => {
    if (!socketConnected) return;
    for (const queryKey of Object.values(dashboardKeys)) void queryClient.invalidateQueries({ queryKey });
  }, [queryClient, socketConnected]);

  useEffect(() => {
    const newest = queryClient.getQueryData(newestUsersQuery.queryKey)?.data[0];
    if (!newest) return;
    // Ids grow with time, so a connected user with a larger id than the newest known account has just registered.
    const newUserIds = [...onlineUserIds].filter((id) => id > newest.id && !seenUserIds.current.has(id));
    if (newUserIds.length === 0) return;
    for (const id of newUserIds) seenUserIds.current.add(id);
    void queryClient.invalidateQueries({ queryKey: dashboardKeys.users });
    void queryClient.invalidateQueries({ queryKey: dashboardKeys.statistics });
  }, [queryClient, onlineUserIds]);
}
