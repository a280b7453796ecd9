import { formatDateTime } from '#shared/domain/dates/date-labels.ts';
import { isAdminChange } from '#shared/domain/users/admin-change.ts';
import { DAY_MS } from '#shared/durations.ts';
import { accessTexts } from '#shared/texts.ts';
import { AppError, forbidden, sessionEnded } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { Connection, Write } from '#server/db/engine.ts';
import { clampAdminTimes, findUserById, hasElderAdmin, type UserRow } from './user-queries.ts';

type SeasonContext = {
  orm: Connection;
  write: Write;
  now: () => number;
  earliestNow: () => number;
  latestNow: () => number;
  operatingNow: () => number;
  timeZone: string;
};

/** Whether the account is an admin's, or was one within 24 hours of operating time (R-ACCESS-6). */
export const isAdminAccount = ({ isAdmin, adminEndedAt }: UserRow, operatingMs: number): boolean =>
  isAdmin || (adminEndedAt !== null && operatingMs - adminEndedAt < DAY_MS);

const accountOf = ({ email, isAdmin, isActive }: UserRow) => ({ email, is_admin: isAdmin, is_active: isActive });

/**
 * The right that a change of an account needs beyond the session: `own` the own password, `seasoned` that of a seasoned admin too,
 * `appointing` the same, except on the first day of an office. Null: none (R-ACCESS-6).
 * @param after null for a deletion
 */
export type ChangeGuard = 'own' | 'appointing' | 'seasoned' | null;
export function guardOf(actorId: string, before: UserRow, after: UserRow | null, operatingMs: number): ChangeGuard {
  const isAdmins = isAdminAccount(before, operatingMs);
  const endsOrOpens = after === null || before.isActive !== after.isActive || before.email !== after.email;
  if (!isAdminChange(accountOf(before), after && accountOf(after)) && !(isAdmins && endsOrOpens)) return null;
  if (before.id === actorId) return 'own';
  return isAdmins ? 'seasoned' : 'appointing';
}

/**
 * A seasoned admin: account and password are 24 hours old. With a stolen session an attacker could make an admin, or give one a
 * new password, and then know a password; a day leaves the others time to notice.
 */
export function createSeasoning({ orm, write, now, earliestNow, latestNow, operatingNow, timeZone }: SeasonContext) {
  /** @returns the milliseconds that are missing; 0 or less for a seasoned admin @throws 401, 403 */
  async function missingMs(currentUser: CurrentUser): Promise<number> {
    const user = await findUserById(orm, currentUser.id);
    if (!user?.isActive) throw sessionEnded();
    if (!user.isAdmin) throw forbidden();
    const latest = latestNow();
    const sinceMs = Math.max(user.adminSince, user.passwordChangedAt);
    if (sinceMs > latest) await write((tx) => clampAdminTimes(tx, user.id, latest));
    return Math.min(sinceMs, latest) + DAY_MS - earliestNow();
  }

  /** The instant after so many milliseconds, in words. */
  const timeAfter = (ms: number): string => formatDateTime(new Date(now() + ms).toISOString(), timeZone);

  const tooEarly = (leftMs: number): AppError => new AppError(403, accessTexts.tooEarly(timeAfter(leftMs)));

  /** Whether no other admin is a day old, and none is older than this one. */
  async function isFirstDay({ id }: CurrentUser): Promise<boolean> {
    const ownSince = (await findUserById(orm, id))?.adminSince ?? 0;
    const sinceMs = Math.max(ownSince, earliestNow() - DAY_MS);
    return !(await hasElderAdmin(orm, id, { sinceMs, endedMs: operatingNow() - DAY_MS, nowMs: latestNow() }));
  }

  return {
    missingMs,
    timeAfter,

    /** @throws 401, 403 with the time from which it is allowed */
    async require(currentUser: CurrentUser): Promise<void> {
      const leftMs = await missingMs(currentUser);
      if (leftMs > 0) throw tooEarly(leftMs);
    },

    /**
     * For making an admin. The first admin of an office may do it on the first day: a day of waiting gives nobody time to notice
     * where all others have their role from this one, and who holds its session and password holds the office already.
     * @throws 401, 403
     */
    async requireForAppointing(currentUser: CurrentUser): Promise<void> {
      const leftMs = await missingMs(currentUser);
      if (leftMs > 0 && !(await isFirstDay(currentUser))) throw tooEarly(leftMs);
    },
  };
}
