import type { AdminAccountAnswer } from '#shared/api/users.ts';
import { isPhoneProven } from '#server/accounts/phone-queries.ts';
import type { UserRow } from '#server/accounts/user-queries.ts';
import { findFactor } from '#server/accounts/second-factor/factor-queries.ts';
import { presentAccount } from '#server/http/answers/present.ts';
import type { Connection } from '#server/db/engine.ts';
import { readCardState } from './card-state.ts';

/** An account with its card, as admins see it. */
export async function presentAdminAccount(
  { orm, now, operatingNow }: { orm: Connection; now: () => number; operatingNow: () => number },
  user: UserRow,
): Promise<AdminAccountAnswer> {
  const operatingMs = operatingNow();
  return {
    ...presentAccount(user),
    phone_proves: await isPhoneProven(orm, user.id, operatingMs),
    card: await readCardState(orm, user.id, { operatingMs, nowMs: now() }),
    has_second_factor: (await findFactor(orm, user.id)) !== undefined,
  };
}
