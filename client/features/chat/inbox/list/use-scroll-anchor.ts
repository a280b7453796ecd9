import { useLayoutEffect, useRef } from 'react';

/** Enough to tell a row that jumped to the top by itself from a list that moved as a whole. */
const SAMPLED_ROWS = 3;

type RowsInView = { order: readonly string[]; first: number };

/** By how many rows what is on the screen has moved, whichever single row among it was the one that jumped. */
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

/** Keeps what is being looked at where it is while rows above it come and go; at the very top the newest stays in view. */
export function useScrollAnchor({ getScrollTop, scrollBy }: Scroller, order: readonly string[], rowPx: number): void {
  const before = useRef(order);
  useLayoutEffect(() => {
    const known = before.current;
    before.current = order;
    const topPx = getScrollTop();
    if (known === order || topPx < rowPx / 2) return;
    const shift = rowShift({ order: known, first: Math.floor(topPx / rowPx) }, order);
    if (shift !== 0) scrollBy(shift * rowPx);
  });
}
