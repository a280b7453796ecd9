import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { doneAnswer, idParams } from '#shared/api/envelope.ts';
import { noticesAnswer, noticeTexts } from '#shared/api/notices.ts';
import { presentSingle } from '#server/http/present.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import { presentNotice } from './present.ts';
import type { NoticeService } from './service.ts';

const tags = ['Pemberitahuan (administrator)'];

export function noticeRoutes(notices: NoticeService, { requireAdmin }: SessionGuards) {
  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.addHook('onRequest', requireAdmin);

    app.get(
      '/admin/notices',
      {
        schema: {
          tags,
          summary: 'Yang dilakukan administrator lain dan belum Anda tandai sudah dilihat, terbaru lebih dulu',
          description:
            'Paling banyak sepuluh: administrator yang dibuat, diubah, atau dihapus, dan cadangan yang diunduh.',
          response: { 200: noticesAnswer },
        },
      },
      async (request) =>
        presentSingle('Pemberitahuan', notices.listUnseen(requireCurrentUser(request)).map(presentNotice)),
    );
    app.post(
      '/admin/notices/:id/seen',
      {
        config: { errors: { 404: noticeTexts.missing } },
        schema: {
          tags,
          summary: 'Menandai sebuah pemberitahuan dan semua yang lebih lama sudah dilihat',
          params: idParams,
          response: { 200: doneAnswer },
        },
      },
      async (request) => {
        await notices.markSeen(requireCurrentUser(request), request.params.id);
        return presentSingle('Pemberitahuan ditandai sudah dilihat', {});
      },
    );
  };
  return plugin;
}
