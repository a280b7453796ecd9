import { formatNumber } from '#client/lib/format.ts';

/** How an amount of this period compares with that of the period before, in words. */
export function comparedWith(now: number, before: number): string {
  if (before === 0) return now === 0 ? 'sama' : 'sebelumnya tidak ada';
  const percent = Math.round(((now - before) / before) * 1000) / 10;
  if (percent === 0) return 'hampir sama';
  return percent > 0 ? `naik ${formatNumber(percent)}%` : `turun ${formatNumber(-percent)}%`;
}
