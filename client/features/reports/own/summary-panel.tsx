import { Group, Paper, Progress, SimpleGrid, Skeleton, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconAlertCircle, IconCircleCheck, IconFiles, IconReceiptTax } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useId } from 'react';
import { Money } from '#client/ui/data/money.tsx';
import { StatCard } from '#client/ui/data/stat-card.tsx';
import { formatNumber } from '#client/lib/format.ts';
import type { ReportSummary } from '#shared/api/reports.ts';
import { paidPercent } from './own-reports.ts';
import classes from './reports.module.css';
import { ReportLoadError } from './report-load-error.tsx';

/** The tab 'Ringkasan': four cards and the paid percentage (R-REPORT-4). */
export function SummaryPanel({ query }: { query: UseQueryResult<ReportSummary> }) {
  if (query.isError && !query.data) return <ReportLoadError query={query} tab="summary" />;
  const loading = !query.data;
  const summary = query.data ?? { totalTax: 0, paidTax: 0, unpaidTax: 0, totalRecords: 0 };
  return (
    <>
      <VisuallyHidden component="output">{loading ? 'Memuat ringkasan…' : ''}</VisuallyHidden>
      <SimpleGrid cols={{ base: 1, xs: 2, xl: 4 }} spacing="md" className={classes['cards'] ?? ''}>
        <StatCard
          label="Total Pajak"
          value={<SummaryAmount amount={summary.totalTax} />}
          icon={IconReceiptTax}
          loading={loading}
        />
        <StatCard
          label="Pajak Terbayar"
          value={<SummaryAmount amount={summary.paidTax} />}
          icon={IconCircleCheck}
          color="green"
          loading={loading}
        />
        <StatCard
          label="Belum Bayar"
          value={<SummaryAmount amount={summary.unpaidTax} />}
          icon={IconAlertCircle}
          color="red"
          loading={loading}
        />
        <StatCard
          label="Total Catatan"
          value={<span className={classes['figure']}>{formatNumber(summary.totalRecords)}</span>}
          icon={IconFiles}
          color="gray"
          loading={loading}
        />
      </SimpleGrid>
      <PaidProgress summary={summary} loading={loading} />
    </>
  );
}

function SummaryAmount({ amount }: { amount: number }) {
  return <Money amount={amount} className={classes['figure'] ?? ''} />;
}

function PaidProgress({ summary, loading }: { summary: ReportSummary; loading: boolean }) {
  const headingId = useId();
  const percent = paidPercent(summary);
  const percentText = `${formatNumber(percent)}%`;
  // Mantine's own attributes would give the number an English decimal point.
  const barAria = {
    role: 'progressbar',
    'aria-labelledby': headingId,
    'aria-valuemin': 0,
    'aria-valuemax': 100,
    'aria-valuenow': percent,
    'aria-valuetext': `${percentText} terbayar`,
  };
  return (
    <Paper withBorder p="lg" mt="md" component="section" aria-labelledby={headingId} aria-busy={loading}>
      <Group justify="space-between" gap="xs" mb="sm">
        <Title order={2} id={headingId} fz="h3">
          Progres Pembayaran
        </Title>
        {loading ? (
          <Skeleton height={22} width={110} />
        ) : (
          <Text fw={700} className="tabular">
            {percentText} terbayar
          </Text>
        )}
      </Group>
      {loading ? (
        <Skeleton height={16} radius="xl" />
      ) : (
        <Progress.Root size={16} radius="xl" className={classes['bar'] ?? ''}>
          <Progress.Section value={percent} color="green" withAria={false} {...barAria} />
        </Progress.Root>
      )}
      {loading ? (
        <Skeleton height={16} width="60%" mt="sm" />
      ) : (
        <Text c="dimmed" fz="sm" mt="sm">
          {summary.totalTax > 0 ? (
            <>
              <Money amount={summary.paidTax} /> dari <Money amount={summary.totalTax} /> sudah dibayar.
            </>
          ) : (
            'Belum ada pajak yang dicatat pada periode ini.'
          )}
        </Text>
      )}
    </Paper>
  );
}
