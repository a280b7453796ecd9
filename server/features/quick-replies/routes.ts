import type { FastifyInstance } from 'fastify';
import { quickReplyCalls } from '#shared/api/calls/quick-replies.ts';
import type { QuickReply } from '#shared/api/quick-replies.ts';
import { presentIds, presentSingle } from '#server/http/answers/present.ts';
import { serveCalls } from '#server/http/serve-calls.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import type { QuickReplyRow } from './queries.ts';
import { createQuickReplyService } from './service.ts';

/** Adds the prepared answers of the admins. */
export function registerQuickReplies(app: FastifyInstance, { context, guards }: FeatureDeps): void {
  const replies = createQuickReplyService(context);
  serveCalls(app, guards, quickReplyCalls, {
    'GET /admin/quick-replies': async ({ currentUser }) =>
      presentSingle('Balasan cepat', (await replies.list(currentUser)).map(presentQuickReply)),
    'POST /admin/quick-replies': async ({ currentUser, body }) =>
      presentSingle('Balasan cepat disimpan', presentQuickReply(await replies.create(currentUser, body))),
    'PUT /admin/quick-replies/{id}': async ({ currentUser, params, body }) =>
      presentSingle('Balasan cepat disimpan', presentQuickReply(await replies.update(currentUser, params.id, body))),
    'DELETE /admin/quick-replies/{id}': async ({ currentUser, params }) => {
      await replies.remove(currentUser, params.id);
      return presentSingle('Balasan cepat dihapus', {});
    },
    'POST /admin/quick-replies/{id}/fill': async ({ currentUser, params, body }) =>
      presentSingle('Balasan cepat', await replies.fill(currentUser, params.id, body)),
  });
}

function presentQuickReply({ id, ownerId, shortcut, title, content, updatedAt }: QuickReplyRow): QuickReply {
  return {
    ...presentIds(id),
    shortcut,
    title,
    content,
    personal: ownerId !== null,
    updated_at: new Date(updatedAt).toISOString(),
  };
}
