import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { firstStepBody, firstStepsAnswer, firstStepTexts } from '#shared/api/first-steps.ts';
import { presentSingle } from '#server/http/present.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import type { FirstStepService } from './service.ts';

const tags = ['Langkah pertama (administrator)'];

export function firstStepRoutes(steps: FirstStepService, { requireAdmin }: SessionGuards) {
  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.addHook('onRequest', requireAdmin);

    app.get(
      '/admin/first-steps',
      {
        schema: {
          tags,
          summary: 'Langkah pertama kantor baru, menurut urutan, dan apakah sudah selesai',
          response: { 200: firstStepsAnswer },
        },
      },
      async (request) => presentSingle('Langkah pertama', steps.list(requireCurrentUser(request))),
    );
    app.put(
      '/admin/first-steps/:step',
      {
        config: { errors: { 404: firstStepTexts.missing, 422: firstStepTexts.stateInvalid } },
        schema: {
          tags,
          summary: 'Menyingkirkan sebuah langkah, atau menampilkannya lagi',
          description:
            'state: dismissed menyingkirkan, open menampilkan lagi, done hanya untuk qr_sheet (lembar QR sudah dicetak). Langkah password berlaku untuk akun sendiri, yang lain untuk seluruh kantor.',
          params: z.object({ step: z.string() }),
          body: firstStepBody,
          response: { 200: firstStepsAnswer },
        },
      },
      async (request) =>
        presentSingle(
          'Langkah pertama berhasil disimpan',
          await steps.change(requireCurrentUser(request), request.params.step, request.body.state),
        ),
    );
  };
  return plugin;
}
