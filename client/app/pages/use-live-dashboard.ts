import { useQueryClient } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useEffect, useRef } from 'react';
import { dashboardKeys, newestUsersQuery } from '#client/features/dashboard/admin/api.ts';
import { connectionAtom, liveAtom } from '#client/features/chat/session/state.ts';

/**
 * Reads the dashboard again for what no push names: a new account, and whatever was missed without a connection. Changed
 * records are the layout's matter, see `useRecordChanges`.
 */
export function useLiveDashboard(): void {
  const queries = useQueryClient();
  const { socket } = useAtomValue(connectionAtom);
  const { onlineUserIds } = useAtomValue(liveAtom);
  const greeted = useRef(new Set<string>());

  useEffect(() => {
    if (!socket) return;
    for (const queryKey of Object.values(dashboardKeys)) void queries.invalidateQueries({ queryKey });
  }, [queries, socket]);

  useEffect(() => {
    const newest = queries.getQueryData(newestUsersQuery.queryKey)?.data[0];
    if (!newest) return;
    // Ids grow with time: who came after the newest account that is known here has just registered.
    const strangers = [...onlineUserIds].filter((id) => id > newest.id && !greeted.current.has(id));
    if (strangers.length === 0) return;
    for (const id of strangers) greeted.current.add(id);
    void queries.invalidateQueries({ queryKey: dashboardKeys.users });
    void queries.invalidateQueries({ queryKey: dashboardKeys.statistics });
  }, [queries, onlineUserIds]);
}
