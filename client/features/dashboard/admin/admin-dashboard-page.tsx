import { useState } from 'react';
import { focusHeading } from '#client/ui/page/focus-heading.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { UserAnswer } from '#shared/api/users.ts';
import { FinancialSummary } from './financial-summary.tsx';
import { FromListsNotice, LoadFailure } from './load-notices.tsx';
import { NewestRecords } from './newest-records.tsx';
import { NewestUsers } from './newest-users.tsx';
import { QuickActions } from './quick-actions.tsx';
import { StatCards } from './stat-cards.tsx';
import { WelcomeBanner } from './welcome-banner.tsx';
import { useDashboard } from './use-dashboard.ts';

/** Specification 2.4, /admin/dashboard. */
export function DashboardPage({ onDeleteUser }: { onDeleteUser: (user: UserAnswer) => void }) {
  usePageTitle('Dashboard Admin');
  const { users, records, figures, loading, partial, failure, refresh, refreshing } = useDashboard();
  const [closedAtMs, setClosedAtMs] = useState(0);

  function close(): void {
    if (failure) setClosedAtMs(failure.atMs);
    focusHeading();
  }

  return (
    <>
      <WelcomeBanner figures={figures} loading={loading} refreshing={refreshing} onRefresh={refresh} />
      {failure && failure.atMs > closedAtMs ? <LoadFailure hint={failure.hint} onClose={close} /> : null}
      {partial && !failure ? <FromListsNotice counted={partial.counted} all={partial.all} /> : null}
      <StatCards figures={figures} loading={loading} />
      <FinancialSummary figures={figures} loading={loading} />
      <QuickActions />
      <NewestUsers query={users} onDelete={onDeleteUser} />
      <NewestRecords query={records} />
    </>
  );
}
