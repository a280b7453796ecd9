import { Paper, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { IconReportAnalytics } from '@tabler/icons-react';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { PageHeader } from '#client/ui/page/page-header.tsx';
import { ReportPrintHeading } from '../export/report-print-heading.tsx';
import { ReportTabs } from '../export/report-tabs.tsx';
import { ReportActions } from '../export/report-actions.tsx';
import { adminStatisticsQuery } from '#client/features/tax-records/api.ts';
import { hintOf, messageOf } from '#client/lib/api-error.ts';
import { focusHeading } from '#client/ui/page/focus-heading.ts';
import { useSession } from '#client/lib/session.ts';
import { usePrinting } from '#client/ui/print/use-printing.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { ReportOverview } from '#shared/api/reports.ts';
import { DueTable } from './overview/due-table.tsx';
import { monthRows, yearRows } from './overview/due-rows.ts';
import { OverviewCards } from './overview/overview-cards.tsx';
import { PeriodPicker } from './overview/period-picker.tsx';
import { ReceivedTable } from './overview/received-table.tsx';
import { TopOverdue } from './overview/top-overdue.tsx';
import { useOverviewPeriod } from './overview/use-overview-period.ts';
import { overviewQuery } from './overview/api.ts';
import { StatisticsCards } from './statistics-cards.tsx';
import { PropertyBreakdown } from './property-breakdown.tsx';
import { StatusPanel } from './status-panel.tsx';
import { adminReport, adminReportHeader, propertyBreakdown, ADMIN_REPORT_TITLE } from './admin-report.ts';

function ReportBody({ overview }: { overview: UseQueryResult<ReportOverview> }) {
  const { data, error, isFetching, refetch } = useQuery(adminStatisticsQuery);
  if (error && !data) {
    return (
      <Paper withBorder>
        <ErrorState
          title={messageOf(error, 'Gagal memuat laporan')}
          description={hintOf(error)}
          onRetry={() => {
            focusHeading();
            void refetch();
          }}
          retrying={isFetching}
        />
      </Paper>
    );
  }
  return (
    <>
      {overview.isError && !overview.data ? (
        <Paper withBorder mb="md">
          <ErrorState
            title={messageOf(overview.error, 'Gagal memuat laporan')}
            description={hintOf(overview.error)}
            onRetry={() => void overview.refetch()}
            retrying={overview.isFetching}
          />
        </Paper>
      ) : (
        <OverviewCards overview={overview.data} />
      )}
      <StatisticsCards statistics={data} />
      {data ? null : (
        <Paper withBorder p="lg">
          <VisuallyHidden component="output">Memuat laporan…</VisuallyHidden>
          <Skeleton height={240} />
        </Paper>
      )}
      {data?.total_records === 0 ? (
        <Paper withBorder>
          <EmptyState icon={IconReportAnalytics} title="Tidak ada data" description="Belum ada data PBB." />
        </Paper>
      ) : null}
      {data && data.total_records > 0 ? (
        <Stack gap="md">
          {overview.data ? <OverviewParts overview={overview.data} /> : null}
          <StatusPanel statistics={data} />
          <PropertyBreakdown rows={propertyBreakdown(data)} />
        </Stack>
      ) : null}
    </>
  );
}

/** What was due and paid per year and month, and who owes most. */
function OverviewParts({ overview }: { overview: ReportOverview }) {
  return (
    <>
      <DueTable
        title="Tagihan per Tahun Pajak"
        hint="Semua data, per hari ini"
        firstHeader="Tahun"
        rows={yearRows(overview)}
      />
      <DueTable
        title="Tagihan per Bulan Jatuh Tempo"
        hint="Data yang jatuh tempo pada periode ini"
        firstHeader="Bulan"
        rows={monthRows(overview)}
      />
      <ReceivedTable overview={overview} />
      <TopOverdue rows={overview.top_overdue} />
    </>
  );
}

/** /admin/reports: the report of a period and the statistics over all users, on screen, in print and as files (R-REPORT-7). */
export function AdminReportsPage() {
  usePageTitle('Laporan (Admin)');
  const { printTimeMs: nowMs } = usePrinting();
  const userName = useSession()?.user?.name ?? '-';
  const { data, status } = useQuery(adminStatisticsQuery);
  const { period, choose, chooseDates } = useOverviewPeriod(nowMs);
  const overview = useQuery(overviewQuery(period.fromDate, period.toDate));
  const header = adminReportHeader(userName, nowMs, period);
  return (
    <>
      <div className="no-print">
        <PageHeader
          title="Laporan (Admin)"
          description="Seluruh data PBB, dari semua warga."
          actions={
            <ReportActions
              status={data && overview.data ? 'success' : data ? overview.status : status}
              createReport={() =>
                data && overview.data ? adminReport(data, overview.data, userName, Date.now()) : null
              }
            />
          }
        />
      </div>
      <ReportTabs />
      <ReportPrintHeading title={ADMIN_REPORT_TITLE} report={header} />
      <PeriodPicker period={period} onChoose={choose} onDates={chooseDates} />
      <ReportBody overview={overview} />
    </>
  );
}
