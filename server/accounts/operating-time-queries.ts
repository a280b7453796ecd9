import { sql } from 'drizzle-orm';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import {
  cards,
  erasureRequests,
  factorRemovals,
  formerEmails,
  formerPhones,
  recoveryCodes,
  recoveryRequests,
  secondFactors,
  setupCodes,
  retention,
  users,
  wrongTries,
} from '#server/db/schema.ts';

/** The newest operating time that the database holds; 0 when it holds none. Operating time never goes back behind it. */
export async function readNewestOperatingTime(orm: ConnectionOrTransaction): Promise<number> {
  const newest = await orm.value<number | null>(sql`select max(
    coalesce((select max(${wrongTries.at}) from ${wrongTries}), 0),
    coalesce((select max(${recoveryCodes.madeAt}) from ${recoveryCodes}), 0),
    coalesce((select max(${cards.issuedAt}) from ${cards}), 0),
    coalesce((select max(${secondFactors.madeAt}) from ${secondFactors}), 0),
    coalesce((select max(${setupCodes.madeAt}) from ${setupCodes}), 0),
    coalesce((select max(${factorRemovals.removedAt}) from ${factorRemovals}), 0),
    coalesce((select max(${recoveryRequests.askedAt}) from ${recoveryRequests}), 0),
    coalesce((select max(${erasureRequests.askedAt}) from ${erasureRequests}), 0),
    coalesce((select max(max(${retention.announcedOperating}, ${retention.lastRunOperating})) from ${retention}), 0),
    coalesce((select max(${formerPhones.until}) from ${formerPhones}), 0),
    coalesce((select max(${formerEmails.until}) from ${formerEmails}), 0),
    coalesce((select max(max(coalesce(${users.phoneSince}, 0), coalesce(${users.adminEndedAt}, 0))) from ${users}), 0))`);
  return newest ?? 0;
}
