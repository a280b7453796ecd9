import { NativeSelect, Paper, Skeleton, Text, Title } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { Money } from '#client/ui/data/money.tsx';
import { formatNumber } from '#client/lib/format.ts';
import type { DashboardStatistics, Period } from './dashboard-statistics.ts';
import classes from './dashboard.module.css';
import { Trend } from './trend.tsx';

const periods = {
  today: { label: 'Hari Ini', comparison: 'dari kemarin' },
  week: { label: 'Minggu Ini', comparison: 'dari minggu lalu' },
  month: { label: 'Bulan Ini', comparison: 'dari bulan lalu' },
  year: { label: 'Tahun Ini', comparison: 'dari tahun lalu' },
} as const satisfies Record<Period, { label: string; comparison: string }>;

const options = Object.entries(periods).map(([value, { label }]) => ({ value, label }));

const amounts = [
  { field: 'total_tax', label: 'Total Pajak', moreIsGood: true },
  { field: 'paid_tax', label: 'Pajak Terbayar', moreIsGood: true },
  { field: 'unpaid_tax', label: 'Belum Terbayar', moreIsGood: false },
] as const;

function toPeriod(value: string): Period {
  return Object.hasOwn(periods, value) ? (value as Period) : 'month';
}

type Props = { statistics: DashboardStatistics; loading: boolean; children: ReactNode };

/** The amounts recorded in a period, and `children` beside them. Choosing another period needs no call (R-STAT-8). */
export function FinancialSummary({ statistics, loading, children }: Props) {
  const headingId = useId();
  const [period, setPeriod] = useState<Period>('month');
  const totals = statistics.periods[period];
  const { comparison } = periods[period];
  return (
    <Paper withBorder p="lg" mb="md" className={classes['money'] ?? ''}>
      <section aria-labelledby={headingId} aria-busy={loading} className={classes['summary']}>
        <div className={classes['sectionHead']}>
          <div>
            <Title order={2} id={headingId}>
              Ringkasan Keuangan
            </Title>
            <Text c="dimmed" fz="sm">
              {loading
                ? 'Menurut waktu pencatatan, bukan tanggal bayar'
                : `${formatNumber(totals.total_records)} data, menurut waktu pencatatan, bukan tanggal bayar`}
            </Text>
          </div>
          <NativeSelect
            aria-label="Periode ringkasan keuangan"
            className={classes['period'] ?? ''}
            data={options}
            value={period}
            onChange={(event) => setPeriod(toPeriod(event.currentTarget.value))}
          />
        </div>
        <dl className={classes['amounts']}>
          {amounts.map(({ field, label, moreIsGood }) => (
            <div key={field} data-field={field}>
              <dt>{label}</dt>
              <dd>
                {loading ? (
                  <Skeleton height={24} width="8rem" my={4} />
                ) : (
                  <>
                    <Money amount={totals[field]} className={classes['amount'] ?? ''} />
                    <Trend
                      current={totals[field]}
                      previous={totals.previous?.[field]}
                      comparison={comparison}
                      moreIsGood={moreIsGood}
                    />
                  </>
                )}
              </dd>
            </div>
          ))}
        </dl>
      </section>
      {children}
    </Paper>
  );
}
