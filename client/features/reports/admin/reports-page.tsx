import { Paper, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { IconReportAnalytics } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { PageHeader } from '#client/ui/page/page-header.tsx';
import { PrintHeading } from '../export/print-heading.tsx';
import { ReportActions } from '../export/report-actions.tsx';
import { adminStatisticsQuery } from '#client/features/tax-records/display/admin-statistics.ts';
import { hintOf, messageOf } from '#client/lib/api-error.ts';
import { focusHeading } from '#client/ui/page/focus-heading.ts';
import { useSession } from '#client/lib/session.ts';
import { useNow } from '#client/ui/data/use-now.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { FigureCards } from './figure-cards.tsx';
import { ShareTable } from './share-table.tsx';
import { StatusPanel } from '../charts/status-panel.tsx';
import { adminReport, frameOf, propertyShares, REPORT_TITLE, yearShares } from './report-document.ts';

function Parts() {
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
      <FigureCards figures={data} />
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
          <StatusPanel figures={data} />
          <ShareTable title="Menurut Tahun" first="Tahun" shares={yearShares(data)} />
          <ShareTable title="Menurut Jenis Properti" first="Jenis Properti" shares={propertyShares(data)} />
        </Stack>
      ) : null}
    </>
  );
}

/** Specification 2.4, /admin/reports: the whole office's figures, on screen, on paper and as files. */
export function AdminReportsPage() {
  usePageTitle('Laporan (Admin)');
  const nowMs = useNow();
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
              makeReport={() => (data ? adminReport(data, userName, Date.now()) : null)}
            />
          }
        />
      </div>
      <PrintHeading title={REPORT_TITLE} report={frameOf(userName, nowMs)} />
      <Parts />
    </>
  );
}
