import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { autoCreateAnswer, autoCreateBody, checkYearAnswer } from '#shared/api/tax-records.ts';
import { formatNumber } from '#shared/domain/rupiah.ts';
import { BODY_MAX_BYTES } from '#shared/limits.ts';
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

function checkYearText(checked: Awaited<ReturnType<RolloverService['checkYear']>>): string {
  const { autoCreated, leftOutCount, offered, year } = checked;
  if (offered > 0) return `${formatNumber(offered)} data PBB tahun ${year} dapat dibuat dari data tahun ${year - 1}`;
  return autoCreated || leftOutCount > 0 ? rolloverText(checked, year) : `Data PBB tahun ${year} sudah lengkap`;
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
          description:
            'Dengan pengaturan offer tidak ada yang dibuat: offered menghitung yang dapat dibuat. Dengan automatic nilainya 0.',
          response: { 200: checkYearAnswer },
        },
      },
      async (request) => {
        const created = await rollover.checkYear(requireCurrentUser(request));
        const { autoCreated, count, leftOutCount, offered } = created;
        return presentNestedAndFlat(checkYearText(created), { autoCreated, count, leftOutCount, offered });
      },
    );
    app.post(
      '/tax-records/auto-create',
      {
        // As many records as one call may name take more room than an ordinary body.
        bodyLimit: BODY_MAX_BYTES,
        onRequest: requireSession,
        config: {
          errors: {
            404: errorTexts.recordMissing,
            409: errorTexts.newYearTaken('32.04.010.005.012-0034.0', 2026),
            422: fieldTexts.yearRange,
          },
        },
        schema: {
          tags,
          summary: 'Buat data tahun baru dari data tahun sebelumnya',
          description:
            'Tanpa records semua yang belum ada dibuat, dengan jumlah naik 10%. Dengan records hanya yang disebut, semuanya atau tidak satu pun. confirmed: jumlahnya sesuai SPPT, juga bila sama dengan perkiraan.',
          body: autoCreateBody,
          response: { 200: autoCreateAnswer },
        },
      },
      async (request) => {
        const created = await rollover.autoCreate(requireCurrentUser(request), request.body);
        return presentNestedAndFlat(rolloverText(created, created.year), created);
      },
    );
  };
  return plugin;
}
