import { Paper, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { CheckedLine } from '#client/features/tax-records/display/checked-line.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { estimatedText } from '#client/lib/sum-texts.ts';
import { Money } from '#client/ui/data/money.tsx';
import { wholePercent } from '../whole-percent.ts';
import { dueParts, type DueRow, type YearRow } from './due-rows.ts';
import classes from './overview.module.css';

type Props = { title: string; hint: string; firstHeader: string; rows: readonly (DueRow | YearRow)[] };

/**
 * What was to be paid, per year or month: a bar in three patterns, which are told apart without colour and on paper, and the
 * same numbers as text. On a phone each row becomes a block.
 */
export function DueTable({ title, hint, firstHeader, rows }: Props) {
  const id = useId();
  const largest = Math.max(...rows.map(({ total }) => total.amount), 1);
  return (
    <Paper
      component="section"
      withBorder
      p={{ base: 'md', sm: 'lg' }}
      className={classes['part'] ?? ''}
      aria-labelledby={id}
    >
      <Title order={2} fz="h3" id={id}>
        {title}
      </Title>
      <Text c="dimmed" fz="sm" mb="sm">
        {hint}
      </Text>
      {rows.length === 0 ? (
        <Text>Tidak ada tagihan yang jatuh tempo pada periode ini.</Text>
      ) : (
        <>
          <ul className={classes['legend']} aria-hidden>
            <li data-part="paid">Terbayar</li>
            <li data-part="open">Belum jatuh tempo</li>
            <li data-part="overdue">Tunggakan</li>
          </ul>
          <table className={classes['dueTable']} aria-labelledby={id}>
            <thead>
              <tr>
                <th scope="col">{firstHeader}</th>
                <td aria-hidden />
                <th scope="col">Total</th>
                <th scope="col">Terbayar</th>
                <th scope="col">Belum terbayar</th>
                <th scope="col">Tunggakan</th>
              </tr>
            </thead>
            {rows.map((row) => (
              // Of its own, so that no page ends between a row and its notes.
              <tbody key={row.label}>
                <tr data-empty={row.total.count === 0 || undefined}>
                  <th scope="row">{row.label}</th>
                  <td className={classes['barCell']} aria-hidden>
                    <span className={classes['bar']} style={{ width: `${(row.total.amount / largest) * 100}%` }}>
                      {dueParts(row).map(({ part, percent }) => (
                        <span key={part} data-part={part} style={{ width: `${percent}%` }} />
                      ))}
                    </span>
                  </td>
                  <SumCell label="Total" sum={row.total} />
                  <SumCell label="Terbayar" sum={row.paid} percent={wholePercent(row.paid.amount, row.total.amount)} />
                  <SumCell label="Belum terbayar" sum={row.unpaid} />
                  <SumCell label="Tunggakan" sum={row.overdue} />
                </tr>
                {'year' in row && row.total.count > 0 ? <NotesRow row={row} /> : null}
              </tbody>
            ))}
          </table>
        </>
      )}
    </Paper>
  );
}

type SumCellProps = { label: string; sum: DueRow['total']; percent?: number };

/** A sum above the number of its records, and its part of the total in whole percent. */
function SumCell({ label, sum, percent }: SumCellProps) {
  return (
    <td data-label={label}>
      <Money amount={sum.amount} />
      {sum.count > 0 ? (
        <span className={classes['count']}>
          {formatNumber(sum.count)} data{percent === undefined ? '' : ` · ${percent}%`}
        </span>
      ) : null}
    </td>
  );
}

/** What the sums of the row above consist of. It has the whole width, because five parts are longer than a column. */
function NotesRow({ row }: { row: YearRow }) {
  const estimated = estimatedText(row.overdue.estimated);
  if (row.paid.count === 0 && estimated === '') return null;
  return (
    <tr className={classes['notes']}>
      <td colSpan={6}>
        <CheckedLine checked={row.paid.checked} where={{ year: row.year }} />
        {estimated === '' ? null : <span className={classes['count']}>Tunggakan {estimated}</span>}
      </td>
    </tr>
  );
}
