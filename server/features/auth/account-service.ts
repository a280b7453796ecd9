import { accountTexts, type ChangeNameBody, type ChangePasswordBody } from '#shared/api/auth.ts';
import { SESSION_IDLE_MS } from '#shared/limits.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { Transaction } from '#server/db/open.ts';
import { type AppError, invalid, notFound, sessionEnded } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { hashPassword, verifyPassword } from '#server/passwords.ts';
import { nextUpdatedAt } from '#server/row-version.ts';
import { findUserById, updatePasswordHash, type UserRow } from '#server/user-queries.ts';
import * as account from './account-queries.ts';
import { createLoginAttempts } from './login-attempts.ts';
import type { SessionRow } from './queries.ts';

const wrongPasswordError = (): AppError => invalid('current_password', accountTexts.currentPasswordWrong);

/** Changes to the own account, for users and admins: name, password, sessions (R-AUTH-10 to R-AUTH-12). */
export function createAccountService(context: ServiceContext) {
  const { audit, policy, write, now, orm, publish } = context;
  const { withAttemptLimit } = createLoginAttempts(context);

  /** @throws 401, 403 */
  function requireOwnAccount(tx: Transaction, currentUser: CurrentUser): UserRow {
    policy.requireLiveSession(currentUser);
    const user = findUserById(tx, currentUser.id);
    if (!user) throw sessionEnded();
    return user;
  }

  async function findByPassword(currentUser: CurrentUser, password: string): Promise<UserRow | null> {
    const known = findUserById(orm, currentUser.id);
    if (!known) throw sessionEnded();
    return (await verifyPassword(password, known.passwordHash)) ? known : null;
  }

  function endSessions(ids: readonly string[]): void {
    for (const id of ids) publish.endSession(id);
  }

  return {
    /** @throws 401, 403 */
    async changeName(currentUser: CurrentUser, { name }: ChangeNameBody): Promise<UserRow> {
      return write((tx) => {
        const user = requireOwnAccount(tx, currentUser);
        if (user.name === name) return user;
        const renamed: UserRow = { ...user, name, updatedAt: nextUpdatedAt(user, now()) };
        account.updateName(tx, renamed);
        audit.userChanged(tx, currentUser, user, renamed);
        return renamed;
      });
    },

    /**
     * Ends all other sessions of the account: they began with the old password.
     * @throws 401, 403, 422 when the old password is wrong, 429 after ten wrong ones from one address in 15 minutes
     */
    async changePassword(currentUser: CurrentUser, body: ChangePasswordBody, address: string): Promise<void> {
      const known = await withAttemptLimit(currentUser.email, address, () =>
        findByPassword(currentUser, body.current_password),
      );
      if (!known) throw wrongPasswordError();
      const passwordHash = await hashPassword(body.password);
      const ended = await write((tx) => {
        // Of two simultaneous changes, the second one gave a password that is no longer the current one.
        if (requireOwnAccount(tx, currentUser).passwordHash !== known.passwordHash) throw wrongPasswordError();
        updatePasswordHash(tx, currentUser.id, passwordHash, now());
        audit.passwordChanged(tx, currentUser, currentUser);
        return account.deleteOtherSessions(tx, currentUser.id, currentUser.sessionId);
      });
      endSessions(ended);
    },

    /** Lists the live sessions: the caller's own first, then by last use. */
    listSessions(currentUser: CurrentUser): SessionRow[] {
      const at = now();
      const filter = { currentId: currentUser.sessionId, nowMs: at, idleSinceMs: at - SESSION_IDLE_MS };
      return account.listLiveSessions(orm, currentUser.id, filter);
    },

    /** Ends all sessions except the caller's own. @throws 401, 403 */
    async endOtherSessions(currentUser: CurrentUser): Promise<void> {
      const ended = await write((tx) => {
        policy.requireLiveSession(currentUser);
        return account.deleteOtherSessions(tx, currentUser.id, currentUser.sessionId);
      });
      endSessions(ended);
    },

    /** Ends one session, which may be the caller's own. @throws 401, 403, 404 when it is missing or another user's */
    async endOwnSession(currentUser: CurrentUser, sessionId: string): Promise<void> {
      await write((tx) => {
        policy.requireLiveSession(currentUser);
        if (!account.deleteOwnSession(tx, currentUser.id, sessionId)) throw notFound(accountTexts.sessionMissing);
      });
      endSessions([sessionId]);
    },
  };
}
export type AccountService = ReturnType<typeof createAccountService>;

/** Asks for the password in addition to the session, for what an unlocked phone alone must not allow. */
export type OwnPasswordCheck = (currentUser: CurrentUser, password: string, address: string) => Promise<boolean>;

/** Limits wrong passwords as the login does; the returned check throws 429 beyond the limit (R-AUTH-4). */
export function createOwnPasswordCheck(context: Pick<ServiceContext, 'orm' | 'now' | 'rateLimits'>): OwnPasswordCheck {
  const { withAttemptLimit } = createLoginAttempts(context);
  return async ({ id, email }, password, address) => {
    const isRight = await withAttemptLimit(email, address, async () => {
      const known = findUserById(context.orm, id);
      return known && (await verifyPassword(password, known.passwordHash)) ? true : null;
    });
    return isRight === true;
  };
}
