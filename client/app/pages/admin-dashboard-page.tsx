import { AdminDashboard } from '#client/features/dashboard/admin/admin-dashboard.tsx';
import { useDeleteUser } from '#client/features/users/use-user-actions.tsx';
import { focusHeading } from '#client/ui/page/page-focus.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { backupsQuery } from '#client/features/system/api.ts';
import { type BackupIssue, findBackupIssue } from '#client/features/system/backups/backup-health.ts';
import { findCopyWarning } from '#client/features/system/backups/copy-health.ts';
import { describeBackup } from '#client/features/system/backups/describe-backup.ts';
import { useAtomValue } from 'jotai';
import { useEffect, useRef } from 'react';
import { dashboardKeys, newestUsersQuery } from '#client/features/dashboard/admin/api.ts';
import { presenceAtom, socketConnectedAtom } from '#client/realtime/connection-state.ts';

/** Connects the admin dashboard with deleting users, with the state of the backups and with the events that keep it current. */
export function AdminDashboardPage() {
  useLiveDashboard();
  const removeUser = useDeleteUser(focusHeading);
  const { issue, line } = useBackupState();
  return <AdminDashboard backupIssue={issue} backupLine={line} onDeleteUser={(user) => void removeUser(user)} />;
}

const CHECK_INTERVAL_MS = 5 * 60_000;

/**
 * For the dashboard the most serious problem with the backups, or one line where all is well. A failed call shows neither:
 * the settings page says why.
 */
function useBackupState(): { issue: BackupIssue | null; line: string | null } {
  const { data } = useQuery({
    ...backupsQuery,
    staleTime: CHECK_INTERVAL_MS,
    refetchInterval: CHECK_INTERVAL_MS,
    retry: false,
  });
  const issue = data ? findBackupIssue(data.status) : null;
  const isWell = data && !issue && findCopyWarning(data.status) === null;
  return { issue, line: isWell ? describeBackup(data.status) : null };
}

/**
 * Loads the dashboard again for changes that no event announces: a new account, and changes during a lost connection.
 * For changed records, see `useReloadOnRecordChange`.
 */
function useLiveDashboard(): void {
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
