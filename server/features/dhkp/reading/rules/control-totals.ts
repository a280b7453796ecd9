import type { ListRow, ListTotal } from '../list-reading.ts';
import type { SheetRows } from './sheet-rows.ts';

/**
 * The control totals: the last sum of each sheet. A grand total over all sheets replaces them. It is one whose amount is
 * no single sheet's.
 */
export function chooseTotals(sheets: readonly SheetRows[], rows: readonly ListRow[]): ListTotal[] {
  const grand = sheets.length > 1 ? findGrandTotal(sheets, rows) : null;
  if (grand) return [grand];
  return sheets.flatMap(({ total }) => (total ? [total] : []));
}

function findGrandTotal(sheets: readonly SheetRows[], rows: readonly ListRow[]): ListTotal | null {
  const sums = new Map<string, number>();
  for (const { sheet, values } of rows) sums.set(sheet, (sums.get(sheet) ?? 0) + (values.amount_sen ?? 0));
  const ofSheets = new Set([...sums.values(), ...sheets.map(({ plainTotal }) => plainTotal?.amount_sen ?? -1)]);
  const grand = sheets.flatMap(({ grandTotal }) => (grandTotal && grandTotal.amount_sen !== null ? [grandTotal] : []));
  const [first, ...others] = grand.filter(({ amount_sen: amount }) => amount !== null && !ofSheets.has(amount));
  // Each sheet with another grand total has its own, one of which is wrong.
  return first && others.every(({ amount_sen: amount }) => amount === first.amount_sen) ? first : null;
}
