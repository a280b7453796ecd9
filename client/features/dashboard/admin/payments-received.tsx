import { Skeleton, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { formatDateRange, formatNumber, today } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { Money } from '#client/ui/data/money.tsx';
import { samePartBefore, statisticsDates } from '#shared/domain/dates.ts';
import type { DashboardStatistics, Period } from './dashboard-statistics.ts';
import classes from './dashboard.module.css';
import { Trend } from './trend.tsx';

const periods = [
  { name: 'today', label: 'Hari ini' },
  { name: 'week', label: 'Minggu ini' },
  { name: 'month', label: 'Bulan ini' },
  { name: 'year', label: 'Tahun ini' },
] as const satisfies readonly { name: Period; label: string }[];

type Props = { payments: DashboardStatistics['payments']; loading: boolean };

/** What was paid, by the day of the payment; the summary beside it counts by the time of recording (R-STAT-16). */
export function PaymentsReceived({ payments, loading }: Props) {
  const headingId = useId();
  const dates = statisticsDates(today());
  const before = samePartBefore(today());
  return (
    <section aria-labelledby={headingId} aria-busy={loading} className={classes['payments']}>
      <Title order={2} id={headingId}>
        Pembayaran Diterima
      </Title>
      <Text c="dimmed" fz="sm" mb="sm">
        Menurut tanggal bayar, kapan pun datanya dicatat
      </Text>
      {loading ? <Skeleton height={128} /> : null}
      {!loading && !payments ? <Text c="dimmed">Belum dapat dihitung.</Text> : null}
      {!loading && payments ? (
        <ul className={classes['paymentRows']}>
          {periods.map(({ name, label }) => {
            const { count, amount, previous } = payments[name];
            const { fromDate, toDate } = dates[name].current;
            const comparison = name === 'today' ? 'dari kemarin' : `dari ${formatDateRange(before[name])}`;
            // A day without a payment yet is no loss: it has only begun.
            const isComparable = name !== 'today' || amount > 0;
            return (
              <li key={name}>
                <Link to={paths.adminRecordsWhere({ payment_from: fromDate, payment_to: toDate })}>{label}</Link>
                <span className={classes['paymentCount']}>{formatNumber(count)} pembayaran</span>
                <Money amount={amount} className={classes['paymentAmount'] ?? ''} />
                {isComparable ? <Trend current={amount} previous={previous.amount} comparison={comparison} /> : null}
              </li>
            );
          })}
        </ul>
      ) : null}
    </section>
  );
}
