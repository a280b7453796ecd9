import { Paper, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { formatNumber } from '#client/lib/format.ts';
import classes from './chat-report.module.css';
import { axisMs, waitLabel } from './wait-label.ts';

type Waits = {
  /** Messages that came in; absent where rows are admins. */
  incoming?: number;
  answered: number;
  median_ms: number | null;
  p90_ms: number | null;
  longest_wait_ms: number | null;
};
export type WaitRow = { key: string; label: string; waits: Waits };

type Props = { title: string; hint: string; firstHeader: string; rows: readonly WaitRow[]; total?: WaitRow };

/**
 * Waits as bars and as numbers: filled up to the median, striped up to what nine of ten did not exceed. The patterns are told
 * apart without colour and on paper. On a phone each row becomes a block.
 */
export function WaitTable({ title, hint, firstHeader, rows, total }: Props) {
  const id = useId();
  const axis = axisMs(Math.max(0, ...rows.map(({ waits }) => waits.p90_ms ?? 0)));
  const hasIncoming = rows.some(({ waits }) => waits.incoming !== undefined);
  const share = (ms: number | null): string => `${((ms ?? 0) / axis) * 100}%`;
  const cells = ({ incoming, answered, median_ms, p90_ms, longest_wait_ms }: Waits) => (
    <>
      {hasIncoming ? <td data-label="Pesan masuk">{formatNumber(incoming ?? 0)}</td> : null}
      <td data-label="Dibalas">{formatNumber(answered)}</td>
      <td data-label="Separuh dijawab dalam">{waitLabel(median_ms)}</td>
      <td data-label="9 dari 10 dijawab dalam">{waitLabel(p90_ms)}</td>
      <td data-label="Terlama">{waitLabel(longest_wait_ms)}</td>
    </>
  );
  return (
    <Paper component="section" withBorder p={{ base: 'md', sm: 'lg' }} aria-labelledby={id}>
      <Title order={2} fz="h3" id={id}>
        {title}
      </Title>
      <Text c="dimmed" fz="sm" mb="sm">
        {hint}
      </Text>
      <ul className={classes['legend']} aria-hidden>
        <li data-part="median">Separuh dijawab dalam waktu ini</li>
        <li data-part="p90">9 dari 10 dijawab dalam waktu ini</li>
        <li>Panjang penuh: {waitLabel(axis)}</li>
      </ul>
      <table className={classes['table']} aria-labelledby={id}>
        <thead>
          <tr>
            <th scope="col">{firstHeader}</th>
            <td aria-hidden />
            {hasIncoming ? <th scope="col">Pesan masuk</th> : null}
            <th scope="col">Dibalas</th>
            <th scope="col">Separuh dijawab dalam</th>
            <th scope="col">9 dari 10 dijawab dalam</th>
            <th scope="col">Terlama</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <th scope="row">{row.label}</th>
              <td className={classes['barCell']} aria-hidden>
                <span className={classes['bar']}>
                  <span data-part="p90" style={{ width: share(row.waits.p90_ms) }} />
                  <span data-part="median" style={{ width: share(row.waits.median_ms) }} />
                </span>
              </td>
              {cells(row.waits)}
            </tr>
          ))}
        </tbody>
        {total ? (
          <tfoot>
            <tr>
              <th scope="row">{total.label}</th>
              <td className={classes['barCell']} aria-hidden />
              {cells(total.waits)}
            </tr>
          </tfoot>
        ) : null}
      </table>
    </Paper>
  );
}
