import { Group, Paper, Progress, Skeleton, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconAlertCircle, IconCircleCheck, IconFiles, IconReceiptTax } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { CheckedLine } from '#client/features/tax-records/display/checked-line.tsx';
import { Money } from '#client/ui/data/money.tsx';
import { StatCard, StatCards } from '#client/ui/data/stat-card.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { isAllChecked } from '#client/lib/sum-texts.ts';
import type { ReportSummary } from '#shared/api/reports.ts';
import { mapCheckedParts } from '#shared/domain/tax-records/checked-sums.ts';
import { knownPercent, paidPercent } from './own-reports.ts';
import classes from './reports.module.css';
import { ReportLoadError } from './report-load-error.tsx';

type Props = {
  query: UseQueryResult<ReportSummary>;
  /** Shown beside the figures on wide screens. */
  shares: ReactNode;
};

const nothing = { count: 0, amount: 0 };
const emptySummary: ReportSummary = {
  totalTax: 0,
  paidTax: 0,
  unpaidTax: 0,
  totalRecords: 0,
  paidInPeriod: { ...nothing, checked: mapCheckedParts(() => nothing) },
  checked: mapCheckedParts(() => nothing),
};

/** The tab 'Ringkasan': four cards and the paid percentage (R-REPORT-4). */
export function SummaryPanel({ query, shares }: Props) {
  if (query.isError && !query.data) return <ReportLoadError query={query} tab="summary" />;
  const loading = !query.data;
  const summary = query.data ?? emptySummary;
  return (
    <div className={classes['summary']}>
      <div className={classes['figures']}>
        <VisuallyHidden component="output">{loading ? 'Memuat ringkasan…' : ''}</VisuallyHidden>
        <StatCards columns={2}>
          <StatCard label="Total Pajak" amount={summary.totalTax} icon={IconReceiptTax} loading={loading} />
          <StatCard
            label="Pajak Terbayar"
            amount={summary.paidTax}
            hint={<CheckedLine checked={summary.checked} />}
            icon={IconCircleCheck}
            color="green"
            loading={loading}
          />
          <StatCard
            label="Belum Bayar"
            amount={summary.unpaidTax}
            hint="Termasuk Proses"
            icon={IconAlertCircle}
            color="red"
            loading={loading}
          />
          <StatCard
            label="Total Catatan"
            value={formatNumber(summary.totalRecords)}
            icon={IconFiles}
            color="gray"
            loading={loading}
          />
        </StatCards>
        <PaidInPeriod paid={summary.paidInPeriod} loading={loading} />
        <PaidProgress summary={summary} loading={loading} />
      </div>
      {shares}
    </div>
  );
}

/** Counted by the day of the payment, unlike the other figures (R-REPORT-15). */
function PaidInPeriod({ paid, loading }: { paid: ReportSummary['paidInPeriod']; loading: boolean }) {
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }}>
      <Group justify="space-between" gap="xs">
        <div>
          <Text fw={600}>Dibayar pada periode ini</Text>
          <Text c="dimmed" fz="sm">
            Menurut tanggal pembayaran
          </Text>
        </div>
        {loading ? (
          <Skeleton height={22} width={110} />
        ) : (
          <Text className="tabular">
            <strong>
              <Money amount={paid.amount} />
            </strong>{' '}
            · {formatNumber(paid.count)} pembayaran
          </Text>
        )}
      </Group>
      <CheckedLine checked={paid.checked} />
    </Paper>
  );
}

function PaidProgress({ summary, loading }: { summary: ReportSummary; loading: boolean }) {
  const headingId = useId();
  const percent = paidPercent(summary);
  const known = knownPercent(summary);
  const isKnown = isAllChecked(summary.checked);
  // A payment that the office has not matched is no fact: it may have refused it.
  const percentText = `${formatNumber(percent)}% terbayar`;
  const knownText = isKnown ? '' : `menurut Anda; ${formatNumber(known)}% diketahui kantor`;
  // Mantine's own attributes would give the number an English decimal point.
  const barAria = {
    role: 'progressbar',
    'aria-labelledby': headingId,
    'aria-valuemin': 0,
    'aria-valuemax': 100,
    'aria-valuenow': percent,
    'aria-valuetext': [percentText, knownText].filter(Boolean).join(' '),
  };
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} component="section" aria-labelledby={headingId} aria-busy={loading}>
      <Group justify="space-between" gap="xs" mb="sm">
        <Title order={2} id={headingId} fz="h3">
          Progres Pembayaran
        </Title>
        {loading ? (
          <Skeleton height={22} width={110} />
        ) : (
          <Text className="tabular" ta="end">
            <Text span fw={700}>
              {percentText}
            </Text>
            {knownText === '' ? null : ` ${knownText}`}
          </Text>
        )}
      </Group>
      {loading ? (
        <Skeleton height={16} radius="xl" />
      ) : (
        <Progress.Root size={16} radius="xl" className={classes['bar'] ?? ''}>
          {/* One bar for a screen reader; its second part is striped, so that it is told apart without colour. */}
          <Progress.Section value={isKnown ? percent : known} color="green" withAria={false} {...barAria} />
          {isKnown ? null : (
            <Progress.Section value={percent - known} color="yellow" striped withAria={false} aria-hidden />
          )}
        </Progress.Root>
      )}
      {loading ? (
        <Skeleton height={16} width="60%" mt="sm" />
      ) : (
        <Text c="dimmed" fz="sm" mt="sm">
          {summary.totalTax > 0 ? (
            <>
              <Money amount={summary.paidTax} /> dari <Money amount={summary.totalTax} /> terbayar.
            </>
          ) : (
            'Belum ada pajak yang dicatat pada periode ini.'
          )}
        </Text>
      )}
      {isKnown ? null : <CheckedLine checked={summary.checked} />}
    </Paper>
  );
}
