import type { CheckedSums } from '#shared/api/tax-records/record-sums.ts';
import { mapCheckedParts } from '#shared/domain/tax-records/checked-sums.ts';

/** Sums in the server's format. */

const zero = { count: 0, amount: 0 };

/** A paid sum by the result of the check. The rest beside `parts` counts as recorded by the office. */
export function buildChecked(count: number, amount: number, parts: Partial<CheckedSums> = {}): CheckedSums {
  const others = Object.values(parts);
  const office = {
    count: others.reduce((rest, sum) => rest - sum.count, count),
    amount: others.reduce((rest, sum) => rest - sum.amount, amount),
  };
  return mapCheckedParts((part) => parts[part] ?? (part === 'office' ? office : zero));
}

export function buildPaid(count: number, amount: number, parts?: Partial<CheckedSums>) {
  return { count, amount, checked: buildChecked(count, amount, parts) };
}

export function buildOverdue(count: number, amount: number, estimated = zero) {
  return { count, amount, estimated };
}
