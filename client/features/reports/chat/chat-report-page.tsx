import { Anchor, NativeSelect, Paper, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconMessages } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router-dom';
import { chatStatisticsQuery } from '#client/features/office/api.ts';
import { formatNumber, SERVER_TIME_ZONE, showDate } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { useSession } from '#client/lib/session/session.ts';
import { StatCard, StatCards } from '#client/ui/data/stat-card.tsx';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { usePrinting } from '#client/ui/print/use-printing.ts';
import type { ChatStatistics } from '#shared/api/office/chat-statistics.ts';
import { reportRange } from '#shared/domain/dates/dates.ts';
import { findPreset, presetOptions, presets } from '../frame/presets.ts';
import { AdminReportError, AdminReportFrame } from '../frame/admin-report-frame.tsx';
import { ReportTableSection } from '../table/report-table-view.tsx';
import {
  adminTable,
  busyDays,
  CHAT_REPORT_TITLE,
  chatReport,
  chatReportHead,
  dayTable,
  leftOutText,
  waitBar,
  waitingText,
} from './chat-report.ts';
import { waitLabel } from './wait-label.ts';

const DEFAULT_CHOICE = 'bulan-ini';
/** The columns and the bar fit beside each other from this width on. */
const TABLE_FROM_EM = 62;

/** /admin/reports/chat: how quickly residents were answered, by day and admin (docs/requirements.md R-OFFICE-9). */
export function ChatReportPage() {
  usePageTitle('Laporan Layanan Chat');
  const { printTimeMs: nowMs } = usePrinting();
  const userName = useSession()?.user?.name ?? '-';
  const [params, setParams] = useSearchParams();
  const choice = findPreset(params.get('periode')) ?? DEFAULT_CHOICE;
  const { period: range } = presets[choice];
  const { fromDate, toDate } = reportRange(range, SERVER_TIME_ZONE, nowMs);
  const query = useQuery(chatStatisticsQuery(range));
  const { data } = query;
  return (
    <AdminReportFrame
      title="Layanan Chat"
      description="Seberapa cepat warga dijawab, per hari dan per admin."
      printTitle={CHAT_REPORT_TITLE}
      head={chatReportHead(userName, nowMs, data?.period ?? { from: fromDate, to: toDate }, data?.waiting)}
      status={query.isPlaceholderData ? 'pending' : query.status}
      createReport={() => (data ? chatReport(data, userName, Date.now()) : null)}
    >
      {data ? <StillWaiting waiting={data.waiting} /> : null}
      <NativeSelect
        className="no-print"
        maw="18rem"
        mb="md"
        label="Periode"
        description={`${showDate(fromDate)} – ${showDate(toDate)}`}
        inputWrapperOrder={['label', 'input', 'description']}
        value={choice}
        onChange={(event) => setParams({ periode: event.currentTarget.value }, { preventScrollReset: true })}
        data={presetOptions}
      />
      {query.isError && !data ? <AdminReportError query={query} /> : null}
      {query.isPending ? (
        <Stack gap="md">
          <VisuallyHidden component="output">Memuat laporan…</VisuallyHidden>
          <Skeleton height={92} radius="md" />
          <Skeleton height={320} radius="md" />
        </Stack>
      ) : null}
      {data ? <ChatReportBody statistics={data} /> : null}
    </AdminReportFrame>
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
      <ReportTableSection
        table={adminTable(statistics)}
        hint="Balasan pertama kepada warga yang menunggu"
        wideFromEm={TABLE_FROM_EM}
        bar={waitBar(admins)}
      />
      <ReportTableSection
        table={dayTable(statistics)}
        hint="Hari tanpa pesan tidak ditampilkan"
        wideFromEm={TABLE_FROM_EM}
        bar={waitBar(days)}
        hasTotal
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
    <Paper
      component="p"
      withBorder
      className="no-print"
      m={0}
      mb="md"
      px="md"
      py="sm"
      fz="lg"
      fw={700}
      data-alert={waiting !== null || undefined}
      {...(waiting === null ? {} : { c: 'var(--mantine-color-red-light-color)', bd: '1px solid currentcolor' })}
    >
      {waiting === null ? (
        'Masih menunggu: tidak ada'
      ) : (
        <Anchor component={Link} to={paths.adminUnansweredChat} inherit c="inherit" underline="always">
          Masih menunggu: {waitingText(waiting)}
        </Anchor>
      )}
    </Paper>
  );
}
