import { randomInt } from 'node:crypto';
import type { AssistedBody } from '#shared/api/cards.ts';
import { assistedEmail } from '#shared/domain/users/no-email.ts';
import { withPhone } from '#server/accounts/phones.ts';
import { DUMMY_HASH } from '#server/accounts/passwords.ts';
import { publishUserChange } from '#server/accounts/user-change.ts';
import { findUserByEmail, insertUser, type UserRow } from '#server/accounts/user-queries.ts';
import type { Transaction } from '#server/db/engine.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { setPhone } from './queries.ts';

/** @param Change what links of objects changed, for after the commit */
export type AssistedDeps<Change> = {
  objectLinks: {
    /** @throws 404, 409, 422 */
    linkIn: (
      tx: Transaction,
      currentUser: CurrentUser,
      assessmentId: string,
      userId: string,
      overwrite: readonly never[],
    ) => Promise<Change>;
    publishLink: (change: Change) => void;
  };
};

/** Eight digits; one of them is in no code of a card, so that a number is never taken for a code. */
function makeAccountNumber(): string {
  for (;;) {
    const number = String(randomInt(100_000_000)).padStart(8, '0');
    if (/[015]/.test(number)) return number;
  }
}

async function makeFreeEmail(tx: Transaction): Promise<string> {
  for (;;) {
    const email = assistedEmail(makeAccountNumber());
    if (!(await findUserByEmail(tx, email))) return email;
  }
}

/** Accounts that the office makes for people without an e-mail address (R-ACCESS-46). */
export function createAssistedService<Change>(context: ServiceContext, { objectLinks }: AssistedDeps<Change>) {
  const { audit, policy, write, now, operatingNow, publish } = context;

  return {
    /** Makes the account with its objects, or nothing. @throws 401, 403, 404, 409 when an object has an account, 422 */
    async create(
      currentUser: CurrentUser,
      { assessment_ids: assessmentIds = [], name, ...phone }: AssistedBody,
    ): Promise<UserRow> {
      const { user, links } = await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        const email = await makeFreeEmail(tx);
        const fields = { name, email, passwordHash: DUMMY_HASH, isAdmin: false, isActive: true };
        const inserted = await insertUser(tx, fields, now());
        const columns = withPhone(inserted, phone, { operatingMs: operatingNow(), nowMs: now() });
        const created: UserRow = { ...inserted, ...columns };
        if (created.phone !== null) await setPhone(tx, created);
        await audit.userCreated(tx, currentUser, created);
        const changes: Change[] = [];
        for (const id of new Set(assessmentIds))
          changes.push(await objectLinks.linkIn(tx, currentUser, id, created.id, []));
        return { user: created, links: changes };
      });
      publishUserChange(publish, 'created', user);
      for (const change of links) objectLinks.publishLink(change);
      return user;
    },
  };
}
