/** Counts events per key in one fixed window for all keys: clearing all counts at once is cheap, and no count stays in memory. */
export function createWindowCounter(windowMs: number, monotonicNow: () => number) {
  const counts = new Map<string, number>();
  let windowStart = monotonicNow();
  const clearOld = (): void => {
    const at = monotonicNow();
    if (at - windowStart < windowMs) return;
    windowStart = at;
    counts.clear();
  };
  return {
    /** The count of a key in this window. */
    countOf(key: string): number {
      clearOld();
      return counts.get(key) ?? 0;
    },
    /** @returns the count with this event */
    add(key: string): number {
      clearOld();
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count;
    },
  };
}
