import type { FastifyInstance } from 'fastify';
import { reportCalls } from '#shared/api/calls/reports.ts';
import { serveCalls } from '#server/http/serve-calls.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import type { readOverview } from './overview-queries.ts';
import { createOverviewService } from './overview-service.ts';
import { reportRoutes } from './routes.ts';
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
  serveCalls(app, guards, reportCalls, reportRoutes(createReportService(context), createOverviewService(context)));
}
