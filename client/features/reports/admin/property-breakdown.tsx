import { Paper, Table, Title } from '@mantine/core';
import { useId } from 'react';
import { Money } from '#client/ui/data/money.tsx';
import { useWideScreen } from '#client/ui/page/use-wide-screen.ts';
import { formatNumber } from '#client/lib/format.ts';
import type { BreakdownRow } from './admin-report.ts';
import { wholePercent } from './whole-percent.ts';
import classes from './property-breakdown.module.css';

const TABLE_FROM_EM = 40;

/** The totals of each property type, with the paid part. */
export function PropertyBreakdown({ rows }: { rows: BreakdownRow[] }) {
  const id = useId();
  const isWide = useWideScreen(TABLE_FROM_EM);
  return (
    <Paper
      component="section"
      withBorder
      p={{ base: 'md', sm: 'lg' }}
      aria-labelledby={id}
      className={classes['part'] ?? ''}
    >
      <Title order={2} fz="h3" mb="sm" id={id}>
        Menurut Jenis Properti
      </Title>
      {isWide ? <WideTable id={id} rows={rows} /> : <StackedRows id={id} rows={rows} />}
    </Paper>
  );
}

/** Seven columns of numbers are wider than a phone, which would hide the last ones; so each row becomes four lines. */
function StackedRows({ id, rows }: { id: string; rows: BreakdownRow[] }) {
  return (
    <ul className={classes['stacked']} aria-labelledby={id}>
      {rows.map(({ label, records, lunas, total, paid }) => (
        <li key={label}>
          <span className={classes['stackedHead']}>
            <strong>{label}</strong>
            <Money amount={total} />
          </span>
          <span>
            {formatNumber(records)} data, {formatNumber(lunas)} lunas
          </span>
          <span>
            Terbayar <Money amount={paid} /> ({wholePercent(paid, total)}%)
          </span>
          <span>
            Belum terbayar <Money amount={total - paid} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function WideTable({ id, rows }: { id: string; rows: BreakdownRow[] }) {
  return (
    <Table.ScrollContainer
      minWidth={640}
      classNames={{ scrollContainer: classes['scroll'] ?? '', scrollContainerInner: classes['scrollInner'] ?? '' }}
      scrollAreaProps={{ tabIndex: 0, 'aria-labelledby': id }}
    >
      <Table verticalSpacing={8} horizontalSpacing="sm" className={classes['table'] ?? ''} aria-labelledby={id}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Jenis Properti</Table.Th>
            <Table.Th scope="col" ta="right">
              Data
            </Table.Th>
            <Table.Th scope="col" ta="right">
              Lunas
            </Table.Th>
            <Table.Th scope="col" ta="right">
              Total Pajak
            </Table.Th>
            <Table.Th scope="col" ta="right">
              Terbayar
            </Table.Th>
            <Table.Th scope="col" ta="right">
              Belum terbayar
            </Table.Th>
            <Table.Th scope="col" ta="right">
              % Terbayar
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((breakdownRow) => (
            <Table.Tr key={breakdownRow.label}>
              <Table.Th scope="row" fw={600}>
                {breakdownRow.label}
              </Table.Th>
              <Table.Td ta="right">{formatNumber(breakdownRow.records)}</Table.Td>
              <Table.Td ta="right">{formatNumber(breakdownRow.lunas)}</Table.Td>
              <Table.Td ta="right">
                <Money amount={breakdownRow.total} />
              </Table.Td>
              <Table.Td ta="right">
                <Money amount={breakdownRow.paid} />
              </Table.Td>
              <Table.Td ta="right">
                <Money amount={breakdownRow.total - breakdownRow.paid} />
              </Table.Td>
              <Table.Td ta="right">{wholePercent(breakdownRow.paid, breakdownRow.total)}%</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
