import { Paper, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { IconReportAnalytics } from '@tabler/icons-react';
import { useQuery, type UseQueryResult, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { adminStatisticsQuery } from '#client/features/tax-records/api.ts';
import { CheckedLine } from '#client/features/tax-records/display/checked-line.tsx';
import { useSession } from '#client/lib/session/session.ts';
import { estimatedText } from '#client/lib/sum-texts.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { usePrinting } from '#client/ui/print/use-printing.ts';
import type { ReportOverview } from '#shared/api/reports.ts';
import type { AdminStatistics } from '#shared/api/tax-records/statistics.ts';
import { AdminReportError, AdminReportFrame } from '../frame/admin-report-frame.tsx';
import { ReportTableSection } from '../table/report-table-view.tsx';
import {
  ADMIN_REPORT_TITLE,
  adminReport,
  adminReportHead,
  propertyTable,
  receivedBar,
  receivedTable,
} from './admin-report.ts';
import { dueBar, type DueRow, monthTable, yearTable } from './due-table.ts';
import { OverviewCards, StatisticsCards } from './overview-cards.tsx';
import { PeriodPicker, useOverviewPeriod } from './period-picker.tsx';
import { StatusPanel } from './status-panel.tsx';
import { TopOverdue } from './top-overdue.tsx';
import { api } from '#client/lib/api/api.ts';

/** Four sums of twelve digits need this width, the menu at the side included. */
const SUMS_TABLE_FROM_EM = 78;
const RECEIVED_TABLE_FROM_EM = 40;
/** More months are shown without those that had no payment. */
const MONTHS_MAX = 24;

/** /admin/reports: the report of a period and the statistics over all users, on screen, in print and as files (R-REPORT-7). */
export function AdminReportsPage() {
  usePageTitle('Laporan (Admin)');
  const { printTimeMs: nowMs } = usePrinting();
  const userName = useSession()?.user?.name ?? '-';
  const { period, choose, chooseDates } = useOverviewPeriod(nowMs);
  const statistics = useQuery(adminStatisticsQuery);
  const overview = useQuery(overviewQuery(period.fromDate, period.toDate));
  const isLoaded = statistics.data && overview.data;
  return (
    <AdminReportFrame
      title="Laporan (Admin)"
      description="Seluruh data PBB, dari semua warga."
      printTitle={ADMIN_REPORT_TITLE}
      head={adminReportHead(userName, nowMs, period)}
      status={isLoaded ? 'success' : (statistics.data ? overview : statistics).status}
      createReport={() =>
        statistics.data && overview.data ? adminReport(statistics.data, overview.data, userName, Date.now()) : null
      }
    >
      <PeriodPicker period={period} onChoose={choose} onDates={chooseDates} />
      {statistics.isError && !statistics.data ? (
        <AdminReportError query={statistics} />
      ) : (
        <ReportBody statistics={statistics.data} overview={overview} />
      )}
    </AdminReportFrame>
  );
}

type BodyProps = { statistics: AdminStatistics | undefined; overview: UseQueryResult<ReportOverview> };

function ReportBody({ statistics, overview }: BodyProps) {
  return (
    <>
      {overview.isError && !overview.data ? (
        <AdminReportError query={overview} />
      ) : (
        <OverviewCards overview={overview.data} />
      )}
      <StatisticsCards statistics={statistics} />
      {statistics ? null : (
        <Paper withBorder p="lg">
          <VisuallyHidden component="output">Memuat laporan…</VisuallyHidden>
          <Skeleton height={240} />
        </Paper>
      )}
      {statistics?.total_records === 0 ? (
        <Paper withBorder>
          <EmptyState icon={IconReportAnalytics} title="Tidak ada data" description="Belum ada data PBB." />
        </Paper>
      ) : null}
      {statistics && statistics.total_records > 0 ? (
        <Stack gap="md">
          {overview.data ? <OverviewTables overview={overview.data} /> : null}
          <StatusPanel statistics={statistics} />
          <ReportTableSection table={propertyTable(statistics)} wideFromEm={SUMS_TABLE_FROM_EM} />
        </Stack>
      ) : null}
    </>
  );
}

/** The amounts due and paid per year and month, and the users who owe most. */
function OverviewTables({ overview }: { overview: ReportOverview }) {
  const years = yearTable(overview);
  const months = monthTable(overview);
  const received = receivedTable(overview);
  const receivedRows = received.rows.filter((row) => received.rows.length <= MONTHS_MAX || row.received.count > 0);
  return (
    <>
      <ReportTableSection
        table={years}
        hint="Semua data, per hari ini"
        wideFromEm={SUMS_TABLE_FROM_EM}
        bar={dueBar(years.rows)}
        isEmptyRow={({ total }) => total.count === 0}
        belowRow={yearNotes}
        emptyText={NOTHING_DUE}
      />
      <ReportTableSection
        table={months}
        hint="Data yang jatuh tempo pada periode ini"
        wideFromEm={SUMS_TABLE_FROM_EM}
        bar={dueBar(months.rows)}
        emptyText={NOTHING_DUE}
      />
      <ReportTableSection
        table={{ ...received, rows: receivedRows }}
        hint="Menurut tanggal bayar"
        wideFromEm={RECEIVED_TABLE_FROM_EM}
        bar={receivedBar(receivedRows)}
        isEmptyRow={(row) => row.received.count === 0}
      />
      <TopOverdue rows={overview.top_overdue} />
    </>
  );
}

const NOTHING_DUE = 'Tidak ada tagihan yang jatuh tempo pada periode ini.';

/** The parts of the sums of a year. They take the whole width, because five parts are longer than a column. */
function yearNotes({ ofYear }: DueRow) {
  if (!ofYear || ofYear.total.count === 0) return null;
  const estimated = estimatedText(ofYear.overdue.estimated);
  if (ofYear.paid.count === 0 && estimated === '') return null;
  return (
    <>
      <CheckedLine checked={ofYear.paid.checked} where={{ year: ofYear.year }} />
      {estimated === '' ? null : <span>Tunggakan {estimated}</span>}
    </>
  );
}

/** The report on all records of a period (R-REPORT-12). The key begins like those of all reports, which changes invalidate. */
export const overviewQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: ['reports', 'overview', from, to],
    queryFn: ({ signal }) => api.get('/admin/reports/overview', { query: { from, to }, signal }),
    // The numbers on screen stay until those of the next period arrive.
    placeholderData: keepPreviousData,
  });
