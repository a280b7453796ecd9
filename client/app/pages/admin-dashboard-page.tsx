import { AdminDashboard } from '#client/features/dashboard/admin/admin-dashboard.tsx';
import { useDeleteUser } from '#client/features/users/use-user-actions.tsx';
import { focusHeading } from '#client/ui/page/focus-heading.ts';
import { useLiveDashboard } from './use-live-dashboard.ts';

/** The office's dashboard, joined to the accounts that its list may delete and to the pushes that keep it current. */
export function AdminDashboardPage() {
  useLiveDashboard();
  const removeUser = useDeleteUser(focusHeading);
  return <AdminDashboard onDeleteUser={(user) => void removeUser(user)} />;
}
