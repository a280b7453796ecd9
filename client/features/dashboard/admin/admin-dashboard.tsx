import { useState } from 'react';
import { focusHeading } from '#client/ui/page/focus-heading.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { UserAnswer } from '#shared/api/users.ts';
import { FinancialSummary } from './financial-summary.tsx';
import { StatisticsFromListsNotice, AdminDashboardLoadError } from './load-notices.tsx';
import { NewestRecords } from './newest-records.tsx';
import { NewestUsers } from './newest-users.tsx';
import { QuickActions } from './quick-actions.tsx';
import { StatCards } from './stat-cards.tsx';
import { WelcomeBanner } from './welcome-banner.tsx';
import { useDashboard } from './use-dashboard.ts';

/** Specification 2.4, /admin/dashboard. */
export function AdminDashboard({ onDeleteUser }: { onDeleteUser: (user: UserAnswer) => void }) {
  usePageTitle('Dashboard Admin');
  const { users, records, statistics, loading, partial, failure, refresh, refreshing } = useDashboard();
  const [closedAtMs, setClosedAtMs] = useState(0);

  function close(): void {
    if (failure) setClosedAtMs(failure.atMs);
    focusHeading();
  }

  return (
    <>
      <WelcomeBanner statistics={statistics} loading={loading} refreshing={refreshing} onRefresh={refresh} />
      {failure && failure.atMs > closedAtMs ? <AdminDashboardLoadError hint={failure.hint} onClose={close} /> : null}
      {partial && !failure ? <StatisticsFromListsNotice counted={partial.counted} all={partial.all} /> : null}
      <StatCards figures={statistics} loading={loading} />
      <FinancialSummary figures={statistics} loading={loading} />
      <QuickActions />
      <NewestUsers query={users} onDelete={onDeleteUser} />
      <NewestRecords query={records} />
    </>
  );
}
