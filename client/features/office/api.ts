import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api/api.ts';
import { toFormData } from '#client/lib/api/form-data.ts';
import type { OfficeHours } from '#shared/api/office/office.ts';
import type { OfficeIdentity } from '#shared/api/office/office-identity.ts';
import type { OfficePeriod } from '#shared/domain/dates/dates.ts';

export type IdentityTexts = Omit<OfficeIdentity, 'logo_url'>;

/** The state of the office as users see it. */
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

/** The identity with what another admin changed, for the form. */
export const officeIdentityQuery = queryOptions({
  queryKey: ['office', 'identity'],
  queryFn: ({ signal }) => api.get('/admin/office-identity', { signal }),
  staleTime: 0,
});

export const saveOfficeIdentity = (identity: Partial<IdentityTexts>) =>
  api.put('/admin/office-identity', { body: identity });
export const sendLogo = (logo: File) => api.postForm('/admin/office-identity/logo', { form: toFormData({ logo }) });
export const removeLogo = () => api.delete('/admin/office-identity/logo');

export const saveOfficeHours = (hours: OfficeHours) => api.put('/admin/office-hours', { body: hours });

export const chatStatisticsQuery = (range: OfficePeriod) =>
  queryOptions({
    queryKey: ['office', 'statistics', range],
    queryFn: ({ signal }) => api.get('/admin/chat-statistics', { query: { range }, signal }),
    // The numbers on screen stay until those of the next period arrive.
    placeholderData: keepPreviousData,
  });
