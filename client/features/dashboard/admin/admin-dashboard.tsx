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
import { PaymentsReceived } from './payments-received.tsx';
import { QuickActions } from './quick-actions.tsx';
import { CounterCards } from './counter-cards.tsx';
import { WelcomeBanner } from './welcome-banner.tsx';
import { type BackupIssue } from './tasks/task-tiles.ts';
import { Tasks } from './tasks/tasks.tsx';
import { useDashboard } from './use-dashboard.ts';

type Props = {
  /** The most serious problem with the backups. */
  backupIssue?: BackupIssue | null;
  /** The state of the backups where nothing is wrong; null: not known. */
  backupLine?: string | null;
  onDeleteUser: (user: UserAnswer) => void;
};

/** /admin/dashboard (R-STAT-7). */
export function AdminDashboard({ backupIssue = null, backupLine = null, onDeleteUser }: Props) {
  usePageTitle('Dashboard Admin');
  const { users, records, statistics, waiting, loading, partial, failure, refresh, refreshing } = useDashboard();
  const [closedAtMs, setClosedAtMs] = useState(0);

  function close(): void {
    if (failure) setClosedAtMs(failure.atMs);
    focusHeading();
  }

  return (
    <>
      <WelcomeBanner loading={loading} refreshing={refreshing} onRefresh={refresh} />
      {failure && failure.atMs > closedAtMs ? (
        <DashboardLoadError hint={failure.hint} onClose={close} className="no-print" />
      ) : null}
      {partial && !failure ? (
        <StatisticsFromListsNotice countedRecords={partial.countedRecords} totalRecords={partial.totalRecords} />
      ) : null}
      <Tasks
        statistics={statistics}
        waiting={waiting}
        backupIssue={backupIssue}
        backupLine={backupLine}
        loading={loading}
      />
      <PaymentsReceived payments={statistics.payments} loading={loading} />
      <CounterCards statistics={statistics} loading={loading} />
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
      ? `Angka di bawah dihitung dari ${formatNumber(countedRecords)} data PBB terbaru dari ${formatNumber(totalRecords)}.`
      : 'Angka di bawah dihitung dari daftar pengguna dan data PBB.';
  return (
    <Box mb="md">
      <FormAlert kind="warning" message="Gagal memuat statistik" hint={hint} />
    </Box>
  );
}
