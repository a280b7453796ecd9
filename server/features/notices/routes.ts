import type { noticeCalls } from '#shared/api/calls/notices.ts';
import { presentSingle } from '#server/http/answers/present.ts';
import type { Handlers } from '#server/http/serve-calls.ts';
import { presentNotice } from './present.ts';
import type { NoticeService } from './service.ts';

export function noticeRoutes(notices: NoticeService): Handlers<typeof noticeCalls> {
  return {
    'GET /admin/notices': ({ currentUser }) =>
      presentSingle('Pemberitahuan', notices.listUnseen(currentUser).map(presentNotice)),
    'POST /admin/notices/{id}/seen': async ({ currentUser, params }) => {
      await notices.markSeen(currentUser, params.id);
      return presentSingle('Pemberitahuan ditandai sudah dilihat', {});
    },
  };
}
