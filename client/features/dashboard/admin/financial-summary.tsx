import { NativeSelect, Paper, Skeleton, Text, Title } from '@mantine/core';
import { useId, useState } from 'react';
import { Money } from '#client/ui/data/money.tsx';
import { formatNumber } from '#client/lib/format.ts';
import type { Figures, Period } from './figures.ts';
import classes from './dashboard.module.css';
import { Trend } from './trend.tsx';

const periods = {
  today: { label: 'Hari Ini', than: 'dari kemarin' },
  week: { label: 'Minggu Ini', than: 'dari minggu lalu' },
  month: { label: 'Bulan Ini', than: 'dari bulan lalu' },
  year: { label: 'Tahun Ini', than: 'dari tahun lalu' },
} as const satisfies Record<Period, { label: string; than: string }>;

const options = Object.entries(periods).map(([value, { label }]) => ({ value, label }));

const amounts = [
  { field: 'total_tax', label: 'Total Pajak', moreIsGood: true },
  { field: 'paid_tax', label: 'Pajak Terbayar', moreIsGood: true },
  { field: 'unpaid_tax', label: 'Belum Terbayar', moreIsGood: false },
] as const;

function asPeriod(value: string): Period {
  return Object.hasOwn(periods, value) ? (value as Period) : 'month';
}

/** What was recorded in a period; choosing another one needs no call (specification 7). */
export function FinancialSummary({ figures, loading }: { figures: Figures; loading: boolean }) {
  const headingId = useId();
  const [period, setPeriod] = useState<Period>('month');
  const sums = figures.periods[period];
  const { than } = periods[period];
  return (
    <Paper component="section" withBorder p="lg" mb="md" aria-labelledby={headingId} aria-busy={loading}>
      <div className={classes['sectionHead']}>
        <div>
          <Title order={2} id={headingId}>
            Ringkasan Keuangan
          </Title>
          <Text c="dimmed" fz="sm">
            {loading
              ? 'Menurut waktu pencatatan'
              : `${formatNumber(sums.total_records)} catatan, menurut waktu pencatatan`}
          </Text>
        </div>
        <NativeSelect
          aria-label="Periode ringkasan keuangan"
          className={classes['period'] ?? ''}
          data={options}
          value={period}
          onChange={(event) => setPeriod(asPeriod(event.currentTarget.value))}
        />
      </div>
      <dl className={classes['amounts']}>
        {amounts.map(({ field, label, moreIsGood }) => (
          <div key={field} data-field={field}>
            <dt>{label}</dt>
            <dd>
              {loading ? (
                <Skeleton height={28} width="70%" my={4} />
              ) : (
                <>
                  <Money amount={sums[field]} className={classes['amount'] ?? ''} />
                  <Trend now={sums[field]} before={sums.previous?.[field]} than={than} moreIsGood={moreIsGood} />
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Paper>
  );
}
