import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { autoCreateAnswer, autoCreateBody, checkYearAnswer } from '#shared/api/tax-records.ts';
import { newYearText } from '#shared/texts.ts';
import { presentSingle } from '#server/http/present.ts';
import { type SessionGuards, viewerOf } from '#server/http/session.ts';
import type { NewYearService } from './new-year-service.ts';

const tags = ['Tahun baru'];

/** These answers carry their fields at the top level too (contract 2). */
function presentBoth<T extends object>(message: string, fields: T) {
  return { ...presentSingle(message, fields), ...fields };
}

export function newYearRoutes(newYear: NewYearService, { requireSession }: SessionGuards) {
  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.get(
      '/tax-records/check-year',
      {
        onRequest: requireSession,
        schema: {
          tags,
          summary: 'Pergantian tahun: buat data tahun ini dari data tahun lalu bila belum ada',
          response: { 200: checkYearAnswer },
        },
      },
      async (request) => {
        const made = await newYear.checkYear(viewerOf(request));
        const message = made.autoCreated ? newYearText(made, made.year) : `Data PBB tahun ${made.year} sudah lengkap`;
        return presentBoth(message, { autoCreated: made.autoCreated, count: made.count });
      },
    );
    app.post(
      '/tax-records/auto-create',
      {
        onRequest: requireSession,
        schema: {
          tags,
          summary: 'Buat data tahun baru dari data tahun sebelumnya',
          body: autoCreateBody,
          response: { 200: autoCreateAnswer },
        },
      },
      async (request) => {
        const made = await newYear.autoCreate(viewerOf(request), request.body?.year);
        return presentBoth(newYearText(made, made.year), made);
      },
    );
  };
  return plugin;
}
