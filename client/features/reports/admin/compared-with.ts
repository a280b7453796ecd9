import { formatDateRange, formatNumber } from '#client/lib/format.ts';
import type { ReportOverview } from '#shared/api/reports.ts';

/** The comparison of an amount with that of the period before, in words. */
export function comparedWith(now: number, before: number): string {
  if (before === 0) return now === 0 ? 'sama' : 'sebelumnya tidak ada';
  const percent = Math.round(((now - before) / before) * 1000) / 10;
  if (percent === 0) return 'hampir sama';
  return percent > 0 ? `naik ${formatNumber(percent)}%` : `turun ${formatNumber(-percent)}%`;
}

/** The period as far as it has gone, for which `received.previous` has the same days of the period before (R-REPORT-30). */
export function periodSoFar({ period: { from, to } }: ReportOverview, today: string): string {
  return formatDateRange({ fromDate: from, toDate: from <= today && today < to ? today : to });
}

/** The two ranges that are compared: '1 Jan–23 Nov 2026 dibanding 1 Jan–23 Nov 2025'. */
export function comparedRanges(overview: ReportOverview, today: string): string {
  const { from: fromDate, to: toDate } = overview.received.previous;
  return `${periodSoFar(overview, today)} dibanding ${formatDateRange({ fromDate, toDate })}`;
}
