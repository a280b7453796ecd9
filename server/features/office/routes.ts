import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  chatStatisticsAnswer,
  chatStatisticsQuery,
  officeAnswer,
  officeHoursAnswer,
  officeHoursBody,
  publicOfficeAnswer,
} from '#shared/api/office.ts';
import { officeTexts } from '#shared/domain/office-days.ts';
import { errorTexts, fieldTexts } from '#shared/texts.ts';
import { presentSingle } from '#server/http/present.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import type { OfficeService } from './service.ts';

const tags = ['Jam layanan'];

export function officeRoutes(office: OfficeService, { requireSession, requireAdmin }: SessionGuards) {
  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.get(
      '/office',
      {
        onRequest: requireSession,
        schema: {
          tags,
          summary: 'Apakah kantor buka, lama tunggu yang biasa, dan antrean sendiri',
          response: { 200: officeAnswer },
        },
      },
      async (request) => presentSingle('Status kantor', await office.current(requireCurrentUser(request))),
    );
    app.get(
      '/office/public',
      {
        config: { errors: { 429: errorTexts.rateLimited(60) } },
        schema: {
          tags,
          summary: 'Jam layanan kantor untuk siapa saja, juga tanpa login',
          description: 'days bernilai null selama jam layanan belum diisi. Boleh disimpan browser selama satu menit.',
          security: [],
          response: { 200: publicOfficeAnswer },
        },
      },
      async (request, reply) => {
        const hours = office.publicHours(request.ip);
        void reply.header('cache-control', 'public, max-age=60');
        return presentSingle('Jam layanan', hours);
      },
    );
    app.get(
      '/admin/office-hours',
      { onRequest: requireAdmin, schema: { tags, summary: 'Jam layanan', response: { 200: officeHoursAnswer } } },
      async () => presentSingle('Jam layanan', office.hours()),
    );
    app.put(
      '/admin/office-hours',
      {
        onRequest: requireAdmin,
        config: { errors: { 422: officeTexts.daysIncomplete } },
        schema: {
          tags,
          summary: 'Menyimpan jam layanan',
          description: 'weekday: 1 Senin sampai 7 Minggu. closed_today: tutup sejak sekarang sampai hari ini berakhir.',
          body: officeHoursBody,
          response: { 200: officeHoursAnswer },
        },
      },
      async (request) =>
        presentSingle(
          'Jam layanan berhasil disimpan',
          await office.saveHours(requireCurrentUser(request), request.body),
        ),
    );
    app.get(
      '/admin/chat-statistics',
      {
        onRequest: requireAdmin,
        config: { errors: { 422: fieldTexts.periodInvalid } },
        schema: {
          tags,
          summary: 'Layanan chat per hari dan per admin',
          description:
            'incoming: pesan warga; answered: balasan pertama atas pesan yang menunggu. Lama tunggu dihitung dalam jam buka. waiting: yang menunggu sekarang, longest_ms menurut jam; null bila tidak ada.',
          querystring: chatStatisticsQuery,
          response: { 200: chatStatisticsAnswer },
        },
      },
      async (request) =>
        presentSingle('Layanan chat', await office.statistics(request.query.range, requireCurrentUser(request).id)),
    );
  };
  return plugin;
}
