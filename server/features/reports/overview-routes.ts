import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { overviewQuery, reportOverviewAnswer } from '#shared/api/reports.ts';
import { fieldTexts } from '#shared/texts.ts';
import { presentSingle } from '#server/http/present.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import type { OverviewService } from './overview-service.ts';

export function overviewRoutes(reports: OverviewService, { requireAdmin }: SessionGuards) {
  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.get(
      '/admin/reports/overview',
      {
        onRequest: requireAdmin,
        config: { errors: { 422: fieldTexts.periodInvalid } },
        schema: {
          tags: ['Laporan'],
          summary: 'Penerimaan satu periode, belum lunas, dan tunggakan seluruh data',
          description: 'from dan to: yyyy-mm-dd, keduanya ikut terhitung; tanpa keduanya: tahun kalender ini.',
          querystring: overviewQuery,
          response: { 200: reportOverviewAnswer },
        },
      },
      async (request) =>
        presentSingle('Laporan seluruh data', await reports.overview(request.query, requireCurrentUser(request).id)),
    );
  };
  return plugin;
}
