import { randomInt } from 'node:crypto';
import type { MadeCard } from '#shared/api/cards.ts';
import { formatCode, makeCode } from '#shared/domain/users/access-codes.ts';
import { CARD_ACTIVATION_MS } from '#shared/limits.ts';
import { accessTexts, cardTexts, errorTexts } from '#shared/texts.ts';
import { createCardCodes } from '#server/accounts/cards/card-codes.ts';
import * as queries from '#server/accounts/cards/card-queries.ts';
import type { PasswordSource, RequireOwnPassword } from '#server/accounts/own-password.ts';
import { hashPassword } from '#server/accounts/passwords.ts';
import { hasRequest } from '#server/accounts/recovery-queries.ts';
import { createSeasoning, isAdminAccount } from '#server/accounts/seasoned.ts';
import { createRemovalRule } from '#server/accounts/second-factor/factor-removal.ts';
import { insertSecurityEvent } from '#server/accounts/security-log-queries.ts';
import { findUserById, type UserRow } from '#server/accounts/user-queries.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import { conflict, notFound } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';

/** The caller's own password, and where it comes from. */
export type OwnPassword = {
  password: string | undefined;
  source: PasswordSource;
};
export type CardDeps = {
  requireOwnPassword: RequireOwnPassword;
};

/** Cards as the office makes and ends them (R-ACCESS-40). */
export function createCardService(context: ServiceContext, { requireOwnPassword }: CardDeps) {
  const { audit, orm, policy, write, now, operatingNow, publish } = context;
  const seasoning = createSeasoning(context);
  const codes = createCardCodes(context);
  const removalRule = createRemovalRule(context);

  /** @returns the account, and whether it was an admin's within a day @throws 404, 409 */
  async function requireAllowed(
    db: ConnectionOrTransaction,
    id: string,
  ): Promise<{ user: UserRow; isAdmins: boolean }> {
    const user = await findUserById(db, id);
    if (!user) throw notFound(errorTexts.userMissing);
    if (user.isAdmin) throw conflict(cardTexts.usersOnly);
    if (!user.isActive) throw conflict(accessTexts.inactive);
    return { user, isAdmins: isAdminAccount(user, operatingNow()) };
  }

  function endSessions(ids: readonly string[]): void {
    for (const id of ids) publish.endSession(id);
  }

  /** A code that no other card has: of 150 thousand million ones, the first is nearly always free. */
  async function makeFreeCode(): Promise<{ code: string; lookup: string }> {
    for (;;) {
      const code = makeCode('card', randomInt);
      const lookup = codes.lookupOf(code);
      if (!(await queries.findCardByLookup(orm, lookup))) return { code, lookup };
    }
  }

  return {
    /**
     * Makes a card whose codes are shown once. An earlier card ends with its sessions.
     * @throws 401, 403 when a new admin makes a card for one who was an admin within a day, 404, 409, 422, 429, 503
     */
    async make(currentUser: CurrentUser, id: string, { password, source }: OwnPassword): Promise<MadeCard> {
      const { isAdmins: isConfirmed } = await requireAllowed(orm, id);
      if (isConfirmed) {
        await seasoning.require(currentUser);
        await requireOwnPassword(currentUser, { current_password: password }, source);
      }
      await removalRule.requireMaker(orm, id, currentUser.id);
      const { code, lookup } = await makeFreeCode();
      const activation = makeCode('activation', randomInt);
      const activationHash = await hashPassword(activation, { holder: currentUser.id, isPreferred: true });
      const { ended, isAdmins } = await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        const allowed = await requireAllowed(tx, id);
        await removalRule.requireMaker(tx, id, currentUser.id);
        // The account lost the role meanwhile.
        if (allowed.isAdmins && !isConfirmed) throw conflict(errorTexts.conflict);
        const endedIds = await queries.deleteCardOf(tx, id);
        const [madeBy, madeAt, issuedAt] = [currentUser.id, now(), operatingNow()];
        await queries.insertCard(tx, { userId: id, lookup, activationHash, madeBy, madeAt, issuedAt });
        await audit.accessChanged(
          tx,
          currentUser,
          allowed.user,
          { field: 'card', from: endedIds !== null, to: true },
          allowed.isAdmins,
        );
        const act = { userId: id, event: 'card.made', how: null, by: currentUser, at: madeAt } as const;
        await insertSecurityEvent(tx, act);
        return { ended: endedIds ?? [], isAdmins: allowed.isAdmins };
      });
      endSessions(ended);
      if (isAdmins) publish.toAdmins('notice:new', { actor_id: currentUser.id });
      // A colleague sees that it is made.
      if (await hasRequest(orm, id)) publish.toAdmins('recovery:changed', {});
      const shown = formatCode(code);
      return {
        code: shown,
        activation: formatCode(activation),
        activation_expires_at: new Date(now() + CARD_ACTIVATION_MS).toISOString(),
        qr_url: `/masuk#${shown}`,
      };
    },

    /** Ends the card of an account, with its sessions. @throws 401, 403, 404 */
    async end(currentUser: CurrentUser, id: string): Promise<void> {
      const ended = await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        const user = await findUserById(tx, id);
        if (!user) throw notFound(errorTexts.userMissing);
        const endedIds = await queries.deleteCardOf(tx, id);
        if (!endedIds) throw notFound(cardTexts.missing);
        await audit.accessChanged(tx, currentUser, user, { field: 'card', from: true, to: false }, false);
        const act = { userId: id, event: 'card.ended', how: null, by: currentUser, at: now() } as const;
        await insertSecurityEvent(tx, act);
        return endedIds;
      });
      endSessions(ended);
    },
  };
}
