import { cleanCode, formatCode } from '#shared/domain/users/access-codes.ts';
import { hasEmail } from '#shared/domain/users/no-email.ts';
import { type RecoveryCodeBody, resetTexts } from '#shared/api/users.ts';
import { RECOVERY_CODE_MS } from '#shared/limits.ts';
import { accessTexts, errorTexts } from '#shared/texts.ts';
import { hashPassword } from '#server/accounts/passwords.ts';
import { isPhoneProven } from '#server/accounts/phone-queries.ts';
import { createCodeSelectors } from '#server/accounts/recovery-codes.ts';
import * as recovery from '#server/accounts/recovery-queries.ts';
import { createSeasoning, isAdminAccount } from '#server/accounts/seasoned.ts';
import { createRemovalRule } from '#server/accounts/second-factor/factor-removal.ts';
import { insertSecurityEvent } from '#server/accounts/security-log-queries.ts';
import { findUserById, type UserRow } from '#server/accounts/user-queries.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import { conflict, notFound, serverBusy } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { OwnPassword, PasswordDeps } from './service.ts';

/** Two admins who make codes at once may take the same beginning; a third time means that nearly all are taken. */
const MAKING_ROUNDS_MAX = 3;

type MadeCode = { code: string; url: string; expires_at: string };
/** Codes with which a user who has forgotten the password gets in again (R-ACCESS-13 to R-ACCESS-15). */
export function createRecoveryCodeService(context: ServiceContext, { requireOwnPassword }: PasswordDeps) {
  const { audit, orm, policy, write, now, operatingNow, publish } = context;
  const seasoning = createSeasoning(context);
  const selectors = createCodeSelectors(context);
  const removalRule = createRemovalRule(context);

  /** @returns the account, and whether it is that of an admin @throws 404, 409 */
  async function requireAllowed(
    db: ConnectionOrTransaction,
    currentUser: CurrentUser,
    id: string,
    { checked }: RecoveryCodeBody,
  ): Promise<{ user: UserRow; isAdmins: boolean }> {
    if (id === currentUser.id) throw conflict(resetTexts.ownPassword);
    const user = await findUserById(db, id);
    if (!user) throw notFound(errorTexts.userMissing);
    if (!user.isActive) throw conflict(accessTexts.inactive);
    if (!hasEmail(user.email)) throw conflict(accessTexts.withoutEmail);
    if (checked === 'phone' && !(await isPhoneProven(db, user.id, operatingNow())))
      throw conflict(accessTexts.phoneNotProven);
    await removalRule.requireMaker(db, id, currentUser.id);
    return { user, isAdmins: isAdminAccount(user, operatingNow()) };
  }

  /** @returns null when another code has taken its beginning meanwhile */
  async function makeOne(
    currentUser: CurrentUser,
    id: string,
    body: RecoveryCodeBody,
    isConfirmed: boolean,
  ): Promise<{ code: string; isAdmins: boolean } | null> {
    const made = selectors.makeFreeCode(await recovery.listTakenSelectors(orm, id, operatingNow()));
    if (!made) return null;
    const { code, selector } = made;
    const codeHash = await hashPassword(cleanCode(code), { holder: currentUser.id, isPreferred: true });
    return write(async (tx) => {
      await policy.requireLiveAdmin(tx, currentUser);
      const { user, isAdmins } = await requireAllowed(tx, currentUser, id, body);
      // The account became an administrator's meanwhile.
      if (isAdmins && !isConfirmed) throw conflict(errorTexts.conflict);
      const { checked, note = null } = body;
      const row = { userId: id, selector, codeHash, madeBy: currentUser.id, checked, madeAt: operatingNow() };
      if (!(await recovery.storeCode(tx, row))) return null;
      await audit.recoveryCodeChanged(tx, currentUser, user, { from: null, to: checked, note }, isAdmins);
      const act = { userId: id, event: 'recovery_code.made', how: checked, by: currentUser, at: now() } as const;
      await insertSecurityEvent(tx, act);
      return { code, isAdmins };
    });
  }

  return {
    /**
     * Makes a code that is shown once. An earlier one ends.
     * @throws 401, 403 for the account of an admin and a caller who is new, 404, 409, 422, 429, 503
     */
    async make(
      currentUser: CurrentUser,
      id: string,
      body: RecoveryCodeBody,
      { password, source }: OwnPassword,
    ): Promise<MadeCode> {
      // Refused codes are refused before the password is asked for and before the costly hash.
      const { isAdmins: isConfirmed } = await requireAllowed(orm, currentUser, id, body);
      if (isConfirmed) {
        await seasoning.require(currentUser);
        await requireOwnPassword(currentUser, { current_password: password }, source);
      }
      for (let round = 0; round < MAKING_ROUNDS_MAX; round += 1) {
        const made = await makeOne(currentUser, id, body, isConfirmed);
        if (!made) continue;
        if (made.isAdmins) publish.toAdmins('notice:new', { actor_id: currentUser.id });
        // A colleague sees that it is made.
        publish.toAdmins('recovery:changed', {});
        const code = formatCode(made.code);
        return { code, url: `/pulih#${code}`, expires_at: new Date(now() + RECOVERY_CODE_MS).toISOString() };
      }
      throw serverBusy();
    },

    /** Ends the open code of an account. @throws 401, 403, 404 */
    async end(currentUser: CurrentUser, id: string): Promise<void> {
      await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        const user = await findUserById(tx, id);
        if (!user) throw notFound(errorTexts.userMissing);
        const ended = await recovery.deleteCodeOf(tx, id, operatingNow());
        if (!ended) throw notFound(accessTexts.noOpenCode);
        await audit.recoveryCodeChanged(tx, currentUser, user, { from: ended.checked, to: null, note: null }, false);
        const act = { userId: id, event: 'recovery_code.ended', how: null, by: currentUser, at: now() } as const;
        await insertSecurityEvent(tx, act);
      });
    },
  };
}
