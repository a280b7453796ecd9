import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '#server/http/http-server.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import type { readOverview } from './overview-queries.ts';
import { overviewRoutes } from './overview-routes.ts';
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
export async function registerReports(app: FastifyInstance, { context, guards }: FeatureDeps): Promise<void> {
  await app.register(reportRoutes(createReportService(context), guards), { prefix: API_PREFIX });
  await app.register(overviewRoutes(createOverviewService(context), guards), { prefix: API_PREFIX });
}
