import { DashboardPage } from '#client/features/dashboard/admin/admin-dashboard-page.tsx';
import { useDeleteUser } from '#client/features/users/use-change-user.tsx';
import { focusHeading } from '#client/ui/page/focus-heading.ts';
import { useLiveDashboard } from './use-live-dashboard.ts';

/** The office's dashboard, joined to the accounts that its list may delete and to the pushes that keep it current. */
export function AdminDashboardPage() {
  useLiveDashboard();
  const removeUser = useDeleteUser(focusHeading);
  return <DashboardPage onDeleteUser={(user) => void removeUser(user)} />;
}
