import { CheckedLine } from '#client/features/tax-records/display/checked-line.tsx';
import { formatNumber, today } from '#client/lib/format.ts';
import { estimatedText } from '#client/lib/sum-texts.ts';
import { paths } from '#client/paths.ts';
import { StatCard, StatCards } from '#client/ui/data/stat-card.tsx';
import type { ReportOverview } from '#shared/api/reports.ts';
import { UNPAID_LABEL, statusLabels } from '#shared/labels.ts';
import { comparedRanges, comparedWith } from './compared-with.ts';
import { IconAlertCircle, IconCircleCheck, IconClock, IconFiles, IconReceiptTax } from '@tabler/icons-react';
import type { AdminStatistics } from '#shared/api/tax-records/statistics.ts';

/** The four numbers of the report: received, the period before, unpaid and overdue (R-REPORT-13). */
export function OverviewCards({ overview }: { overview: ReportOverview | undefined }) {
  if (!overview) return <LoadingCards />;
  const { period, received, unpaid, overdue } = overview;
  const { previous } = received;
  const inPeriod = { payment_from: period.from, payment_to: period.to };
  const beforePeriod = { payment_from: previous.from, payment_to: previous.to };
  return (
    <StatCards columns={4} label="Angka utama">
      <StatCard
        label="Diterima"
        to={paths.adminRecordsWhere(inPeriod)}
        amount={received.amount}
        hint={`${formatNumber(received.count)} pembayaran pada periode ini`}
        note={<CheckedLine checked={received.checked} where={inPeriod} />}
      />
      <StatCard
        label="Periode sebelumnya"
        to={paths.adminRecordsWhere(beforePeriod)}
        amount={previous.amount}
        hint={`${comparedWith(received.amount, previous.amount)} · ${comparedRanges(overview, today())}`}
        note={<CheckedLine checked={previous.checked} where={beforePeriod} />}
      />
      <StatCard
        label={UNPAID_LABEL}
        to={paths.adminRecordsWhere({ view: 'unpaid' })}
        amount={unpaid.amount}
        hint={`${formatNumber(unpaid.count)} data, per hari ini`}
      />
      <StatCard
        label="Tunggakan"
        to={paths.adminRecordsWhere({ view: 'overdue' })}
        amount={overdue.amount}
        hint={`${formatNumber(overdue.count)} data lewat jatuh tempo, per hari ini`}
        note={estimatedText(overdue.estimated)}
        isAlert={overdue.count > 0}
      />
    </StatCards>
  );
}

function LoadingCards() {
  return (
    <StatCards columns={4} label="Angka utama">
      {['Diterima', 'Periode sebelumnya', UNPAID_LABEL, 'Tunggakan'].map((label) => (
        <StatCard key={label} label={label} hint="" loading />
      ))}
    </StatCards>
  );
}

/** The five cards (R-REPORT-7). */
export function StatisticsCards({ statistics }: { statistics: AdminStatistics | undefined }) {
  const loading = !statistics;
  const count = (value: number | undefined) => formatNumber(value ?? 0);
  return (
    <StatCards columns={5}>
      <StatCard label="Total Records" value={count(statistics?.total_records)} icon={IconFiles} loading={loading} />
      <StatCard
        label={statusLabels.lunas}
        value={count(statistics?.lunas)}
        icon={IconCircleCheck}
        color="green"
        loading={loading}
      />
      <StatCard
        label={statusLabels.belum_lunas}
        value={count(statistics?.belum_lunas)}
        icon={IconAlertCircle}
        color="red"
        loading={loading}
      />
      <StatCard
        label={statusLabels.proses}
        value={count(statistics?.proses)}
        icon={IconClock}
        color="yellow"
        loading={loading}
      />
      <StatCard label="Total Pajak" amount={statistics?.total_tax ?? 0} icon={IconReceiptTax} loading={loading} />
    </StatCards>
  );
}
