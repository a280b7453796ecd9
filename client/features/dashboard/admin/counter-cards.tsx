import { IconAlertCircle, IconCircleCheck, IconFileDescription, IconUsers } from '@tabler/icons-react';
import { CheckedLine } from '#client/features/tax-records/display/checked-line.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { Money } from '#client/ui/data/money.tsx';
import { StatCard, StatCards } from '#client/ui/data/stat-card.tsx';
import { statusLabels } from '#shared/labels.ts';
import type { DashboardStatistics } from './dashboard-statistics.ts';
import classes from './dashboard.module.css';
import { comparedRanges, Trend } from './trend.tsx';

type Props = { statistics: DashboardStatistics; loading: boolean };

/** The four counters of all time with their sums, and what was paid this month against the month before (R-STAT-31). */
export function CounterCards({ statistics, loading }: Props) {
  const paid = statistics.payments?.month;
  return (
    <section aria-label="Statistik" aria-busy={loading}>
      <StatCards columns={4} className={classes['counters']}>
        <StatCard
          label="Total Users"
          value={formatNumber(statistics.total_users)}
          hint={`${formatNumber(statistics.active_users)} aktif`}
          icon={IconUsers}
          loading={loading}
        />
        <StatCard
          label="Total Records"
          value={formatNumber(statistics.total_records)}
          hint={<Sum amount={statistics.total_tax} />}
          icon={IconFileDescription}
          color="gray"
          loading={loading}
        />
        <StatCard
          label={statusLabels.lunas}
          value={formatNumber(statistics.lunas)}
          hint={
            <>
              <Sum amount={statistics.paid_tax} /> terbayar
              <CheckedLine checked={statistics.checked} where={{}} />
              {paid ? (
                <Trend
                  current={paid.amount}
                  previous={paid.previous.amount}
                  comparison={`menurut tanggal bayar, ${comparedRanges('month')}`}
                />
              ) : null}
            </>
          }
          icon={IconCircleCheck}
          color="green"
          loading={loading}
        />
        <StatCard
          label={statusLabels.belum_lunas}
          value={formatNumber(statistics.belum_lunas)}
          hint={
            <>
              <Sum amount={statistics.unpaid_tax} /> belum terbayar (
              {formatNumber(statistics.belum_lunas + statistics.proses)} data, termasuk Proses)
            </>
          }
          icon={IconAlertCircle}
          color="red"
          loading={loading}
        />
      </StatCards>
    </section>
  );
}

function Sum({ amount }: { amount: number }) {
  return (
    <strong>
      <Money amount={amount} />
    </strong>
  );
}
