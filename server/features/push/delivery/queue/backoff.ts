/**
 * How long to wait after so many failures in a row: twice as long each time, a quarter more or less, so that what failed together
 * is not tried together.
 * @param random between 0 and 1
 */
export function backoffMs(
  failures: number,
  { firstMs, maxMs }: { firstMs: number; maxMs: number },
  random: number,
): number {
  return Math.min(maxMs, firstMs * 2 ** Math.max(0, failures - 1)) * (0.75 + random / 2);
}
