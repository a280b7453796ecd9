import type { ReactNode } from 'react';
import classes from './ring-chart.module.css';

const SIZE = 240;
const CENTRE = SIZE / 2;
const OUTER_RADIUS = 118;
const INNER_RADIUS = 72;

/** `from` and `to` are fractions of the ring. */
export type RingSlice = {
  name: string;
  from: number;
  to: number;
  /** A colour with a pattern (`RingPatterns`), so that paper without colour tells the slices apart. */
  fill: string;
  label?: string | undefined;
};

type Props = {
  slices: readonly RingSlice[];
  /** `RingText`s for the hole. */
  children: ReactNode;
};

/** Parts of a whole, clockwise from the top. Hidden from screen readers, because a list or table beside it has the same content. */
export function RingChart({ slices, children }: Props) {
  return (
    <svg viewBox={`0 0 ${SIZE} ${SIZE}`} className={classes['chart']} aria-hidden>
      {slices.map(({ name, from, to, fill }) => (
        <path
          key={name}
          d={ringPath(from, to)}
          fill={fill}
          className={slices.length > 1 ? classes['slice'] : undefined}
          data-slice={name}
        />
      ))}
      {slices.map(({ name, from, to, label }) =>
        label === undefined ? null : (
          <text
            key={name}
            {...pointAt((from + to) / 2, (INNER_RADIUS + OUTER_RADIUS) / 2)}
            className={classes['label']}
            fontSize={15}
          >
            {label}
          </text>
        ),
      )}
      {children}
    </svg>
  );
}

type RingTextProps = {
  /** Units below the centre. */
  below: number;
  size: number;
  isTotal?: boolean;
  children: ReactNode;
};

/** A line in the hole. */
export function RingText({ below, size, isTotal = false, children }: RingTextProps) {
  return (
    <text x={CENTRE} y={CENTRE + below} className={classes[isTotal ? 'total' : 'caption']} fontSize={size}>
      {children}
    </text>
  );
}

const pointAt = (fraction: number, radius: number) => {
  const angle = 2 * Math.PI * fraction - Math.PI / 2;
  return { x: CENTRE + radius * Math.cos(angle), y: CENTRE + radius * Math.sin(angle) };
};
const pairAt = (fraction: number, radius: number): string => {
  const { x, y } = pointAt(fraction, radius);
  return `${x.toFixed(2)} ${y.toFixed(2)}`;
};

/** A whole ring consists of two halves, because an arc cannot close itself. */
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

/** The lines that `stroke` draws over `fill` in a square tile. */
export type RingPattern = { id: string; fill: string; stroke: string; path: string; width: number };

/** The patterns that slices and marks name as their fill. The page contains them once. */
export function RingPatterns({ patterns, tile }: { patterns: readonly RingPattern[]; tile: number }) {
  return (
    <svg width={0} height={0} style={{ position: 'absolute' }} aria-hidden>
      <defs>
        {patterns.map(({ id, fill, stroke, path, width }) => (
          <pattern key={id} id={id} width={tile} height={tile} patternUnits="userSpaceOnUse">
            <rect width={tile} height={tile} fill={fill} />
            <path d={path} stroke={stroke} strokeWidth={width} strokeLinecap="round" />
          </pattern>
        ))}
      </defs>
    </svg>
  );
}

/** Slices of the ring, one behind the other. */
export function ringSlices<Part extends { name: string; amount: number }>(
  parts: readonly Part[],
): (Part & Pick<RingSlice, 'from' | 'to'>)[] {
  const whole = parts.reduce((sum, { amount }) => sum + amount, 0);
  let to = 0;
  return parts.map((part) => {
    const from = to;
    to += part.amount / whole;
    return { ...part, from, to };
  });
}
