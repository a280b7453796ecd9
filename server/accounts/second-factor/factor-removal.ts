import { formatDateTime } from '#shared/domain/dates/date-labels.ts';
import { DAY_MS } from '#shared/durations.ts';
import { FACTOR_REMOVED_MS } from '#shared/limits.ts';
import { factorTexts } from '#shared/texts.ts';
import { findUserById } from '#server/accounts/user-queries.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import { AppError, conflict } from '#server/http/errors.ts';
import { findPasswordMaker, findRemoval } from './factor-queries.ts';

type Clocks = { earliestNow: () => number; now: () => number; operatingNow: () => number; timeZone: string };

/**
 * For 24 hours after an admin took a second factor away, that admin alone opens the account by no way: neither with a code, a card
 * or a password that the same admin made, before or after, nor through an account that the admin made an admin's today (R-ACCESS-68).
 */
export function createRemovalRule({ earliestNow, now, operatingNow, timeZone }: Clocks) {
  /** @returns the milliseconds until a code, card or password of this maker opens the account; 0: now */
  async function missingMs(db: ConnectionOrTransaction, userId: string, makerId: string | undefined): Promise<number> {
    const removal = await findRemoval(db, userId);
    const leftMs = removal ? removal.removedAt + FACTOR_REMOVED_MS - operatingNow() : 0;
    if (!removal || leftMs <= 0 || makerId === undefined || makerId === userId) return 0;
    if (makerId === removal.removedBy) return leftMs;
    const maker = await findUserById(db, makerId);
    // The command line is no account, and an account that is gone makes nothing any more.
    const isNewAdmin = maker?.isAdmin === true && maker.adminSince + DAY_MS > earliestNow();
    return isNewAdmin ? leftMs : 0;
  }

  return {
    /** @throws 409 for the admin who makes a code, a card or a password */
    async requireMaker(db: ConnectionOrTransaction, userId: string, makerId: string): Promise<void> {
      const leftMs = await missingMs(db, userId, makerId);
      if (leftMs <= 0) return;
      throw conflict(factorTexts.removedMaker(formatDateTime(new Date(now() + leftMs).toISOString(), timeZone)));
    },

    /** @param makerId the admin who made the code or card of this sign-in @throws 403 */
    async requireEntry(db: ConnectionOrTransaction, userId: string, makerId: string): Promise<void> {
      if ((await missingMs(db, userId, makerId)) > 0) throw new AppError(403, factorTexts.removedEntry);
    },

    /** For a sign-in with the password. @throws 403 */
    async requirePasswordEntry(db: ConnectionOrTransaction, userId: string): Promise<void> {
      if (!(await findRemoval(db, userId))) return;
      if ((await missingMs(db, userId, await findPasswordMaker(db, userId))) > 0)
        throw new AppError(403, factorTexts.removedEntry);
    },
  };
}
