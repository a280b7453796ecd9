import { queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api.ts';
import { ApiError, messageOf } from '#client/lib/api-error.ts';
import type { ReportPeriod } from '#shared/domain/dates.ts';

/**
 * Specification 2.3: a tab's data is cached while the page is open, and reloaded when the period changes. So an answer is dropped
 * as soon as nobody shows it (another period, another page): who comes back after paying must see it. Five minutes, not for ever,
 * because a page is sometimes left open over lunch.
 */
const pageCache = { staleTime: 5 * 60_000, gcTime: 0 };

/** The figures of the tab 'Ringkasan'. */
export const summaryQuery = (period: ReportPeriod) =>
  queryOptions({
    queryKey: ['reports', 'summary', period],
    queryFn: ({ signal }) => api.get('/reports/summary', { query: { dateRange: period }, signal }),
    ...pageCache,
  });

/** The rows of the tab 'Jenis Properti'. */
export const propertyQuery = (period: ReportPeriod) =>
  queryOptions({
    queryKey: ['reports', 'property', period],
    queryFn: ({ signal }) => api.get('/reports/property', { query: { dateRange: period }, signal }),
    ...pageCache,
  });

/** What the page says when a tab's data does not come (specification 8): the server's word, else whose fault it was. */
export function loadErrorText(error: unknown, tab: 'summary' | 'property'): string {
  const answered = error instanceof ApiError && (error.kind === 'http' || error.kind === 'format');
  if (!answered) return 'Terjadi kesalahan saat memuat data laporan';
  return messageOf(error, tab === 'summary' ? 'Gagal memuat data ringkasan' : 'Gagal memuat data properti');
}
