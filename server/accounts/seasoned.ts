import { DAY_MS } from '#shared/durations.ts';
import { accessTexts } from '#shared/texts.ts';
import { AppError, forbidden, sessionEnded } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { Connection } from '#server/db/open.ts';
import type { Write } from '#server/db/write-queue.ts';
import { clampAdminTimes, findUserById, type UserRow } from './user-queries.ts';

type SeasonContext = {
  orm: Connection;
  write: Write;
  now: () => number;
  earliestNow: () => number;
  latestNow: () => number;
  timeZone: string;
};

/** Whether the account is an admin's, or was one within 24 hours of operating time (R-ACCESS-6). */
export const isAdminAccount = ({ isAdmin, adminEndedAt }: UserRow, operatingMs: number): boolean =>
  isAdmin || (adminEndedAt !== null && operatingMs - adminEndedAt < DAY_MS);

/**
 * A seasoned admin: account and password are 24 hours old. With a stolen session an attacker could make an admin, or give one a
 * new password, and then know a password; a day leaves the others time to notice.
 */
export function createSeasoning({ orm, write, now, earliestNow, latestNow, timeZone }: SeasonContext) {
  const format = new Intl.DateTimeFormat('id-ID', { dateStyle: 'long', timeStyle: 'short', timeZone });

  /** @returns the milliseconds that are missing; 0 or less for a seasoned admin @throws 401, 403 */
  async function missingMs(currentUser: CurrentUser): Promise<number> {
    const user = await findUserById(orm, currentUser.id);
    if (!user) throw sessionEnded();
    if (!user.isAdmin || !user.isActive) throw forbidden();
    const latest = latestNow();
    const sinceMs = Math.max(user.adminSince, user.passwordChangedAt);
    if (sinceMs > latest) await write((tx) => clampAdminTimes(tx, user.id, latest));
    return Math.min(sinceMs, latest) + DAY_MS - earliestNow();
  }

  /** The instant after so many milliseconds, in words. */
  const timeAfter = (ms: number): string => format.format(now() + ms);

  return {
    missingMs,
    timeAfter,

    /** @throws 401, 403 with the time from which it is allowed */
    async require(currentUser: CurrentUser): Promise<void> {
      const leftMs = await missingMs(currentUser);
      if (leftMs > 0) throw new AppError(403, accessTexts.tooEarly(timeAfter(leftMs)));
    },
  };
}
