import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { reportPropertyAnswer, reportQuery, reportSummaryAnswer } from '#shared/api/reports.ts';
import { fieldTexts } from '#shared/texts.ts';
import { presentSingle } from '#server/http/present.ts';
import { type SessionGuards, requireCurrentUser } from '#server/http/session-guards.ts';
import type { ReportService } from './service.ts';

const tags = ['Laporan'];

export function reportRoutes(reports: ReportService, { requireSession }: SessionGuards) {
  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.get(
      '/reports/summary',
      {
        onRequest: requireSession,
        config: { errors: { 422: fieldTexts.periodInvalid } },
        schema: {
          tags,
          summary: 'Ringkasan pajak sendiri dalam satu periode',
          querystring: reportQuery,
          response: { 200: reportSummaryAnswer },
        },
      },
      async (request) =>
        presentSingle(
          'Ringkasan laporan',
          await reports.summary(requireCurrentUser(request).id, request.query.dateRange),
        ),
    );
    app.get(
      '/reports/property',
      {
        onRequest: requireSession,
        config: { errors: { 422: fieldTexts.periodInvalid } },
        schema: {
          tags,
          summary: 'Pajak sendiri menurut jenis properti dalam satu periode',
          querystring: reportQuery,
          response: { 200: reportPropertyAnswer },
        },
      },
      async (request) =>
        presentSingle(
          'Laporan jenis properti',
          await reports.property(requireCurrentUser(request).id, request.query.dateRange),
        ),
    );
  };
  return plugin;
}
