import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { conversationParams } from '#shared/api/chat.ts';
import { claimBody, conversationStateAnswer, dismissBody, snoozeBody } from '#shared/api/inbox.ts';
import { errorTexts, inboxTexts } from '#shared/texts.ts';
import { presentSingle } from '#server/http/present.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import type { ConversationStates } from './state-service.ts';

const tags = ['Obrolan'];
const answers = { params: conversationParams, response: { 200: conversationStateAnswer } };
const unknownUser = { 404: errorTexts.userMissing };
const claimed = { errors: { ...unknownUser, 409: inboxTexts.claimed('Ratna') } };
const outdated = { errors: { ...unknownUser, 409: inboxTexts.newMessage } };

/** Who answers whom; admins only. Every answer is the state as it is afterwards. */
export function stateRoutes(states: ConversationStates, { requireAdmin }: SessionGuards) {
  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.addHook('onRequest', requireAdmin);

    app.post(
      '/admin/conversations/:userId/claim',
      { config: claimed, schema: { tags, summary: 'Menangani percakapan', body: claimBody, ...answers } },
      async (request) => {
        const { userId } = request.params;
        const state = await states.claim(requireCurrentUser(request), userId, request.body?.take ?? false);
        return presentSingle('Percakapan Anda tangani', state);
      },
    );
    app.post(
      '/admin/conversations/:userId/release',
      { config: claimed, schema: { tags, summary: 'Melepas percakapan', ...answers } },
      async (request) => {
        const state = await states.release(requireCurrentUser(request), request.params.userId);
        return presentSingle('Percakapan dilepas', state);
      },
    );
    app.post(
      '/admin/conversations/:userId/dismiss',
      { config: outdated, schema: { tags, summary: 'Menandai tidak perlu dibalas', body: dismissBody, ...answers } },
      async (request) => {
        const { userId } = request.params;
        const state = await states.dismiss(requireCurrentUser(request), userId, request.body.up_to);
        return presentSingle('Percakapan tidak perlu dibalas', state);
      },
    );
    app.delete(
      '/admin/conversations/:userId/dismiss',
      {
        config: { errors: unknownUser },
        schema: { tags, summary: 'Membatalkan tanda tidak perlu dibalas', ...answers },
      },
      async (request) => {
        const state = await states.undoDismiss(requireCurrentUser(request), request.params.userId);
        return presentSingle('Percakapan menunggu balasan lagi', state);
      },
    );
    app.post(
      '/admin/conversations/:userId/snooze',
      { config: outdated, schema: { tags, summary: 'Menunda percakapan', body: snoozeBody, ...answers } },
      async (request) => {
        const { userId } = request.params;
        const { until, up_to } = request.body;
        const state = await states.snooze(requireCurrentUser(request), userId, until, up_to);
        return presentSingle('Percakapan ditunda', state);
      },
    );
    app.delete(
      '/admin/conversations/:userId/snooze',
      { config: { errors: unknownUser }, schema: { tags, summary: 'Membatalkan penundaan', ...answers } },
      async (request) => {
        const state = await states.undoSnooze(requireCurrentUser(request), request.params.userId);
        return presentSingle('Penundaan dibatalkan', state);
      },
    );
  };
  return plugin;
}
