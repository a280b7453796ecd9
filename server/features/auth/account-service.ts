import { accountTexts, type ChangeNameBody, type ChangePasswordBody } from '#shared/api/auth.ts';
import { SESSION_IDLE_MS } from '#shared/limits.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { Transaction } from '#server/db/open.ts';
import { type AppError, invalid, notFound, sessionEnded } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session.ts';
import { hashPassword, verifyPassword } from '#server/passwords.ts';
import { nextUpdatedAt } from '#server/row-version.ts';
import * as account from './account-queries.ts';
import { createLoginAttempts } from './login-attempts.ts';
import { findUserById, type SessionRow, type UserRow } from './queries.ts';

const wrongPasswordError = (): AppError => invalid('current_password', accountTexts.currentPasswordWrong);

/** What residents and administrators do to their own account: name, password, places where they are signed in. */
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
    /** @throws 401 */
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
     * Whoever else is signed in to the account, with the old password, is out at once.
     * @throws 401, 422 when the old password is wrong, 429 after ten wrong ones from one address in 15 minutes
     */
    async changePassword(currentUser: CurrentUser, body: ChangePasswordBody, address: string): Promise<void> {
      const known = await withAttemptLimit(currentUser.email, address, () =>
        findByPassword(currentUser, body.current_password),
      );
      if (!known) throw wrongPasswordError();
      const passwordHash = await hashPassword(body.password);
      const ended = await write((tx) => {
        // Of two changes at once, the second was proved with a password that is no longer the one.
        if (requireOwnAccount(tx, currentUser).passwordHash !== known.passwordHash) throw wrongPasswordError();
        account.updatePasswordHash(tx, currentUser.id, passwordHash);
        audit.passwordChanged(tx, currentUser, currentUser);
        return account.deleteOtherSessions(tx, currentUser.id, currentUser.sessionId);
      });
      endSessions(ended);
    },

    /** Those that still count; the asking one first, then the one used last. */
    listSessions(currentUser: CurrentUser): SessionRow[] {
      const at = now();
      const filter = { currentId: currentUser.sessionId, nowMs: at, idleSinceMs: at - SESSION_IDLE_MS };
      return account.listLiveSessions(orm, currentUser.id, filter);
    },

    /** Signs out everywhere else. @throws 401 */
    async endOtherSessions(currentUser: CurrentUser): Promise<void> {
      const ended = await write((tx) => {
        policy.requireLiveSession(currentUser);
        return account.deleteOtherSessions(tx, currentUser.id, currentUser.sessionId);
      });
      endSessions(ended);
    },

    /** Signs out one place, also the asking one. @throws 401, 404 when it is missing or somebody else's */
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
