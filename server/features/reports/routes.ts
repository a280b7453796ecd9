import type { reportCalls } from '#shared/api/calls/reports.ts';
import { presentSingle } from '#server/http/answers/present.ts';
import type { Handlers } from '#server/http/serve-calls.ts';
import type { OverviewService } from './overview-service.ts';
import type { ReportService } from './service.ts';

export function reportRoutes(reports: ReportService, overviews: OverviewService): Handlers<typeof reportCalls> {
  return {
    'GET /reports/summary': async ({ currentUser, query }) =>
      presentSingle('Ringkasan laporan', await reports.summary(currentUser.id, query.dateRange)),
    'GET /reports/property': async ({ currentUser, query }) =>
      presentSingle('Laporan jenis properti', await reports.property(currentUser.id, query.dateRange)),
    'GET /admin/reports/overview': async ({ currentUser, query }) =>
      presentSingle('Laporan seluruh data', await overviews.overview(query, currentUser.id)),
  };
}
