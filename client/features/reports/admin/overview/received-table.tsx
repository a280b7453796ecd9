import { Paper, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { formatNumber } from '#client/lib/format.ts';
import { Money } from '#client/ui/data/money.tsx';
import type { ReportOverview } from '#shared/api/reports.ts';
import { formatMonth } from './format-month.ts';
import classes from './overview.module.css';

/** The payments of each month of the period, by the day of the payment. */
export function ReceivedTable({ overview }: { overview: ReportOverview }) {
  const id = useId();
  const isLong = overview.by_month.length > 24;
  const rows = overview.by_month.filter(({ received }) => !isLong || received.count > 0);
  const largest = Math.max(...rows.map(({ received }) => received.amount), 1);
  return (
    <Paper
      component="section"
      withBorder
      p={{ base: 'md', sm: 'lg' }}
      className={classes['part'] ?? ''}
      aria-labelledby={id}
    >
      <Title order={2} fz="h3" id={id}>
        Pembayaran per Bulan
      </Title>
      <Text c="dimmed" fz="sm" mb="sm">
        Menurut tanggal bayar
      </Text>
      <table className={classes['dueTable']} aria-labelledby={id}>
        <thead>
          <tr>
            <th scope="col">Bulan</th>
            <td aria-hidden />
            <th scope="col">Pembayaran</th>
            <th scope="col">Jumlah</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ month, received }) => (
            <tr key={month} data-empty={received.count === 0 || undefined}>
              <th scope="row">{formatMonth(month)}</th>
              <td className={classes['barCell']} aria-hidden>
                <span className={classes['bar']} style={{ width: `${(received.amount / largest) * 100}%` }}>
                  {received.amount > 0 ? <span data-part="paid" style={{ width: '100%' }} /> : null}
                </span>
              </td>
              <td data-label="Pembayaran">{formatNumber(received.count)}</td>
              <td data-label="Jumlah">
                <Money amount={received.amount} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Paper>
  );
}
