import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { recordAnswer, recordParams } from '#shared/api/tax-records.ts';
import { proofFromMessageBody } from '#shared/api/verification.ts';
import { checkTexts, errorTexts } from '#shared/texts.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import { presentOne } from '../routes.ts';
import type { UploadLinks } from '#server/uploads/upload-links.ts';
import type { ProofFromMessage } from './from-message-service.ts';

type Services = { own: ProofFromMessage; all: ProofFromMessage; links: UploadLinks };

/** Photos of the chat as proofs: of the own records, and for admins of all. */
export function fromMessageRoutes({ own, all, links }: Services, { requireSession, requireAdmin }: SessionGuards) {
  const calls = [
    { path: '/tax-records', guard: requireSession, proofs: own, tags: ['Data PBB'] },
    { path: '/admin/tax-records', guard: requireAdmin, proofs: all, tags: ['Data pajak (admin)'] },
  ] as const;

  const plugin: FastifyPluginAsyncZod = async (app) => {
    for (const { path, guard, proofs, tags } of calls) {
      app.post(
        `${path}/:id/payment-proof/from-message`,
        {
          onRequest: guard,
          config: {
            errors: {
              404: checkTexts.photoMissing,
              409: errorTexts.conflict,
              415: errorTexts.proofNotImage,
              429: errorTexts.rateLimited(10),
            },
          },
          schema: {
            tags: [...tags],
            summary: 'Menyimpan foto dari percakapan sebagai bukti pembayaran',
            description:
              'attachment_id: foto JPG, PNG, atau GIF dari percakapan pemilik data. Yang disimpan adalah salinannya. status dan payment_date seperti pada perubahan data; tanpa status, status tidak berubah.',
            params: recordParams,
            body: proofFromMessageBody,
            response: { 200: recordAnswer },
          },
        },
        async (request) => {
          const row = await proofs.file(requireCurrentUser(request), request.params.id, request.body);
          return presentOne(links, request, 'Foto disimpan sebagai bukti pembayaran', row);
        },
      );
    }
  };
  return plugin;
}
