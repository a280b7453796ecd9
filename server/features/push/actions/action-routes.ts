import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { pushActionAnswer, pushActionBody, pushTexts } from '#shared/api/push.ts';
import { SESSIONLESS_JSON_MAX_BYTES } from '#shared/limits.ts';
import { errorTexts, inboxTexts } from '#shared/texts.ts';
import { presentSingle } from '#server/http/present.ts';
import type { ActionService } from './action-service.ts';

export function pushActionRoutes(actions: ActionService) {
  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.post(
      '/push/actions',
      {
        bodyLimit: SESSIONLESS_JSON_MAX_BYTES,
        config: {
          errors: {
            403: pushTexts.actionRefused,
            404: errorTexts.userMissing,
            409: inboxTexts.answered('Ratna'),
            429: errorTexts.rateLimited(30),
          },
        },
        schema: {
          tags: ['Notifikasi'],
          summary: 'Tombol pada notifikasi: menandai dibaca, atau membalas',
          description:
            'action_token dari notifikasi berlaku untuk satu percakapan dan satu sesi, selama sesi itu berlaku dan pesannya masih ada. Membalas juga menandai dibaca, dan aman diulang dengan client_id yang sama. Selain itu 403.',
          security: [],
          body: pushActionBody,
          response: { 200: pushActionAnswer },
        },
      },
      async (request) => {
        const { body } = request;
        const done = await actions.act(body);
        return presentSingle(body.action === 'reply' ? 'Pesan terkirim' : 'Percakapan ditandai sudah dibaca', done);
      },
    );
  };
  return plugin;
}
