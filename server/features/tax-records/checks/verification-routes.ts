import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { recordAnswer, recordParams, verificationsAnswer } from '#shared/api/tax-records.ts';
import { undoVerificationBody, verificationBody, verificationsQuery } from '#shared/api/verification.ts';
import { errorTexts } from '#shared/texts.ts';
import { listCallerOf, sendEncoded } from '#server/http/list-caller.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import type { UploadLinks } from '#server/uploads/upload-links.ts';
import { presentOne } from '../routes.ts';
import type { VerificationService } from './verification-service.ts';

const tags = ['Data pajak (admin)'];
const errors = { 404: errorTexts.adminRecordMissing, 409: errorTexts.conflict };

/** The check of reported payments, for admins (R-CHECK). */
export function verificationRoutes(
  verifications: VerificationService,
  links: UploadLinks,
  { requireAdmin }: SessionGuards,
) {
  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.get(
      '/admin/verifications',
      {
        onRequest: requireAdmin,
        schema: {
          tags,
          summary: 'Laporan pembayaran warga menurut hasil pencocokan',
          description:
            'Tanpa state: pending, yang menunggu dicocokkan, laporan terlama lebih dulu. matched, rejected, outdated: pencocokan terbaru lebih dulu. sums: banyaknya dan jumlah rupiah setiap keadaan; unpaid: yang cocok tetapi belum lunas.',
          querystring: verificationsQuery,
          response: { 200: verificationsAnswer },
        },
      },
      async (request, reply) => {
        const caller = listCallerOf(request, reply);
        return sendEncoded(reply, await verifications.encodeList(requireCurrentUser(request), request.query, caller));
      },
    );
    app.post(
      '/admin/tax-records/:id/verification',
      {
        onRequest: requireAdmin,
        config: { errors },
        schema: {
          tags,
          summary: 'Mencocokkan laporan pembayaran',
          description:
            'rejected memerlukan reason, yang juga disampaikan kepada warga lewat chat. Status hanya berubah bila dikirim: lunas dengan payment_date untuk matched, belum_lunas untuk rejected.',
          params: recordParams,
          body: verificationBody,
          response: { 200: recordAnswer },
        },
      },
      async (request) => {
        const row = await verifications.check(requireCurrentUser(request), request.params.id, request.body);
        return presentOne(links, request, 'Hasil pencocokan disimpan', row);
      },
    );
    app.delete(
      '/admin/tax-records/:id/verification',
      {
        onRequest: requireAdmin,
        config: { errors },
        schema: {
          tags,
          summary: 'Membatalkan pencocokan dan status yang diubah bersamanya; laporannya menunggu lagi',
          params: recordParams,
          body: undoVerificationBody,
          response: { 200: recordAnswer },
        },
      },
      async (request) => {
        const { params, body } = request;
        const row = await verifications.undo(requireCurrentUser(request), params.id, body.updated_at);
        return presentOne(links, request, 'Pencocokan dibatalkan', row);
      },
    );
  };
  return plugin;
}
