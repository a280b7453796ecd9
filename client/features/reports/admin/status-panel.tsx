import { Paper, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { StatusBadge } from '#client/features/tax-records/display/status-badge.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { Money } from '#client/ui/data/money.tsx';
import type { AdminStatistics } from '#shared/api/statistics.ts';
import type { RecordStatus } from '#shared/domain/tax-record-fields.ts';
import { statusLabels } from '#shared/labels.ts';
import { RingChart, type RingPattern, RingPatterns, ringSlices, RingText } from '../chart/ring-chart.tsx';
import { STATUSES, statusPercents, TO_CHECK_LABEL } from './admin-report.ts';
import classes from './status-panel.module.css';

const PATTERN_TILE = 8;
/** The lines in a tile: none, checks, stripes. */
const LINES = {
  lunas: '',
  belum_lunas: 'M 0 0 L 8 8 M 8 0 L 0 8',
  proses: 'M -2 2 L 2 -2 M 0 8 L 8 0 M 6 10 L 10 6',
} as const satisfies Record<RecordStatus, string>;

const patterns: readonly RingPattern[] = STATUSES.map((status) => ({
  id: `ring-${status}`,
  fill: `var(--status-${status})`,
  stroke: 'var(--pattern-line)',
  path: LINES[status],
  width: 1.5,
}));

/** The distribution of the records over the three statuses (R-REPORT-7). */
export function StatusPanel({ statistics }: { statistics: AdminStatistics }) {
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
          <RingPatterns patterns={patterns} tile={PATTERN_TILE} />
          <RingChart slices={statusSlices(statistics)}>
            <RingText below={-8} size={28} isTotal>
              {formatNumber(statistics.total_records)}
            </RingText>
            <RingText below={18} size={15}>
              data
            </RingText>
          </RingChart>
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

const statusSlices = (statistics: AdminStatistics) =>
  ringSlices(
    STATUSES.filter((status) => statistics[status] > 0).map((status) => ({
      name: statusLabels[status],
      amount: statistics[status],
      fill: `url(#ring-${status})`,
    })),
  );
