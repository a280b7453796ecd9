import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { messageSearchAnswer, messageSearchQuery } from '#shared/api/inbox.ts';
import { errorTexts } from '#shared/texts.ts';
import { listCallerOf, sendEncoded } from '#server/http/list-caller.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import type { MessageSearchService } from './search-service.ts';

const tags = ['Obrolan'];

export function searchRoutes(search: MessageSearchService, { requireAdmin, requireSession }: SessionGuards) {
  const schema = { tags, querystring: messageSearchQuery, response: { 200: messageSearchAnswer } };
  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.get(
      '/messages/search',
      {
        onRequest: requireSession,
        config: { errors: { 403: errorTexts.forbidden } },
        schema: {
          ...schema,
          summary: 'Mencari pesan di percakapan sendiri',
          description: 'user_id tidak dipakai di sini.',
        },
      },
      async (request, reply) => {
        const caller = listCallerOf(request, reply);
        return sendEncoded(reply, await search.encodeOwn(requireCurrentUser(request), request.query, caller));
      },
    );
    app.get(
      '/admin/messages/search',
      {
        onRequest: requireAdmin,
        schema: {
          ...schema,
          summary: 'Mencari di semua pesan, terbaru lebih dulu',
          description:
            'Setiap kata harus ada di pesan atau di nama pemilik percakapan; kata terakhir boleh belum lengkap. Dengan user_id hanya percakapan itu, dan hanya di pesan. marks: tempat di snippet, dihitung seperti di JavaScript.',
        },
      },
      async (request, reply) => {
        const caller = listCallerOf(request, reply);
        return sendEncoded(reply, await search.encodeAll(requireCurrentUser(request), request.query, caller));
      },
    );
  };
  return plugin;
}
