import type { quickReplyCalls } from '#shared/api/calls/quick-replies.ts';
import { presentSingle } from '#server/http/answers/present.ts';
import type { Handlers } from '#server/http/serve-calls.ts';
import { presentQuickReply } from './present.ts';
import type { QuickReplyService } from './service.ts';

export function quickReplyRoutes(replies: QuickReplyService): Handlers<typeof quickReplyCalls> {
  return {
    'GET /admin/quick-replies': ({ currentUser }) =>
      presentSingle('Balasan cepat', replies.list(currentUser).map(presentQuickReply)),
    'POST /admin/quick-replies': async ({ currentUser, body }) =>
      presentSingle('Balasan cepat disimpan', presentQuickReply(await replies.create(currentUser, body))),
    'PUT /admin/quick-replies/{id}': async ({ currentUser, params, body }) =>
      presentSingle('Balasan cepat disimpan', presentQuickReply(await replies.update(currentUser, params.id, body))),
    'DELETE /admin/quick-replies/{id}': async ({ currentUser, params }) => {
      await replies.remove(currentUser, params.id);
      return presentSingle('Balasan cepat dihapus', {});
    },
    'POST /admin/quick-replies/{id}/fill': ({ currentUser, params, body }) =>
      presentSingle('Balasan cepat', replies.fill(currentUser, params.id, body)),
  };
}
