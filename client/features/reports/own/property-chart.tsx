import { formatNumber, formatRupiah } from '#client/lib/format.ts';
import type { PropertyStatistics } from '#shared/api/reports.ts';
import { totalAmount } from '#shared/domain/rupiah.ts';
import classes from './property-chart.module.css';
import { propertyFill } from './property-fill.ts';
import { chartSlices } from './property-slices.ts';

const SIZE = 240;
const CENTRE = SIZE / 2;
const OUTER_RADIUS = 118;
const INNER_RADIUS = 72;
/** A slice of this share has room for its percentage. */
const LABEL_MIN_FRACTION = 0.08;

const pointAt = (fraction: number, radius: number) => {
  const angle = 2 * Math.PI * fraction - Math.PI / 2;
  return { x: CENTRE + radius * Math.cos(angle), y: CENTRE + radius * Math.sin(angle) };
};
const pairAt = (fraction: number, radius: number): string => {
  const { x, y } = pointAt(fraction, radius);
  return `${x.toFixed(2)} ${y.toFixed(2)}`;
};

/** A part of the ring, clockwise from the top. A whole ring consists of two halves, because an arc cannot close itself. */
function ringPath(from: number, to: number): string {
  if (to - from > 0.9999) return `${ringPath(0, 0.5)} ${ringPath(0.5, 1)}`;
  const large = to - from > 0.5 ? 1 : 0;
  return [
    `M ${pairAt(from, OUTER_RADIUS)}`,
    `A ${OUTER_RADIUS} ${OUTER_RADIUS} 0 ${large} 1 ${pairAt(to, OUTER_RADIUS)}`,
    `L ${pairAt(to, INNER_RADIUS)}`,
    `A ${INNER_RADIUS} ${INNER_RADIUS} 0 ${large} 0 ${pairAt(from, INNER_RADIUS)}`,
    'Z',
  ].join(' ');
}

/**
 * The property types as a ring with the total in its centre. It is hidden from screen readers, because the table beside it
 * has the same content.
 */
export function PropertyChart({ shares }: { shares: readonly PropertyStatistics[] }) {
  const slices = chartSlices(shares);
  const total = formatRupiah(totalAmount(shares));
  return (
    <svg viewBox={`0 0 ${SIZE} ${SIZE}`} className={classes['chart']} aria-hidden>
      {slices.map(({ name, from, to }) => (
        <path
          key={name}
          d={ringPath(from, to)}
          fill={propertyFill(name)}
          className={slices.length > 1 ? classes['slice'] : undefined}
          data-slice={name}
        />
      ))}
      {slices.map(({ name, from, to, percent }) =>
        to - from < LABEL_MIN_FRACTION ? null : (
          <text
            key={name}
            {...pointAt((from + to) / 2, (INNER_RADIUS + OUTER_RADIUS) / 2)}
            className={classes['label']}
            fontSize={15}
          >
            {formatNumber(percent)}%
          </text>
        ),
      )}
      <text x={CENTRE} y={CENTRE - 12} className={classes['caption']} fontSize={13}>
        Total
      </text>
      {/* Fifteen digits fit in the hole, too. */}
      <text x={CENTRE} y={CENTRE + 10} className={classes['total']} fontSize={total.length > 15 ? 13 : 16}>
        {total}
      </text>
    </svg>
  );
}
