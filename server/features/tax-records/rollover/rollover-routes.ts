import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { autoCreateAnswer, autoCreateBody, checkYearAnswer } from '#shared/api/tax-records.ts';
import { rolloverText } from '#shared/rollover-texts.ts';
import { errorTexts, fieldTexts } from '#shared/texts.ts';
import { presentSingle } from '#server/http/present.ts';
import { type SessionGuards, requireCurrentUser } from '#server/http/session-guards.ts';
import type { RolloverService } from './rollover-service.ts';

const tags = ['Tahun baru'];

/** These answers carry their fields at the top level too (R-API-4). */
function presentNestedAndFlat<T extends object>(message: string, fields: T) {
  return { ...presentSingle(message, fields), ...fields };
}

export function rolloverRoutes(rollover: RolloverService, { requireSession }: SessionGuards) {
  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.get(
      '/tax-records/check-year',
      {
        onRequest: requireSession,
        // It reads and may write.
        config: { errors: { 403: errorTexts.forbidden, 507: errorTexts.storageFull } },
        schema: {
          tags,
          summary: 'Pergantian tahun: buat data tahun ini dari data tahun lalu bila belum ada',
          response: { 200: checkYearAnswer },
        },
      },
      async (request) => {
        const created = await rollover.checkYear(requireCurrentUser(request));
        const { autoCreated, count, leftOutCount, year } = created;
        const isComplete = !autoCreated && leftOutCount === 0;
        const message = isComplete ? `Data PBB tahun ${year} sudah lengkap` : rolloverText(created, year);
        return presentNestedAndFlat(message, { autoCreated, count, leftOutCount });
      },
    );
    app.post(
      '/tax-records/auto-create',
      {
        onRequest: requireSession,
        config: { errors: { 422: fieldTexts.yearRange } },
        schema: {
          tags,
          summary: 'Buat data tahun baru dari data tahun sebelumnya',
          body: autoCreateBody,
          response: { 200: autoCreateAnswer },
        },
      },
      async (request) => {
        const created = await rollover.autoCreate(requireCurrentUser(request), request.body?.year);
        return presentNestedAndFlat(rolloverText(created, created.year), created);
      },
    );
  };
  return plugin;
}
