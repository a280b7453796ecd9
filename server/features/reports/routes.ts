import type { FastifyInstance } from 'fastify';
import { reportCalls } from '#shared/api/calls/reports.ts';
import { presentSingle } from '#server/http/answers/present.ts';
import { serveCalls } from '#server/http/serve-calls.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import type { readOverview } from './overview-queries.ts';
import { createOverviewService } from './overview-service.ts';
import { createReportService } from './service.ts';
import type { readSummary, readPropertyStatistics } from './queries.ts';

declare module '#server/service-context.ts' {
  interface WorkerQueryMap {
    reportSummary: typeof readSummary;
    reportProperty: typeof readPropertyStatistics;
    reportOverview: typeof readOverview;
  }
}

/** Adds the reports on the own records, and the one on all records. */
export function registerReports(app: FastifyInstance, { context, guards }: FeatureDeps): void {
  const reports = createReportService(context);
  const overviews = createOverviewService(context);
  serveCalls(app, guards, reportCalls, {
    'GET /reports/summary': async ({ currentUser, query }) =>
      presentSingle('Ringkasan laporan', await reports.summary(currentUser.id, query.dateRange)),
    'GET /reports/property': async ({ currentUser, query }) =>
      presentSingle('Laporan jenis properti', await reports.property(currentUser.id, query.dateRange)),
    'GET /admin/reports/overview': async ({ currentUser, query }) =>
      presentSingle('Laporan seluruh data', await overviews.overview(query, currentUser.id)),
  });
}
