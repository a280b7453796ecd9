import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { doneAnswer, idParams } from '#shared/api/envelope.ts';
import {
  fillAnswer,
  fillBody,
  quickRepliesAnswer,
  quickReplyAnswer,
  quickReplyBody,
  quickReplyTexts,
  updateQuickReplyBody,
} from '#shared/api/quick-replies.ts';
import { presentSingle } from '#server/http/present.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import { presentQuickReply } from './present.ts';
import type { QuickReplyService } from './service.ts';

const tags = ['Balasan cepat (administrator)'];
const shortcutTaken = quickReplyTexts.shortcutTaken('salam');

export function quickReplyRoutes(replies: QuickReplyService, { requireAdmin }: SessionGuards) {
  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.addHook('onRequest', requireAdmin);

    app.get(
      '/admin/quick-replies',
      {
        schema: {
          tags,
          summary: 'Balasan bersama dan milik sendiri, menurut singkatan',
          response: { 200: quickRepliesAnswer },
        },
      },
      async (request) =>
        presentSingle('Balasan cepat', replies.list(requireCurrentUser(request)).map(presentQuickReply)),
    );
    app.post(
      '/admin/quick-replies',
      {
        config: { errors: { 409: shortcutTaken } },
        schema: {
          tags,
          summary: 'Menambah balasan cepat',
          description: 'personal: hanya untuk diri sendiri; admin lain tidak melihatnya.',
          body: quickReplyBody,
          response: { 201: quickReplyAnswer },
        },
      },
      async (request, reply) => {
        const created = await replies.create(requireCurrentUser(request), request.body);
        return reply.code(201).send(presentSingle('Balasan cepat disimpan', presentQuickReply(created)));
      },
    );
    app.put(
      '/admin/quick-replies/:id',
      {
        config: { errors: { 404: quickReplyTexts.missing, 409: shortcutTaken } },
        schema: {
          tags,
          summary: 'Mengubah balasan cepat',
          params: idParams,
          body: updateQuickReplyBody,
          response: { 200: quickReplyAnswer },
        },
      },
      async (request) => {
        const updated = await replies.update(requireCurrentUser(request), request.params.id, request.body);
        return presentSingle('Balasan cepat disimpan', presentQuickReply(updated));
      },
    );
    app.delete(
      '/admin/quick-replies/:id',
      {
        config: { errors: { 404: quickReplyTexts.missing } },
        schema: { tags, summary: 'Menghapus balasan cepat', params: idParams, response: { 200: doneAnswer } },
      },
      async (request) => {
        await replies.remove(requireCurrentUser(request), request.params.id);
        return presentSingle('Balasan cepat dihapus', {});
      },
    );
    app.post(
      '/admin/quick-replies/:id/fill',
      {
        config: { errors: { 404: quickReplyTexts.missing } },
        schema: {
          tags,
          summary: 'Teks balasan untuk satu warga, dengan angka sebenarnya',
          description:
            'Yang tidak ada nilainya dan isian {?teks} tetap di dalam teks dan disebut di missing, tanpa kurung kurawal.',
          params: idParams,
          body: fillBody,
          response: { 200: fillAnswer },
        },
      },
      async (request) =>
        presentSingle('Balasan cepat', replies.fill(requireCurrentUser(request), request.params.id, request.body)),
    );
  };
  return plugin;
}
