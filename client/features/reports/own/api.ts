import { percentShares } from '#shared/domain/money/shares.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api/api.ts';
import type { PropertyStatistics } from '#shared/api/reports.ts';
import type { ReportPeriod } from '#shared/domain/dates/dates.ts';

/**
 * R-REPORT-5: five minutes, because a page may stay open for hours. An answer that is no longer shown is dropped at once: after
 * a payment and the way back, the user must see the new totals.
 */
const pageCache = { staleTime: 5 * 60_000, gcTime: 0 };

/** The totals of the tab 'Ringkasan'. */
export const summaryQuery = (period: ReportPeriod) =>
  queryOptions({
    queryKey: ['reports', 'summary', period],
    queryFn: ({ signal }) => api.get('/reports/summary', { query: { dateRange: period }, signal }),
    ...pageCache,
  });

/** Each answered percentage is rounded alone; what is shown adds up to 100 (R-REPORT-31). */
function withShares(rows: readonly PropertyStatistics[]): PropertyStatistics[] {
  const shares = percentShares(
    rows.map(({ amount }) => amount),
    1,
  );
  return rows.map((row, index) => ({ ...row, percentage: shares[index] ?? 0 }));
}

/** The rows of the tab 'Jenis Properti'. */
export const propertyQuery = (period: ReportPeriod) =>
  queryOptions({
    queryKey: ['reports', 'property', period],
    queryFn: ({ signal }) => api.get('/reports/property', { query: { dateRange: period }, signal }),
    select: withShares,
    ...pageCache,
  });
