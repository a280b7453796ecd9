import { NativeSelect, Paper, Skeleton, Text, Title } from '@mantine/core';
import { useId, useState } from 'react';
import { CheckedLine } from '#client/features/tax-records/display/checked-line.tsx';
import { Money } from '#client/ui/data/money.tsx';
import { formatNumber } from '#client/lib/format.ts';
import type { DashboardStatistics, Period } from './dashboard-statistics.ts';
import classes from './dashboard.module.css';
import { comparedRanges, Trend } from './trend.tsx';

const periodLabels = {
  today: 'Hari Ini',
  week: 'Minggu Ini',
  month: 'Bulan Ini',
  year: 'Tahun Ini',
} as const satisfies Record<Period, string>;

const options = Object.entries(periodLabels).map(([value, label]) => ({ value, label }));

const amounts = [
  { field: 'total_tax', label: 'Total Pajak', moreIsGood: true },
  { field: 'paid_tax', label: 'Pajak Terbayar', moreIsGood: true },
  { field: 'unpaid_tax', label: 'Belum Terbayar', moreIsGood: false },
] as const;

function toPeriod(value: string): Period {
  return Object.hasOwn(periodLabels, value) ? (value as Period) : 'month';
}

type Props = { statistics: DashboardStatistics; loading: boolean };

/** The amounts recorded in a period, whenever they were paid. Choosing another period needs no call (R-STAT-8). */
export function FinancialSummary({ statistics, loading }: Props) {
  const headingId = useId();
  const [period, setPeriod] = useState<Period>('month');
  const totals = statistics.periods[period];
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} mb="md">
      <Title order={2} mb="xs">
        Data yang dicatat
      </Title>
      <section aria-labelledby={headingId} aria-busy={loading}>
        <div className={classes['sectionHead']}>
          <div>
            <Title order={3} id={headingId}>
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
            w={{ base: '100%', xs: 'auto' }}
            miw="min(10rem, 100%)"
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
                      previous={totals.previous_same_days?.[field]}
                      comparison={comparedRanges(period)}
                      moreIsGood={moreIsGood}
                    />
                    {field === 'paid_tax' ? <CheckedLine checked={totals.checked} /> : null}
                  </>
                )}
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </Paper>
  );
}
