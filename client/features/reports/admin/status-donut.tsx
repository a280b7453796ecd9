import '@mantine/charts/styles.layer.css';
import { DonutChart } from '@mantine/charts';
import { formatNumber } from '#client/lib/format.ts';
import type { AdminStatistics } from '#shared/api/tax-records.ts';
import { statusLabels } from '#shared/texts.ts';
import { STATUSES } from './admin-report.ts';
import classes from './status-panel.module.css';

const SIZE_PX = 240;

/** The statuses as a ring with the total in its centre. Hidden from screen readers, because the list beside it has the same content. */
export function StatusDonut({ statistics }: { statistics: AdminStatistics }) {
  return (
    <div className={classes['ring']} aria-hidden>
      <DonutChart
        data={STATUSES.filter((status) => statistics[status] > 0).map((status) => ({
          name: statusLabels[status],
          value: statistics[status],
          color: `var(--status-${status})`,
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
