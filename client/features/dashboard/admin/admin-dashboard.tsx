import { Box } from '@mantine/core';
import { useState } from 'react';
import { formatNumber } from '#client/lib/format.ts';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { focusHeading } from '#client/ui/page/focus-heading.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { UserAnswer } from '#shared/api/users.ts';
import { FinancialSummary } from './financial-summary.tsx';
import { DashboardLoadError } from '../load-error.tsx';
import { NewestRecords } from './newest-records.tsx';
import { NewestUsers } from './newest-users.tsx';
import { QuickActions } from './quick-actions.tsx';
import { StatCards } from './stat-cards.tsx';
import { WelcomeBanner } from './welcome-banner.tsx';
import { useDashboard } from './use-dashboard.ts';

/** /admin/dashboard (R-STAT-7). */
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
      {failure && failure.atMs > closedAtMs ? (
        <DashboardLoadError hint={failure.hint} onClose={close} className="no-print" />
      ) : null}
      {partial && !failure ? (
        <StatisticsFromListsNotice countedRecords={partial.countedRecords} totalRecords={partial.totalRecords} />
      ) : null}
      <StatCards statistics={statistics} loading={loading} />
      <FinancialSummary statistics={statistics} loading={loading} />
      <QuickActions />
      <NewestUsers query={users} onDelete={onDeleteUser} />
      <NewestRecords query={records} />
    </>
  );
}

type StatisticsFromListsProps = { countedRecords: number; totalRecords: number };

/** Explains that the statistics are computed from the lists (R-STAT-10). */
function StatisticsFromListsNotice({ countedRecords, totalRecords }: StatisticsFromListsProps) {
  const hint =
    countedRecords < totalRecords
      ? `Angka di bawah dihitung dari ${formatNumber(countedRecords)} catatan terbaru dari ${formatNumber(totalRecords)}.`
      : 'Angka di bawah dihitung dari daftar pengguna dan catatan pajak.';
  return (
    <Box mb="md">
      <FormAlert kind="warning" message="Gagal memuat statistik" hint={hint} />
    </Box>
  );
}
