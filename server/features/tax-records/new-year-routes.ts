import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { autoCreateAnswer, autoCreateBody, checkYearAnswer } from '#shared/api/tax-records.ts';
import { presentSingle } from '#server/http/present.ts';
import { type SessionGuards, viewerOf } from '#server/http/session.ts';
import type { NewYearService } from './new-year-service.ts';

const tags = ['Tahun baru'];

/** Specification 8. */
function madeText(made: { count: number; year: number; outstandingCount: number; newYearCount: number }): string {
  const text = `Berhasil membuat ${made.count} data PBB untuk tahun ${made.year}`;
  if (made.outstandingCount === 0) return text;
  return `${text} (${made.outstandingCount} tunggakan, ${made.newYearCount} data baru)`;
}

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
        const message = made.autoCreated ? madeText(made) : `Data PBB tahun ${made.year} sudah lengkap`;
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
        return presentBoth(madeText(made), made);
      },
    );
  };
  return plugin;
}
