import type { PropertyStatistics } from '#shared/api/reports.ts';
import { formatNumber, totalAmount } from '#shared/domain/money/rupiah.ts';
import { percentShares } from '#shared/domain/money/shares.ts';
import { NO_PROPERTY_TYPE_LABEL, propertyTypeLabels } from '#shared/labels.ts';
import { type RingPattern, ringSlices } from '../chart/ring-chart.tsx';

/** The joined small types. */
export const OTHERS = 'Lainnya';

/** The property types and the joined rest. Each keeps its colour and pattern in every report. */
const SLICE_NAMES: readonly string[] = [...Object.values(propertyTypeLabels), NO_PROPERTY_TYPE_LABEL, OTHERS];

const sliceIndex = (name: string): number => Math.max(SLICE_NAMES.indexOf(name), 0);

const patternId = (name: string): string => `property-pattern-${sliceIndex(name)}`;

/** The colour of a slice, for its bar; `slices.module.css` defines it. */
export const sliceColor = (name: string): string => `var(--slice-${sliceIndex(name) + 1})`;

/** The fill of a slice and of its mark in the table: a colour and a pattern, so that paper without colour tells them apart. */
export const propertyFill = (name: string): string => `url(#${patternId(name)})`;

export const PATTERN_TILE = 10;

/** The lines of a tile, in the order of `SLICE_NAMES`. */
const DRAWINGS: readonly { path: string; width: number }[] = [
  { path: '', width: 0 },
  { path: 'M -2 2 L 2 -2 M 0 10 L 10 0 M 8 12 L 12 8', width: 1.75 },
  { path: 'M 0 5 H 10', width: 2 },
  { path: 'M 2.5 2.5 h 0.01 M 7.5 7.5 h 0.01', width: 3.5 },
  { path: 'M 5 0 V 10', width: 2 },
  { path: 'M 0 5 H 10 M 5 0 V 10', width: 1.5 },
  { path: 'M -2 8 L 2 12 M 0 0 L 10 10 M 8 -2 L 12 2', width: 1.75 },
  { path: 'M 0 0 L 10 10 M 10 0 L 0 10', width: 1.25 },
];

export const propertyPatterns: readonly RingPattern[] = DRAWINGS.map(({ path, width }, index) => ({
  id: patternId(SLICE_NAMES[index] ?? OTHERS),
  fill: `var(--slice-${index + 1})`,
  stroke: 'var(--slice-line)',
  path,
  width,
}));

/** A slice of this share has room for its percentage. */
const LABEL_MIN_FRACTION = 0.08;
/** Smaller shares are joined. */
const OWN_SLICE_MIN_FRACTION = 0.02;

/** The types that the chart joins as 'Lainnya'; a single small type keeps its slice. */
export function joinedTypes(shares: readonly PropertyStatistics[]): string[] {
  const total = totalAmount(shares);
  const small = shares.filter(({ amount }) => amount > 0 && amount / total < OWN_SLICE_MIN_FRACTION);
  return small.length > 1 ? small.map(({ property }) => property) : [];
}

/** The slices of the ring in the order of the table, with whole percents; 'Lainnya' comes last. */
export function chartSlices(shares: readonly PropertyStatistics[]) {
  const joined = joinedTypes(shares);
  const parts = shares.filter(({ property, amount }) => amount > 0 && !joined.includes(property));
  const joinedAmount = totalAmount(shares.filter(({ property }) => joined.includes(property)));
  const drawn = [...parts, ...(joinedAmount > 0 ? [{ property: OTHERS, amount: joinedAmount }] : [])];
  const total = totalAmount(drawn);
  const percents = percentShares(
    drawn.map(({ amount }) => amount),
    0,
  );
  return ringSlices(
    drawn.map(({ property, amount }, index) => ({
      name: property,
      amount,
      fill: propertyFill(property),
      label: amount / total < LABEL_MIN_FRACTION ? undefined : `${formatNumber(percents[index] ?? 0)}%`,
    })),
  );
}
