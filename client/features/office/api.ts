import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api.ts';
import type { OfficeHours } from '#shared/api/office.ts';
import type { ReportPeriod } from '#shared/domain/dates.ts';

/** What residents see of the office. */
export const officeQuery = queryOptions({
  queryKey: ['office', 'status'],
  queryFn: ({ signal }) => api.get('/office', { signal }),
  staleTime: 0,
});

/** The hours, for a page without a session. */
export const publicOfficeQuery = queryOptions({
  queryKey: ['office', 'public'],
  queryFn: ({ signal }) => api.get('/office/public', { signal }),
});

export const officeHoursQuery = queryOptions({
  queryKey: ['office', 'hours'],
  queryFn: ({ signal }) => api.get('/admin/office-hours', { signal }),
  staleTime: 0,
});

export const saveOfficeHours = (hours: OfficeHours) => api.put('/admin/office-hours', { body: hours });

export const chatStatisticsQuery = (range: ReportPeriod) =>
  queryOptions({
    queryKey: ['office', 'statistics', range],
    queryFn: ({ signal }) => api.get('/admin/chat-statistics', { query: { range }, signal }),
    // The numbers on screen stay until those of the next period arrive.
    placeholderData: keepPreviousData,
  });
