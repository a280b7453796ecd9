import type { PropertyStatistics } from '#shared/api/reports.ts';
import { totalAmount } from '#shared/domain/rupiah.ts';
import { percentShares } from '#shared/domain/shares.ts';
import { OTHERS } from './property-fill.ts';

/** `from` and `to` are fractions of the ring. */
export type Slice = { name: string; from: number; to: number; percent: number };

/** Smaller shares are joined. */
const OWN_SLICE_MIN_FRACTION = 0.02;

/** The types that the chart joins as 'Lainnya'; a single small type keeps its slice. */
export function joinedTypes(shares: readonly PropertyStatistics[]): string[] {
  const total = totalAmount(shares);
  const small = shares.filter(({ amount }) => amount > 0 && amount / total < OWN_SLICE_MIN_FRACTION);
  return small.length > 1 ? small.map(({ property }) => property) : [];
}

/** The slices of the ring in the order of the table; 'Lainnya' comes last. */
export function chartSlices(shares: readonly PropertyStatistics[]): Slice[] {
  const total = totalAmount(shares);
  const joined = joinedTypes(shares);
  const parts = shares.filter(({ property, amount }) => amount > 0 && !joined.includes(property));
  const joinedAmount = totalAmount(shares.filter(({ property }) => joined.includes(property)));
  const drawn = [...parts, ...(joinedAmount > 0 ? [{ property: OTHERS, amount: joinedAmount }] : [])];
  const percents = percentShares(
    drawn.map(({ amount }) => amount),
    0,
  );
  let from = 0;
  return drawn.map(({ property, amount }, index) => {
    const slice = { name: property, from, to: from + amount / total, percent: percents[index] ?? 0 };
    from = slice.to;
    return slice;
  });
}
