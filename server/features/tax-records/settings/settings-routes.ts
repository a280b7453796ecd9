import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { recordSettingsAnswer, recordSettingsBody } from '#shared/api/record-settings.ts';
import { fieldTexts } from '#shared/texts.ts';
import { presentSingle } from '#server/http/present.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import type { RecordSettingsService } from './settings-service.ts';

const tags = ['Tahun baru'];

export function recordSettingsRoutes(settings: RecordSettingsService, { requireAdmin }: SessionGuards) {
  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.get(
      '/admin/record-settings',
      {
        onRequest: requireAdmin,
        schema: {
          tags,
          summary: 'Tahun pajak yang dapat diisi warga, dan cara tahun baru',
          response: { 200: recordSettingsAnswer },
        },
      },
      async () => presentSingle('Pengaturan data PBB', settings.current()),
    );
    app.put(
      '/admin/record-settings',
      {
        onRequest: requireAdmin,
        config: { errors: { 422: fieldTexts.taxYearsInvalid } },
        schema: {
          tags,
          summary: 'Menyimpan tahun pajak warga dan cara tahun baru',
          description:
            'user_years: 1 sampai 6 tahun berbeda, dari 2020 sampai tahun depan. rollover: automatic membuat data tahun baru sendiri, offer hanya menawarkannya. Bidang yang tidak dikirim tidak berubah.',
          body: recordSettingsBody,
          response: { 200: recordSettingsAnswer },
        },
      },
      async (request) =>
        presentSingle(
          'Pengaturan data PBB berhasil disimpan',
          await settings.save(requireCurrentUser(request), request.body),
        ),
    );
  };
  return plugin;
}
