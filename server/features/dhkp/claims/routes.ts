import type { claimCalls } from '#shared/api/calls/claims.ts';
import { CLAIMS_DEFAULT } from '#shared/limits.ts';
import { claimTexts } from '#shared/texts.ts';
import { presentList, presentSingle } from '#server/http/answers/present.ts';
import type { Handlers } from '#server/http/serve-calls.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { UploadLinks } from '#server/uploads/upload-links.ts';
import { presentClaim, presentClaims, presentOwnClaim, type ReadSentFiles } from './claim-answers.ts';
import type { ClaimService } from './claim-service.ts';

type Deps = { claims: ClaimService; links: UploadLinks; readSentFiles: ReadSentFiles };

export function claimRoutes(
  { orm }: Pick<ServiceContext, 'orm'>,
  { claims, links, readSentFiles }: Deps,
): Handlers<typeof claimCalls> {
  const one = ({ sessionId }: CurrentUser, id: string) =>
    presentClaim(orm, id, readSentFiles, links.forSession(sessionId));

  return {
    'POST /tax-records/claims': async ({ currentUser, body, reply }) => {
      reply.code((await claims.create(currentUser, body)) ? 201 : 200);
      return presentSingle(claimTexts.sent, null);
    },
    'GET /tax-records/claims': async ({ currentUser, query }) => {
      const { limit = CLAIMS_DEFAULT, page = 1 } = query;
      const { rows, total } = await claims.listOwn(currentUser, query);
      return presentList('Permintaan Anda', rows.map(presentOwnClaim), total, limit, page);
    },
    'DELETE /tax-records/claims/{id}': async ({ currentUser, params }) => {
      await claims.withdraw(currentUser, params.id);
      return presentSingle('Permintaan ditarik', {});
    },

    'GET /admin/claims': async ({ currentUser, query }) => {
      const { limit = CLAIMS_DEFAULT, page = 1 } = query;
      const { rows, total } = await claims.list(query);
      const linkFor = links.forSession(currentUser.sessionId);
      const presented = await presentClaims(orm, rows, readSentFiles, linkFor);
      return presentList('Permintaan warga', presented, total, limit, page);
    },
    'POST /admin/claims/{id}/approve': async ({ currentUser, params, body }) => {
      await claims.approve(currentUser, params.id, body);
      return presentSingle('Permintaan disetujui', await one(currentUser, params.id));
    },
    'POST /admin/claims/{id}/reject': async ({ currentUser, params, body }) => {
      await claims.reject(currentUser, params.id, body);
      return presentSingle('Permintaan ditolak', await one(currentUser, params.id));
    },
  };
}
