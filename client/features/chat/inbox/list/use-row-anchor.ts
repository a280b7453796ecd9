import { useLayoutEffect, useRef } from 'react';

/** Enough to tell a row that jumped to the top by itself from a list that moved as a whole. */
const WATCHED_ROWS = 3;

type Seen = { order: readonly string[]; first: number };

/** By how many rows what is on the screen has moved, whichever single row among it was the one that jumped. */
function shiftOf(before: Seen, order: readonly string[]): number {
  const shifts = before.order
    .slice(before.first, before.first + WATCHED_ROWS)
    .flatMap((id, index) => {
      const now = order.indexOf(id);
      return now === -1 ? [] : [now - (before.first + index)];
    })
    .toSorted((a, b) => a - b);
  return shifts[Math.floor(shifts.length / 2)] ?? 0;
}

type Scroller = { top: () => number; moveBy: (px: number) => void };

/** Keeps what is being looked at where it is while rows above it come and go; at the very top the newest stays in view. */
export function useRowAnchor({ top, moveBy }: Scroller, order: readonly string[], rowPx: number): void {
  const before = useRef(order);
  useLayoutEffect(() => {
    const known = before.current;
    before.current = order;
    const topPx = top();
    if (known === order || topPx < rowPx / 2) return;
    const shift = shiftOf({ order: known, first: Math.floor(topPx / rowPx) }, order);
    if (shift !== 0) moveBy(shift * rowPx);
  });
}
