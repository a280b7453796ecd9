import { Paper, Skeleton, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { StatusBadge } from '#client/features/tax-records/display/status-badge.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { Money } from '#client/ui/data/money.tsx';
import { useLazyComponent } from '#client/ui/lazy/use-lazy-component.ts';
import type { AdminStatistics } from '#shared/api/tax-records/statistics.ts';
import { STATUSES, statusPercents, TO_CHECK_LABEL } from './admin-report.ts';
import classes from './status-panel.module.css';

// Recharts is half as large as the rest of the app, so it is loaded only when there is something to draw.
const loadDonut = async () => (await import('./status-donut.tsx')).StatusDonut;

/** The distribution of the records over the three statuses (R-REPORT-7). */
export function StatusPanel({ statistics }: { statistics: AdminStatistics }) {
  const { Component: StatusDonut, hasFailed } = useLazyComponent(loadDonut, {
    delayMs: 0,
  });
  const percents = statusPercents(statistics);
  return (
    <Paper
      component="section"
      withBorder
      p={{ base: 'md', sm: 'lg' }}
      aria-labelledby="distribusi-status"
      className={classes['part'] ?? ''}
    >
      <Title order={2} fz="h3" mb="md" id="distribusi-status">
        Distribusi Status
      </Title>
      <div className={classes['panel']}>
        <ul className={classes['list']}>
          {STATUSES.map((status) => {
            const percent = percents[status];
            return (
              <li key={status} className={classes['row']}>
                <StatusBadge status={status} />
                <span className={classes['figure']}>
                  <strong>{percent}%</strong> · {formatNumber(statistics[status])} data
                </span>
                <span className={classes['bar']} aria-hidden>
                  <span data-status={status} style={{ width: `${percent}%` }} />
                </span>
              </li>
            );
          })}
        </ul>
        <div className={classes['chart']}>
          {StatusDonut ? <StatusDonut statistics={statistics} /> : null}
          {hasFailed ? (
            <Text c="dimmed" fz="sm">
              Diagram belum dapat dimuat. Muat ulang halaman ini.
            </Text>
          ) : null}
          {StatusDonut || hasFailed ? null : <Skeleton circle height={240} />}
        </div>
      </div>
      <p className={classes['toCheck']}>
        <Link to={paths.adminInbound}>{TO_CHECK_LABEL}</Link>
        {': '}
        {formatNumber(statistics.tasks.to_check.count)} laporan · <Money amount={statistics.tasks.to_check.amount} />
      </p>
    </Paper>
  );
}
