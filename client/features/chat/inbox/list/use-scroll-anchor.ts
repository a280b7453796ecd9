import { useLayoutEffect, useRef } from 'react';

/** Enough to distinguish one row that moved to the top from a list that moved as a whole. */
const SAMPLED_ROWS = 3;

type RowsInView = { order: readonly string[]; first: number };

/** By how many rows the visible rows have moved; the median ignores a single row that moved elsewhere. */
function rowShift(before: RowsInView, order: readonly string[]): number {
  const shifts = before.order
    .slice(before.first, before.first + SAMPLED_ROWS)
    .flatMap((id, index) => {
      const now = order.indexOf(id);
      return now === -1 ? [] : [now - (before.first + index)];
    })
    .toSorted((a, b) => a - b);
  return shifts[Math.floor(shifts.length / 2)] ?? 0;
}

type Scroller = { getScrollTop: () => number; scrollBy: (px: number) => void };

/**
 * Keeps the visible rows in place while rows above them are added or removed; at the very top the newest row stays visible.
 */
export function useScrollAnchor({ getScrollTop, scrollBy }: Scroller, order: readonly string[], rowPx: number): void {
  const before = useRef(order);
  useLayoutEffect(() => {
    const known = before.current;
    before.current = order;
    // Reading the position makes the browser lay out the page; most renders change no order.
    if (known === order) return;
    const topPx = getScrollTop();
    if (topPx < rowPx / 2) return;
    const shift = rowShift({ order: known, first: Math.floor(topPx / rowPx) }, order);
    if (shift !== 0) scrollBy(shift * rowPx);
  });
}
