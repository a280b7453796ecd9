import { accountTexts, type ChangeNameBody, type ChangePasswordBody } from '#shared/api/auth.ts';
import { isAdminName } from '#shared/domain/users/person-name.ts';
import { SESSION_IDLE_MS } from '#shared/limits.ts';
import { fieldTexts } from '#shared/texts.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { addressKey } from '#server/security/ip-addresses.ts';
import type { Transaction } from '#server/db/open.ts';
import { type AppError, invalid, notFound, sessionEnded } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { hashPassword } from '#server/accounts/passwords.ts';
import { nextUpdatedAt } from '#server/http/row-version.ts';
import { publishUserChange } from '#server/accounts/user-change.ts';
import { findUserById, updatePasswordHash, type UserRow } from '#server/accounts/user-queries.ts';
import * as queries from './account-queries.ts';
import type { PasswordCheck, PasswordSource } from './password-check.ts';

const wrongPasswordError = (): AppError => invalid('current_password', accountTexts.currentPasswordWrong);

/** Changes to the own account, for users and admins: name, password, sessions (R-AUTH-10 to R-AUTH-12). */
export function createAccountService(context: ServiceContext, passwords: PasswordCheck) {
  const { audit, policy, userWrites, write, now, earliestNow, orm, publish } = context;

  /** @throws 401, 403 */
  async function requireOwnAccount(tx: Transaction, currentUser: CurrentUser): Promise<UserRow> {
    await policy.requireLiveSession(tx, currentUser);
    const user = await findUserById(tx, currentUser.id);
    if (!user) throw sessionEnded();
    return user;
  }

  function endSessions(ids: readonly string[]): void {
    for (const id of ids) publish.endSession(id);
  }

  return {
    /** @throws 401, 403, 429, 507 */
    async changeName(currentUser: CurrentUser, { name }: ChangeNameBody): Promise<UserRow> {
      userWrites.countChange(currentUser);
      const renamed = await write(async (tx) => {
        const user = await requireOwnAccount(tx, currentUser);
        if (user.name === name) return user;
        // Admins may be called so; a user would fool them.
        if (!user.isAdmin && isAdminName(name)) throw invalid('name', fieldTexts.nameOfAdmin);
        const after: UserRow = { ...user, name, updatedAt: nextUpdatedAt(user, now()) };
        await queries.updateName(tx, after);
        await audit.userChanged(tx, currentUser, user, after);
        return after;
      });
      publishUserChange(publish, 'updated', renamed);
      return renamed;
    },

    /**
     * Ends all other sessions of the account: they began with the old password.
     * @returns the new device token of this browser
     * @throws 401, 403, 422 when the old password is wrong, 429 after too many wrong ones or changes, 503 while too many others wait, 507
     */
    async changePassword(
      currentUser: CurrentUser,
      { current_password: currentPassword, password, device_token: deviceToken }: ChangePasswordBody,
      source: Omit<PasswordSource, 'deviceToken'>,
    ): Promise<string> {
      const account = await findUserById(orm, currentUser.id);
      if (!account) throw sessionEnded();
      const { email } = account;
      if (!(await passwords.isRight({ ...source, email, account, password: currentPassword, deviceToken }))) {
        throw wrongPasswordError();
      }
      // Counted apart from other changes: a stolen session must not use up the limit and so prevent a new password.
      userWrites.countChange({ ...currentUser, id: `password ${currentUser.id}` });
      const passwordHash = await hashPassword(password, {
        holder: addressKey(source.address),
        signal: source.signal,
        isPreferred: true,
      });
      const ended = await write(async (tx) => {
        // Of two simultaneous changes, the second one gave a password that is no longer the current one.
        if ((await requireOwnAccount(tx, currentUser)).passwordHash !== account.passwordHash)
          throw wrongPasswordError();
        await updatePasswordHash(tx, currentUser.id, passwordHash, now());
        await audit.passwordChanged(tx, currentUser, currentUser);
        return queries.deleteOtherSessions(tx, currentUser.id, currentUser.sessionId);
      });
      endSessions(ended);
      return passwords.issueDeviceToken({ ...account, passwordHash }, undefined);
    },

    /** Lists the live sessions: the caller's own first, then by last use. */
    async listSessions(currentUser: CurrentUser): Promise<queries.ListedSession[]> {
      const at = earliestNow();
      const filter = { currentId: currentUser.sessionId, nowMs: at, idleSinceMs: at - SESSION_IDLE_MS };
      return queries.listLiveSessions(orm, currentUser.id, filter);
    },

    /** Ends all sessions except the caller's own. @throws 401, 403 */
    async endOtherSessions(currentUser: CurrentUser): Promise<void> {
      const ended = await write(async (tx) => {
        await policy.requireLiveSession(tx, currentUser);
        return queries.deleteOtherSessions(tx, currentUser.id, currentUser.sessionId);
      });
      endSessions(ended);
    },

    /** Ends one session, which may be the caller's own. @throws 401, 403, 404 when it is missing or another user's */
    async endOwnSession(currentUser: CurrentUser, sessionId: string): Promise<void> {
      await write(async (tx) => {
        await policy.requireLiveSession(tx, currentUser);
        if (!(await queries.deleteOwnSession(tx, currentUser.id, sessionId)))
          throw notFound(accountTexts.sessionMissing);
      });
      endSessions([sessionId]);
    },
  };
}
export type AccountService = ReturnType<typeof createAccountService>;

/** Asks for the password in addition to the session, for what an unlocked phone alone must not allow. */
export type OwnPasswordCheck = (currentUser: CurrentUser, password: string, source: PasswordSource) => Promise<boolean>;

/** The returned check throws 429 after too many wrong passwords, and 503 while too many others wait. */
export function createOwnPasswordCheck(
  { orm }: Pick<ServiceContext, 'orm'>,
  passwords: PasswordCheck,
): OwnPasswordCheck {
  return async ({ id }, password, source) => {
    const account = await findUserById(orm, id);
    if (!account) throw sessionEnded();
    return passwords.isRight({ ...source, email: account.email, account, password });
  };
}
