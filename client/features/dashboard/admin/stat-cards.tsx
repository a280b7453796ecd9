import { Paper, Skeleton, ThemeIcon } from '@mantine/core';
import { IconAlertCircle, IconCircleCheck, IconFileDescription, type TablerIcon, IconUsers } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CheckedLine } from '#client/features/tax-records/display/checked-line.tsx';
import { Money } from '#client/ui/data/money.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { statusLabels } from '#shared/labels.ts';
import type { DashboardStatistics } from './dashboard-statistics.ts';
import classes from './dashboard.module.css';
import { comparedRanges, Trend } from './trend.tsx';

type Props = { statistics: DashboardStatistics; loading: boolean };

/** The four counters of all time with their sums, and what was paid this month against the month before (R-STAT-31). */
export function StatCards({ statistics, loading }: Props) {
  const paid = statistics.payments?.month;
  return (
    <section aria-label="Statistik" aria-busy={loading}>
      <dl className={classes['cards']}>
        <CounterCard label="Total Users" count={statistics.total_users} icon={IconUsers} color="laut" loading={loading}>
          {formatNumber(statistics.active_users)} aktif
        </CounterCard>
        <CounterCard
          label="Total Records"
          count={statistics.total_records}
          icon={IconFileDescription}
          color="gray"
          loading={loading}
        >
          <Money amount={statistics.total_tax} className={classes['sum'] ?? ''} />
        </CounterCard>
        <CounterCard
          label={statusLabels.lunas}
          count={statistics.lunas}
          icon={IconCircleCheck}
          color="green"
          loading={loading}
        >
          <Money amount={statistics.paid_tax} className={classes['sum'] ?? ''} /> terbayar
          <CheckedLine checked={statistics.checked} where={{}} />
          {paid ? (
            <Trend
              current={paid.amount}
              previous={paid.previous.amount}
              comparison={`menurut tanggal bayar, ${comparedRanges('month')}`}
            />
          ) : null}
        </CounterCard>
        <CounterCard
          label={statusLabels.belum_lunas}
          count={statistics.belum_lunas}
          icon={IconAlertCircle}
          color="red"
          loading={loading}
        >
          <Money amount={statistics.unpaid_tax} className={classes['sum'] ?? ''} /> belum terbayar (
          {formatNumber(statistics.belum_lunas + statistics.proses)} data, termasuk Proses)
        </CounterCard>
      </dl>
    </section>
  );
}

type CounterCardProps = {
  label: string;
  count: number;
  icon: TablerIcon;
  color: 'laut' | 'gray' | 'green' | 'red';
  loading: boolean;
  children: ReactNode;
};

function CounterCard({ label, count, icon: Icon, color, loading, children }: CounterCardProps) {
  return (
    <Paper withBorder p="md" className={classes['card']}>
      <dt>
        {label}
        <ThemeIcon size="2.125rem" variant="light" color={color} className={classes['icon'] ?? ''} aria-hidden>
          <Icon size="1.1875rem" />
        </ThemeIcon>
      </dt>
      <dd className="tabular">{loading ? <Skeleton height={24} width="4rem" my={4} /> : formatNumber(count)}</dd>
      <dd className={classes['more']}>
        {loading ? <Skeleton height={14} width="7rem" maw="100%" my={4} /> : children}
      </dd>
    </Paper>
  );
}
