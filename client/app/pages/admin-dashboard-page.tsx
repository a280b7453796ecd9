import { AdminDashboard } from '#client/features/dashboard/admin/admin-dashboard.tsx';
import { useDeleteUser } from '#client/features/users/use-user-actions.tsx';
import { focusHeading } from '#client/ui/page/focus-heading.ts';
import { useBackupState } from './use-backup-state.ts';
import { useLiveDashboard } from './use-live-dashboard.ts';

/** Connects the admin dashboard with deleting users, with the state of the backups and with the events that keep it current. */
export function AdminDashboardPage() {
  useLiveDashboard();
  const removeUser = useDeleteUser(focusHeading);
  const { issue, line } = useBackupState();
  return <AdminDashboard backupIssue={issue} backupLine={line} onDeleteUser={(user) => void removeUser(user)} />;
}
