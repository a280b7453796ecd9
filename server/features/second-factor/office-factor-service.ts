import { randomInt } from 'node:crypto';
import type { ResetFactorBody, SetupCode } from '#shared/api/second-factor.ts';
import { formatCode, makeCode } from '#shared/domain/users/access-codes.ts';
import { SETUP_CODE_MS } from '#shared/limits.ts';
import { errorTexts, factorTexts } from '#shared/texts.ts';
import type { PasswordSource, RequireOwnPassword } from '#server/accounts/own-password.ts';
import { hashPassword } from '#server/accounts/passwords.ts';
import { createSeasoning, isAdminAccount } from '#server/accounts/seasoned.ts';
import * as queries from '#server/accounts/second-factor/factor-queries.ts';
import { insertSecurityEvent } from '#server/accounts/security-log-queries.ts';
import { deleteSessionsOf, findUserById, type UserRow } from '#server/accounts/user-queries.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import { conflict, notFound } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';

/** The caller's own password, and where it comes from. */
type OwnPassword = { password: string | undefined; source: PasswordSource };
export type OfficeFactorDeps = { requireOwnPassword: RequireOwnPassword };

/** Acts of admins on the second factor of others (R-ACCESS-67 to R-ACCESS-71). */
export function createOfficeFactorService(context: ServiceContext, { requireOwnPassword }: OfficeFactorDeps) {
  const { audit, orm, policy, write, now, operatingNow, publish } = context;
  const seasoning = createSeasoning(context);

  async function requireUser(db: ConnectionOrTransaction, id: string): Promise<UserRow> {
    const user = await findUserById(db, id);
    if (!user) throw notFound(errorTexts.userMissing);
    return user;
  }

  /** @throws 404, 409 for the own account and for one without a second factor */
  async function requireRemovable(
    db: ConnectionOrTransaction,
    currentUser: CurrentUser,
    id: string,
  ): Promise<{ user: UserRow; isAdmins: boolean }> {
    if (id === currentUser.id) throw conflict(factorTexts.own);
    const user = await requireUser(db, id);
    if (!(await queries.findFactor(db, id))) throw conflict(factorTexts.ofUserOff);
    return { user, isAdmins: isAdminAccount(user, operatingNow()) };
  }

  /** @throws 404, 409 unless it is another admin without a second factor, and the caller has one */
  async function requireSettable(db: ConnectionOrTransaction, currentUser: CurrentUser, id: string): Promise<UserRow> {
    const user = await requireUser(db, id);
    if (!(await queries.findFactor(db, currentUser.id))) throw conflict(factorTexts.makerWithout);
    if (!user.isAdmin || (await queries.findFactor(db, id))) throw conflict(factorTexts.adminsOnly);
    return user;
  }

  async function requireSeasoned(currentUser: CurrentUser, { password, source }: OwnPassword): Promise<void> {
    await seasoning.require(currentUser);
    await requireOwnPassword(currentUser, { current_password: password }, source);
  }

  return {
    /**
     * Removes the second factor of a user who stands at the counter. All sessions of the account end: the phone is lost.
     * @throws 401, 403 for the account of an admin and an own one of less than 24 hours, 404, 409, 422, 429, 503
     */
    async remove(
      currentUser: CurrentUser,
      id: string,
      { checked }: ResetFactorBody,
      ownPassword: OwnPassword,
    ): Promise<void> {
      const { isAdmins: isConfirmed } = await requireRemovable(orm, currentUser, id);
      if (isConfirmed) await requireSeasoned(currentUser, ownPassword);
      const isAdmins = await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        const planned = await requireRemovable(tx, currentUser, id);
        // The account became an administrator's meanwhile.
        if (planned.isAdmins && !isConfirmed) throw conflict(errorTexts.conflict);
        await queries.deleteFactor(tx, id);
        await queries.storeRemoval(tx, { userId: id, removedBy: currentUser.id, removedAt: operatingNow() });
        await deleteSessionsOf(tx, id);
        const change = { field: 'second_factor', from: true, to: false } as const;
        await audit.accessChanged(tx, currentUser, planned.user, change, planned.isAdmins);
        const act = { userId: id, event: 'second_factor.removed', how: checked, by: currentUser, at: now() } as const;
        await insertSecurityEvent(tx, act);
        return planned.isAdmins;
      });
      publish.endUser(id);
      if (isAdmins) publish.toAdmins('notice:new', { actor_id: currentUser.id });
    },

    /**
     * Makes the code with which another admin may set up a second factor. It is shown once.
     * @throws 401, 403 for an admin of less than 24 hours, 404, 409, 422, 429, 503
     */
    async makeSetupCode(currentUser: CurrentUser, id: string, ownPassword: OwnPassword): Promise<SetupCode> {
      await requireSettable(orm, currentUser, id);
      await requireSeasoned(currentUser, ownPassword);
      const code = makeCode('setup', randomInt);
      const codeHash = await hashPassword(code, { holder: currentUser.id, isPreferred: true });
      await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        const user = await requireSettable(tx, currentUser, id);
        await queries.storeSetupCode(tx, { userId: id, codeHash, madeBy: currentUser.id, madeAt: operatingNow() });
        await audit.accessChanged(tx, currentUser, user, { field: 'setup_code', from: false, to: true }, true);
        const act = { userId: id, event: 'second_factor.setup_code', how: null, by: currentUser, at: now() } as const;
        await insertSecurityEvent(tx, act);
      });
      publish.toAdmins('notice:new', { actor_id: currentUser.id });
      return { code: formatCode(code), expires_at: new Date(now() + SETUP_CODE_MS).toISOString() };
    },
  };
}
