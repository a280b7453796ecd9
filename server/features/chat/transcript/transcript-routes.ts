import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { conversationParams } from '#shared/api/chat.ts';
import { transcriptAnswer, transcriptQuery } from '#shared/api/inbox.ts';
import { errorTexts, fieldTexts } from '#shared/texts.ts';
import { listCallerOf, sendEncoded } from '#server/http/list-caller.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import type { TranscriptService } from './transcript-service.ts';

export function transcriptRoutes(transcripts: TranscriptService, { requireAdmin }: SessionGuards) {
  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.get(
      '/admin/conversations/:userId/transcript',
      {
        onRequest: requireAdmin,
        config: { errors: { 404: errorTexts.userMissing, 422: fieldTexts.transcriptPeriodInvalid } },
        schema: {
          tags: ['Obrolan'],
          summary: 'Transkrip percakapan untuk dicetak',
          description:
            'from, to: yyyy-mm-dd, batasnya ikut terhitung. Yang terlalu panjang kehilangan pesan tertua; omitted menyebut jumlahnya.',
          params: conversationParams,
          querystring: transcriptQuery,
          response: { 200: transcriptAnswer },
        },
      },
      async (request, reply) => {
        const { params, query } = request;
        const caller = listCallerOf(request, reply);
        return sendEncoded(reply, await transcripts.encode(requireCurrentUser(request), params.userId, query, caller));
      },
    );
  };
  return plugin;
}
