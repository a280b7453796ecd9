import { DAY_MS } from '#shared/durations.ts';
import { systemTexts } from '#shared/api/system.ts';
import { AppError } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { createSeasoning } from '#server/accounts/seasoned.ts';
import { hasOtherActiveAdmin } from '#server/accounts/user-queries.ts';
import * as queries from './queries.ts';

type RuleContext = Pick<
  ServiceContext,
  'orm' | 'write' | 'now' | 'earliestNow' | 'latestNow' | 'operatingNow' | 'timeZone'
>;

/** Whether an admin may download a backup (docs/requirements.md R-SYS-22): a seasoned one, or the only one. */
export function createDownloadRule(context: RuleContext) {
  const { orm, earliestNow } = context;
  const seasoning = createSeasoning(context);

  /** @throws 403 with the time from which it is allowed */
  return async function requireOldAdmin(currentUser: CurrentUser): Promise<void> {
    const leftMs = await seasoning.missingMs(currentUser);
    if (leftMs <= 0) return;
    const wasAlone =
      !(await hasOtherActiveAdmin(orm, currentUser.id)) &&
      !(await queries.wasAdminRemovedSince(orm, earliestNow() - DAY_MS));
    if (wasAlone) return;
    throw new AppError(403, systemTexts.downloadTooEarly(seasoning.timeAfter(leftMs)));
  };
}
