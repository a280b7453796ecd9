import { Paper, Title } from '@mantine/core';
import { useId } from 'react';
import { formatNumber } from '#client/lib/format.ts';
import { Money } from '#client/ui/data/money.tsx';
import type { PropertyStatistics } from '#shared/api/reports.ts';
import { sliceColor } from './property-slices.ts';
import classes from './share-bars.module.css';
import slices from './slices.module.css';

/** The property types as bars, beside the summary. The tab 'Jenis Properti' has them as a table and a chart. */
export function ShareBars({ shares }: { shares: readonly PropertyStatistics[] }) {
  const headingId = useId();
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby={headingId} className={`${slices['slices']} no-print`}>
      <Title order={2} id={headingId} mb="sm">
        Menurut Jenis Properti
      </Title>
      <ul className={classes['list']}>
        {shares.map(({ property, amount, percentage }) => (
          <li key={property}>
            <div className={classes['words']}>
              <span>{property}</span>
              <span className="tabular">
                <Money amount={amount} /> · {formatNumber(percentage)}%
              </span>
            </div>
            <div className={classes['track']} aria-hidden>
              <div className={classes['bar']} style={{ width: `${percentage}%`, background: sliceColor(property) }} />
            </div>
          </li>
        ))}
      </ul>
    </Paper>
  );
}
