import { NativeSelect, Paper, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconMessages } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router-dom';
import { chatStatisticsQuery } from '#client/features/office/api.ts';
import { hintOf, messageOf } from '#client/lib/api-error.ts';
import { formatNumber, SERVER_TIME_ZONE, showDate, showDateShort } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { useSession } from '#client/lib/session.ts';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { focusHeading } from '#client/ui/page/focus-heading.ts';
import { PageHeader } from '#client/ui/page/page-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { ChatStatistics } from '#shared/api/office.ts';
import { reportRange } from '#shared/domain/dates.ts';
import { overviewPresets } from '../admin/overview/use-overview-period.ts';
import { StatCard, StatCards } from '#client/ui/data/stat-card.tsx';
import { ReportActions } from '../export/report-actions.tsx';
import { ReportPrintHeading } from '../export/report-print-heading.tsx';
import { ReportTabs } from '../export/report-tabs.tsx';
import { usePrinting } from '#client/ui/print/use-printing.ts';
import { busyDays, CHAT_REPORT_TITLE, chatReport, chatReportHeader, leftOutText, waitingText } from './chat-report.ts';
import classes from './chat-report.module.css';
import { waitLabel } from './wait-label.ts';
import { WaitTable } from './wait-table.tsx';

const DEFAULT_CHOICE = 'bulan-ini';
type Choice = keyof typeof overviewPresets;
const isChoice = (value: string | null): value is Choice => value !== null && Object.hasOwn(overviewPresets, value);
const options = Object.entries(overviewPresets).map(([value, { label }]) => ({ value, label }));

/** /admin/reports/chat: how quickly residents were answered, by day and admin (docs/requirements.md R-OFFICE-9). */
export function ChatReportPage() {
  usePageTitle('Laporan Layanan Chat');
  const { printTimeMs: nowMs } = usePrinting();
  const userName = useSession()?.user?.name ?? '-';
  const [params, setParams] = useSearchParams();
  const chosen = params.get('periode');
  const choice = isChoice(chosen) ? chosen : DEFAULT_CHOICE;
  const { period: range } = overviewPresets[choice];
  const { fromDate, toDate } = reportRange(range, SERVER_TIME_ZONE, nowMs);
  const query = useQuery(chatStatisticsQuery(range));
  const { data, error } = query;
  return (
    <>
      <div className="no-print">
        <PageHeader
          title="Layanan Chat"
          description="Seberapa cepat warga dijawab, per hari dan per admin."
          actions={
            <ReportActions
              status={query.isPlaceholderData ? 'pending' : query.status}
              createReport={() => (data ? chatReport(data, userName, Date.now()) : null)}
            />
          }
        />
      </div>
      <ReportTabs />
      <ReportPrintHeading
        title={CHAT_REPORT_TITLE}
        report={chatReportHeader(userName, nowMs, data?.period ?? { from: fromDate, to: toDate }, data?.waiting)}
      />
      {data ? <StillWaiting waiting={data.waiting} /> : null}
      <NativeSelect
        className={`${classes['picker']} no-print`}
        label="Periode"
        description={`${showDate(fromDate)} – ${showDate(toDate)}`}
        inputWrapperOrder={['label', 'input', 'description']}
        value={choice}
        onChange={(event) => setParams({ periode: event.currentTarget.value }, { preventScrollReset: true })}
        data={options}
      />
      {error && !data ? (
        <Paper withBorder>
          <ErrorState
            title={messageOf(error, 'Gagal memuat laporan')}
            description={hintOf(error)}
            onRetry={() => {
              focusHeading();
              void query.refetch();
            }}
            retrying={query.isFetching}
          />
        </Paper>
      ) : null}
      {query.isPending ? (
        <Stack gap="md">
          <VisuallyHidden component="output">Memuat laporan…</VisuallyHidden>
          <Skeleton height={92} radius="md" />
          <Skeleton height={320} radius="md" />
        </Stack>
      ) : null}
      {data ? <ChatReportBody statistics={data} /> : null}
    </>
  );
}

function ChatReportBody({ statistics }: { statistics: ChatStatistics }) {
  const { total, admins, longest_wait_ms, left_out } = statistics;
  const days = busyDays(statistics);
  if (days.length === 0) {
    return (
      <Paper withBorder>
        <EmptyState
          icon={IconMessages}
          title="Tidak ada percakapan"
          description="Pada periode ini belum ada pesan warga dan balasan."
        />
      </Paper>
    );
  }
  const leftOut = leftOutText(left_out);
  return (
    <Stack gap="md">
      {leftOut === null ? null : (
        <FormAlert
          kind="info"
          message="Periode ini terlalu besar untuk ditampilkan seluruhnya"
          hint={`Tidak termasuk: ${leftOut}. Pilih periode yang lebih pendek untuk melihatnya.`}
        />
      )}
      <StatCards columns={5} label="Angka utama">
        <StatCard label="Pesan masuk" value={formatNumber(total.incoming)} hint="Semua pesan warga" />
        <StatCard
          label="Dibalas"
          value={formatNumber(total.answered)}
          hint="Satu balasan dapat menjawab beberapa pesan"
        />
        <StatCard label="Separuh dijawab dalam" value={waitLabel(total.median_ms)} />
        <StatCard label="9 dari 10 dijawab dalam" value={waitLabel(total.p90_ms)} />
        <StatCard label="Jawaban terlama" value={waitLabel(longest_wait_ms)} />
      </StatCards>
      <WaitTable
        title="Per Admin"
        hint="Balasan pertama kepada warga yang menunggu"
        firstHeader="Admin"
        rows={admins.map((admin) => ({ key: admin.id, label: admin.name, waits: admin }))}
      />
      <WaitTable
        title="Per Hari"
        hint="Hari tanpa pesan tidak ditampilkan"
        firstHeader="Tanggal"
        rows={days.map((day) => ({ key: day.date, label: showDateShort(day.date), waits: day }))}
        total={{ key: 'total', label: 'Seluruh periode', waits: { ...total, longest_wait_ms } }}
      />
      <Text c="dimmed" fz="sm">
        “Dibalas” menghitung balasan pertama atas satu atau beberapa pesan yang menunggu, pada hari balasannya. Lama
        tunggu dimulai dari pesan tertua yang menunggu dan dihitung dalam jam buka yang berlaku sekarang. Percakapan
        yang ditandai tidak perlu dibalas, dan yang masih menunggu, tidak ikut dihitung.
      </Text>
    </Stack>
  );
}

/** First on the page: the numbers of a period leave out who has no answer yet (R-REPORT-32). */
function StillWaiting({ waiting }: Pick<ChatStatistics, 'waiting'>) {
  return (
    <p className={`${classes['waiting']} no-print`} data-alert={waiting !== null || undefined}>
      {waiting === null ? (
        'Masih menunggu: tidak ada'
      ) : (
        <Link to={paths.adminUnansweredChat}>Masih menunggu: {waitingText(waiting)}</Link>
      )}
    </p>
  );
}
