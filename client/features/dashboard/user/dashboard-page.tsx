import { Group, Text, Title, Paper } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { focusHeading, usePageFocus } from '#client/ui/page/page-focus.ts';
import { useSession } from '#client/lib/session/session.ts';
import { useLazyComponent } from '#client/ui/lazy/use-lazy-component.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { ownRecentRecordsQuery, ownStatisticsQuery } from '#client/features/tax-records/api.ts';
import { DashboardLoadError } from '../load-error.tsx';
import { FirstSteps } from './first-steps.tsx';
import { useYearCheck } from './use-year-check.ts';
import { OwedRow, RejectedRow } from './owed-row.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { SummaryCards } from './summary-cards.tsx';
import { usePageParam } from '#client/ui/list/paging/page-params.ts';
import classes from './dashboard.module.css';
import { IconFilePlus, IconListDetails, IconReportAnalytics } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';

function Greeting() {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageFocus(heading);
  const name = useSession()?.user?.name.trim() ?? '';
  return (
    <Group component="header" gap="md" wrap="nowrap" mb="lg">
      <span className={classes['initial']} aria-hidden>
        {name.charAt(0).toUpperCase()}
      </span>
      <div style={{ minWidth: 0 }}>
        <Title order={1} ref={heading} tabIndex={-1}>
          Selamat datang{name ? `, ${name}` : ''}
        </Title>
        <Text c="dimmed">Ini keadaan PBB Anda saat ini.</Text>
      </div>
    </Group>
  );
}

// Few visits show it.
const loadNewYearNotice = async () => (await import('./new-year-notice.tsx')).NewYearNotice;

/** /dashboard (R-STAT-5). */
export function UserDashboardPage() {
  usePageTitle('Dashboard');
  const { notice, dismiss } = useYearCheck();
  const { Component: NewYearNotice } = useLazyComponent(loadNewYearNotice, {
    wanted: notice !== null,
    delayMs: 0,
  });
  const { page, setPage } = usePageParam();
  const statistics = useQuery(ownStatisticsQuery);
  const recent = useQuery({ ...ownRecentRecordsQuery(page), placeholderData: keepPreviousData });
  const [closedAtMs, setClosedAtMs] = useState(0);

  const lastPage = recent.isPlaceholderData ? undefined : recent.data?.last_page;
  const isPageOutOfRange = lastPage !== undefined && page > Math.max(1, lastPage);
  useEffect(() => {
    // The URL may name a page that no longer exists, for example after records were deleted.
    if (isPageOutOfRange) setPage(lastPage, { replace: true });
  });

  const failures = [statistics, recent].filter(({ isError }) => isError);
  const failedAtMs = Math.max(0, ...failures.map(({ errorUpdatedAt }) => errorUpdatedAt));
  const [firstFailure] = failures;

  function retry() {
    focusHeading();
    for (const query of failures) void query.refetch();
  }

  return (
    <>
      <Greeting />
      <RejectedRow statistics={statistics.data} />
      {notice && NewYearNotice ? <NewYearNotice {...notice} onClose={dismiss} /> : null}
      {firstFailure && failedAtMs > closedAtMs ? (
        <DashboardLoadError
          hint={hintOf(firstFailure.error) ?? messageOf(firstFailure.error, '')}
          onRetry={retry}
          onClose={() => setClosedAtMs(failedAtMs)}
        />
      ) : null}
      {statistics.data?.total_records === 0 ? (
        <FirstSteps />
      ) : (
        <OwedRow statistics={statistics.data} loading={statistics.isPending} />
      )}
      <SummaryCards statistics={statistics.data} loading={statistics.isPending} />
      <Shortcuts />
      <RecentActivity query={recent} page={page} onPage={setPage} />
    </>
  );
}

const shortcuts = [
  { to: paths.recordCreate, title: 'Tambah Data PBB', Icon: IconFilePlus },
  { to: paths.records, title: 'Lihat Data PBB', Icon: IconListDetails },
  { to: paths.reports, title: 'Laporan', Icon: IconReportAnalytics },
] as const;

/** The three shortcuts (R-STAT-5). They repeat the menu, so they are slim. */
export function Shortcuts() {
  return (
    <nav aria-label="Pintasan" className={classes['shortcuts']}>
      {shortcuts.map(({ to, title, Icon }) => (
        <Paper key={to} component={Link} to={to} withBorder className={classes['shortcut']}>
          <Icon size={22} className={classes['shortcutIcon'] ?? ''} aria-hidden />
          <span>{title}</span>
        </Paper>
      ))}
    </nav>
  );
}
