import '@mantine/charts/styles.layer.css';
import { DonutChart } from '@mantine/charts';
import type { PieLabelRenderProps } from 'recharts';
import type { PropertyStatistics } from '#shared/api/reports.ts';
import { propertyColor } from './property-colors.ts';

const SIZE_PX = 268;
const OUTER_RADIUS_PX = 118;
const INNER_RADIUS_PX = 62;
const OUTSIDE_LABEL_RADIUS_PX = 127;
/** A thinner slice has its number outside the ring. Below `LABEL_MIN_FRACTION` it has none, and only the table names it. */
const INSIDE_LABEL_MIN_FRACTION = 0.045;
const LABEL_MIN_FRACTION = 0.014;

/** The number of the table row, drawn on the slice, so that colour is not the only link between the two. */
function SliceNumber({ cx, cy, midAngle = 0, index, percent = 0 }: PieLabelRenderProps) {
  if (percent < LABEL_MIN_FRACTION) return null;
  const isInside = percent >= INSIDE_LABEL_MIN_FRACTION;
  const radius = isInside ? (INNER_RADIUS_PX + OUTER_RADIUS_PX) / 2 : OUTSIDE_LABEL_RADIUS_PX;
  const angle = (-midAngle * Math.PI) / 180;
  return (
    <text
      x={cx + radius * Math.cos(angle)}
      y={cy + radius * Math.sin(angle)}
      fill={isInside ? 'var(--slice-text)' : 'var(--mantine-color-text)'}
      fontSize={isInside ? 15 : 13}
      fontWeight={700}
      textAnchor="middle"
      dominantBaseline="central"
    >
      {index + 1}
    </text>
  );
}

/**
 * The property types as a ring. It is hidden from screen readers and has no tooltips, because the table beside it has the same
 * content. So every name stands on the page once.
 */
export function PropertyChart({ shares }: { shares: readonly PropertyStatistics[] }) {
  return (
    <div aria-hidden>
      <DonutChart
        data={shares.map(({ property, amount }) => ({ name: property, value: amount, color: propertyColor(property) }))}
        size={SIZE_PX}
        // The ring is drawn in px, so its box must not grow with the text.
        style={{ '--chart-size': `${SIZE_PX}px`, maxWidth: '100%' }}
        startAngle={90}
        endAngle={-270}
        strokeWidth={2}
        strokeColor="var(--mantine-color-body)"
        withTooltip={false}
        accessibilityLayer={false}
        pieProps={{
          innerRadius: INNER_RADIUS_PX,
          outerRadius: OUTER_RADIUS_PX,
          label: SliceNumber,
          labelLine: false,
          rootTabIndex: -1,
        }}
      />
    </div>
  );
}
