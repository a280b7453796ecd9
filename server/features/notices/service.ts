import { noticeTexts } from '#shared/api/notices.ts';
import { notFound } from '#server/http/errors.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import * as queries from './queries.ts';

/** More than an admin reads at once. The oldest of them: the others are told when these were seen. */
const SHOWN_MAX = 10;

/** Entries of the audit that every other admin is told until having seen them (R-USER-17). */
export function createNoticeService({ orm, policy, write }: Pick<ServiceContext, 'orm' | 'policy' | 'write'>) {
  return {
    listUnseen: async (currentUser: CurrentUser): Promise<queries.NoticeRow[]> =>
      queries.listUnseenNotices(orm, currentUser.id, SHOWN_MAX),

    /** This one and all older ones. @throws 401, 403, 404 for what is no id */
    async markSeen(currentUser: CurrentUser, id: string): Promise<void> {
      if (!/^\d{1,15}$/.test(id)) throw notFound(noticeTexts.missing);
      await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        await queries.markNoticesSeen(tx, currentUser.id, Number(id));
      });
    },
  };
}
