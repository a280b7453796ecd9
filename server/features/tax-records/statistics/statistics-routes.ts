import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { adminStatisticsAnswer, ownStatisticsAnswer, recordParams } from '#shared/api/tax-records.ts';
import { presentSingle } from '#server/http/present.ts';
import { type SessionGuards, requireCurrentUser } from '#server/http/session-guards.ts';
import type { StatisticsService } from './statistics-service.ts';

const tags = ['Statistik'];

export function statisticsRoutes(statistics: StatisticsService, { requireSession, requireAdmin }: SessionGuards) {
  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.get(
      '/tax-records/statistics',
      {
        onRequest: requireSession,
        schema: { tags, summary: 'Statistik data PBB sendiri', response: { 200: ownStatisticsAnswer } },
      },
      async (request) =>
        presentSingle('Statistik data PBB', await statistics.ownStatistics(requireCurrentUser(request).id)),
    );
    app.get(
      '/admin/users/:id/statistics',
      {
        onRequest: requireAdmin,
        schema: {
          tags: ['Kelola user (administrator)'],
          summary: 'Statistik data PBB seorang pengguna',
          params: recordParams,
          response: { 200: ownStatisticsAnswer },
        },
      },
      async ({ params }) => presentSingle('Statistik data PBB', await statistics.statisticsOfUser(params.id)),
    );
    app.get(
      '/admin/statistics',
      {
        onRequest: requireAdmin,
        schema: { tags, summary: 'Statistik seluruh kantor', response: { 200: adminStatisticsAnswer } },
      },
      async () => presentSingle('Statistik seluruh data', await statistics.adminStatistics()),
    );
  };
  return plugin;
}
