import { DAY_MS } from '#shared/durations.ts';
import { errorTexts } from '#shared/texts.ts';
import { systemTexts } from '#shared/api/system.ts';
import { AppError, sessionEnded } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { findUserById, hasOtherActiveAdmin } from '#server/accounts/user-queries.ts';
import * as queries from './queries.ts';

type RuleContext = Pick<ServiceContext, 'orm' | 'write' | 'now' | 'earliestNow' | 'latestNow' | 'timeZone'>;

/**
 * Whether an admin may download a backup (docs/requirements.md R-SYS-22). With a stolen session an attacker could make an admin,
 * or give one a new password, and then know a password; a day leaves the others time to notice.
 */
export function createDownloadRule({ orm, write, now, earliestNow, latestNow, timeZone }: RuleContext) {
  const format = new Intl.DateTimeFormat('id-ID', { dateStyle: 'long', timeStyle: 'short', timeZone });

  /** @throws 403 with the time from which it is allowed */
  return async function requireOldAdmin(currentUser: CurrentUser): Promise<void> {
    const user = findUserById(orm, currentUser.id);
    if (!user) throw sessionEnded();
    if (!user.isAdmin || !user.isActive) throw new AppError(403, errorTexts.forbidden);
    const latest = latestNow();
    const sinceMs = Math.max(user.adminSince, user.passwordChangedAt);
    if (sinceMs > latest) await write((tx) => queries.clampAdminTimes(tx, user.id, latest));
    const leftMs = Math.min(sinceMs, latest) + DAY_MS - earliestNow();
    if (leftMs <= 0) return;
    const wasAlone = !hasOtherActiveAdmin(orm, user.id) && !queries.wasAdminRemovedSince(orm, earliestNow() - DAY_MS);
    if (wasAlone) return;
    throw new AppError(403, systemTexts.downloadTooEarly(format.format(now() + leftMs)));
  };
}
