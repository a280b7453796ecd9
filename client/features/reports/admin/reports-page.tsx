import { Paper, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { IconReportAnalytics } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { PageHeader } from '#client/ui/page/page-header.tsx';
import { ReportPrintHeading } from '../export/report-print-heading.tsx';
import { ReportActions } from '../export/report-actions.tsx';
import { adminStatisticsQuery } from '#client/features/tax-records/api.ts';
import { hintOf, messageOf } from '#client/lib/api-error.ts';
import { focusHeading } from '#client/ui/page/focus-heading.ts';
import { useSession } from '#client/lib/session.ts';
import { useReportTimeMs } from '../export/use-report-time.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { StatisticsCards } from './statistics-cards.tsx';
import { BreakdownTable } from './breakdown-table.tsx';
import { StatusPanel } from './status-panel.tsx';
import {
  adminReport,
  adminReportHeader,
  propertyBreakdown,
  ADMIN_REPORT_TITLE,
  yearBreakdown,
} from './admin-report.ts';

function ReportBody() {
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
      <StatisticsCards statistics={data} />
      {data ? null : (
        <Paper withBorder p="lg">
          <VisuallyHidden component="output">Memuat laporan…</VisuallyHidden>
          <Skeleton height={240} />
        </Paper>
      )}
      {data?.total_records === 0 ? (
        <Paper withBorder>
          <EmptyState icon={IconReportAnalytics} title="Tidak ada data" description="Belum ada catatan pajak." />
        </Paper>
      ) : null}
      {data && data.total_records > 0 ? (
        <Stack gap="md">
          <StatusPanel statistics={data} />
          <BreakdownTable title="Menurut Tahun" firstHeader="Tahun" rows={yearBreakdown(data)} />
          <BreakdownTable title="Menurut Jenis Properti" firstHeader="Jenis Properti" rows={propertyBreakdown(data)} />
        </Stack>
      ) : null}
    </>
  );
}

/** /admin/reports: the statistics over all users, on screen, in print and as files (R-REPORT-7). */
export function AdminReportsPage() {
  usePageTitle('Laporan (Admin)');
  const nowMs = useReportTimeMs();
  const userName = useSession()?.user?.name ?? '-';
  const { data, status } = useQuery(adminStatisticsQuery);
  return (
    <>
      <div className="no-print">
        <PageHeader
          title="Laporan (Admin)"
          description="Seluruh data PBB, dari semua warga."
          actions={
            <ReportActions
              status={data ? 'success' : status}
              createReport={() => (data ? adminReport(data, userName, Date.now()) : null)}
            />
          }
        />
      </div>
      <ReportPrintHeading title={ADMIN_REPORT_TITLE} report={adminReportHeader(userName, nowMs)} />
      <ReportBody />
    </>
  );
}
