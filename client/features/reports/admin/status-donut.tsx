import '@mantine/charts/styles.layer.css';
import { DonutChart } from '@mantine/charts';
import { formatNumber } from '#client/lib/format.ts';
import type { AdminStatistics } from '#shared/api/tax-records/statistics.ts';
import type { RecordStatus } from '#shared/domain/tax-records/record-values.ts';
import { statusLabels } from '#shared/labels.ts';
import { type RingPattern, RingPatterns } from '../chart/ring-chart.tsx';
import { STATUSES } from './admin-report.ts';
import classes from './status-panel.module.css';

const SIZE_PX = 240;
const PATTERN_TILE = 8;
/** The lines in a tile: none, checks, stripes. Paper without colour tells the statuses apart. */
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

/** The statuses as a ring with the total in its centre. Hidden from screen readers, because the list beside it has the same content. */
export function StatusDonut({ statistics }: { statistics: AdminStatistics }) {
  return (
    <div className={classes['ring']} aria-hidden>
      <RingPatterns patterns={patterns} tile={PATTERN_TILE} />
      <DonutChart
        data={STATUSES.filter((status) => statistics[status] > 0).map((status) => ({
          name: statusLabels[status],
          value: statistics[status],
          color: `url(#ring-${status})`,
        }))}
        size={SIZE_PX}
        // The ring is drawn in px, so its box must not grow with the text.
        style={{ '--chart-size': `${SIZE_PX}px`, maxWidth: '100%' }}
        thickness={34}
        startAngle={90}
        endAngle={-270}
        strokeWidth={2}
        strokeColor="var(--mantine-color-body)"
        withTooltip={false}
        accessibilityLayer={false}
        pieProps={{ rootTabIndex: -1, isAnimationActive: false }}
      />
      <div className={classes['centre']}>
        <span className={classes['total']}>{formatNumber(statistics.total_records)}</span>
        <span className={classes['unit']}>data</span>
      </div>
    </div>
  );
}
