import { Box, Button, Group, Paper, SimpleGrid, Text, Title } from '@mantine/core';
import { useState, useRef } from 'react';
import { formatNumber, showDate, today } from '#client/lib/format.ts';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { UserAnswer } from '#shared/api/users.ts';
import { FinancialSummary } from './financial-summary.tsx';
import { DashboardLoadError } from '../load-error.tsx';
import { NewestRecords } from './newest-records.tsx';
import { NewestUsers } from './newest-users.tsx';
import { PaymentsReceived } from './payments-received.tsx';
import { CounterCards } from './counter-cards.tsx';
import type { BackupIssue } from './tasks/task-tiles.ts';
import { Tasks } from './tasks/tasks.tsx';
import { useDashboard } from './use-dashboard.ts';
import { IconFileDescription, IconReportAnalytics, IconSettings, IconUsers, IconRefresh } from '@tabler/icons-react';
import { paths } from '#client/paths.ts';
import { LinkCard } from '#client/ui/page/link-card.tsx';
import classes from './dashboard.module.css';
import { focusHeading, usePageFocus } from '#client/ui/page/page-focus.ts';
import { useSession } from '#client/lib/session/session.ts';

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
  const {
    users,
    records,
    statistics,
    waiting,
    claims,
    recoveries,
    erasures,
    loading,
    partial,
    failure,
    refresh,
    refreshing,
  } = useDashboard();
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
        claims={claims}
        recoveries={recoveries}
        erasures={erasures}
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

const actions = [
  { to: paths.adminUsers, title: 'Kelola Users', text: 'Akun dan hak akses', icon: IconUsers },
  { to: paths.adminRecords, title: 'Data Pajak', text: 'Data PBB semua warga', icon: IconFileDescription },
  { to: paths.adminReports, title: 'Laporan', text: 'Sebaran dan total', icon: IconReportAnalytics },
  { to: paths.adminSettings, title: 'Pengaturan', text: 'Notifikasi dan sistem', icon: IconSettings },
] as const;

/** The four quick actions (R-STAT-7). */
function QuickActions() {
  return (
    <SimpleGrid
      component="nav"
      aria-label="Aksi cepat"
      className="no-print"
      cols={{ base: 1, xs: 2, lg: 4 }}
      spacing={{ base: 'sm', lg: 'md' }}
      mb="md"
    >
      {actions.map((action) => (
        <LinkCard key={action.to} {...action} />
      ))}
    </SimpleGrid>
  );
}

type BannerProps = { loading: boolean; refreshing: boolean; onRefresh: () => void };

/** Greets the admin (R-STAT-7). */
function WelcomeBanner({ loading, refreshing, onRefresh }: BannerProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageFocus(heading);
  const name = useSession()?.user?.name.trim() ?? '';
  return (
    <Paper component="header" withBorder px="lg" py="md" mb="md" className={classes['banner']}>
      <Group justify="space-between" gap="0.75rem 1.5rem">
        <div className={classes['words']}>
          <Title order={1} ref={heading} tabIndex={-1}>
            Selamat datang{name ? `, ${name}` : ''}
          </Title>
          <Text component="output" display="block">
            {loading ? 'Memuat Dashboard...' : `Keadaan kantor per ${showDate(today())}`}
          </Text>
        </div>
        <Button
          variant="default"
          className="no-print"
          leftSection={<IconRefresh size={18} aria-hidden />}
          loading={refreshing}
          onClick={onRefresh}
        >
          Refresh
        </Button>
      </Group>
    </Paper>
  );
}
