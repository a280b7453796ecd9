import { Paper, Skeleton, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { formatNumber, today } from '#client/lib/format.ts';
import { CheckedLine } from '#client/features/tax-records/display/checked-line.tsx';
import { paths } from '#client/paths.ts';
import { Money } from '#client/ui/data/money.tsx';
import { statisticsDates } from '#shared/domain/dates/dates.ts';
import type { DashboardStatistics, Period } from './dashboard-statistics.ts';
import classes from './dashboard.module.css';
import { comparedRanges, Trend } from './trend.tsx';

const periods = [
  { name: 'today', label: 'Hari ini' },
  { name: 'week', label: 'Minggu ini' },
  { name: 'month', label: 'Bulan ini' },
  { name: 'year', label: 'Tahun ini' },
] as const satisfies readonly { name: Period; label: string }[];

type Props = { payments: DashboardStatistics['payments']; loading: boolean };

/** The payments by the day of the payment; the summary below counts by the time of recording (R-STAT-16). */
export function PaymentsReceived({ payments, loading }: Props) {
  const headingId = useId();
  const dates = statisticsDates(today());
  return (
    <Paper
      component="section"
      withBorder
      p={{ base: 'md', sm: 'lg' }}
      mb="md"
      aria-labelledby={headingId}
      aria-busy={loading}
    >
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
            const { count, amount, previous, checked } = payments[name];
            const { fromDate, toDate } = dates[name].current;
            const where = { payment_from: fromDate, payment_to: toDate };
            // A day without a payment yet is no loss: it has only begun.
            const isComparable = name !== 'today' || amount > 0;
            return (
              <li key={name}>
                <Link to={paths.adminRecordsWhere(where)}>{label}</Link>
                <Text span c="dimmed" fz="sm" className="tabular">
                  {formatNumber(count)} pembayaran
                </Text>
                <Money amount={amount} className={classes['paymentAmount'] ?? ''} />
                {isComparable ? (
                  <Trend current={amount} previous={previous.amount} comparison={comparedRanges(name)} />
                ) : null}
                <CheckedLine checked={checked} where={where} />
              </li>
            );
          })}
        </ul>
      ) : null}
    </Paper>
  );
}
