import { accessTexts } from '#shared/texts.ts';
import { deleteRequest, listOpenRequests, type OpenRequest } from '#server/accounts/recovery-queries.ts';
import { notFound } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';

/** Requests of people who cannot get in, as the office works through them (R-ACCESS-12). */
export function createRecoveriesService({ orm, policy, publish, write, operatingNow }: ServiceContext) {
  return {
    listOpen: (): Promise<OpenRequest[]> => listOpenRequests(orm, operatingNow()),

    /** @throws 401, 403, 404 */
    async remove(currentUser: CurrentUser, id: string): Promise<void> {
      await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        if (!(await deleteRequest(tx, id))) throw notFound(accessTexts.requestMissing);
      });
      publish.toAdmins('recovery:changed', {});
    },
  };
}
