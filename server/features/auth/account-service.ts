import { accountTexts, type ChangeNameBody, type ChangePasswordBody } from '#shared/api/auth.ts';
import { SESSION_IDLE_MS } from '#shared/limits.ts';
import type { Context } from '#server/context.ts';
import type { Orm } from '#server/db/open.ts';
import { type AppError, invalid, notFound, sessionEnded } from '#server/http/errors.ts';
import type { Viewer } from '#server/http/session.ts';
import { hashPassword, verifyPassword } from '#server/passwords.ts';
import * as account from './account-queries.ts';
import { createLoginAttempts } from './login-attempts.ts';
import { findUserById, prepareLiveSession, type SessionRow, type UserRow } from './queries.ts';

const wrongPassword = (): AppError => invalid('current_password', accountTexts.currentPasswordWrong);

/** What residents and administrators do to their own account: name, password, places where they are signed in. */
export function createAccountService(context: Context) {
  const { audit, commit, now, orm, publish } = context;
  const { limited } = createLoginAttempts(context);
  const findLiveSession = prepareLiveSession(orm);

  /** Asked where something is written: the session may have ended since it was let in. @throws 401 */
  function requireSelf(tx: Orm, viewer: Viewer): UserRow {
    const at = now();
    const user = findLiveSession(viewer.sessionId, at, at - SESSION_IDLE_MS) && findUserById(tx, viewer.id);
    if (!user) throw sessionEnded();
    return user;
  }

  async function findByPassword(viewer: Viewer, password: string): Promise<UserRow | null> {
    const known = findUserById(orm, viewer.id);
    if (!known) throw sessionEnded();
    return (await verifyPassword(password, known.passwordHash)) ? known : null;
  }

  function endSessions(ids: readonly string[]): void {
    for (const id of ids) publish.endSession(id);
  }

  return {
    /** @throws 401 */
    async changeName(viewer: Viewer, { name }: ChangeNameBody): Promise<UserRow> {
      return commit((tx) => {
        const user = requireSelf(tx, viewer);
        if (user.name === name) return user;
        const renamed: UserRow = { ...user, name, updatedAt: Math.max(now(), user.updatedAt + 1) };
        account.updateName(tx, renamed);
        audit.userChanged(tx, viewer, user, renamed);
        return renamed;
      });
    },

    /**
     * Whoever else is signed in to the account, with the old password, is out at once.
     * @throws 401, 422 when the old password is wrong, 429 after ten wrong ones from one address in 15 minutes
     */
    async changePassword(viewer: Viewer, body: ChangePasswordBody, address: string): Promise<void> {
      const known = await limited(viewer.email, address, () => findByPassword(viewer, body.current_password));
      if (!known) throw wrongPassword();
      const passwordHash = await hashPassword(body.password);
      const ended = await commit((tx) => {
        // Of two changes at once, the second was proved with a password that is no longer the one.
        if (requireSelf(tx, viewer).passwordHash !== known.passwordHash) throw wrongPassword();
        account.updatePasswordHash(tx, viewer.id, passwordHash);
        audit.passwordChanged(tx, viewer, viewer);
        return account.deleteOtherSessions(tx, viewer.id, viewer.sessionId);
      });
      endSessions(ended);
    },

    /** Those that still count; the asking one first, then the one used last. */
    listSessions(viewer: Viewer): SessionRow[] {
      const at = now();
      const which = { currentId: viewer.sessionId, nowMs: at, idleSinceMs: at - SESSION_IDLE_MS };
      return account.listLiveSessions(orm, viewer.id, which);
    },

    /** Signs out everywhere else. @throws 401 */
    async endOtherSessions(viewer: Viewer): Promise<void> {
      const ended = await commit((tx) => {
        requireSelf(tx, viewer);
        return account.deleteOtherSessions(tx, viewer.id, viewer.sessionId);
      });
      endSessions(ended);
    },

    /** Signs out one place, also the asking one. @throws 401, 404 when it is missing or somebody else's */
    async endOwnSession(viewer: Viewer, sessionId: string): Promise<void> {
      await commit((tx) => {
        requireSelf(tx, viewer);
        if (!account.deleteSessionOf(tx, viewer.id, sessionId)) throw notFound(accountTexts.sessionMissing);
      });
      endSessions([sessionId]);
    },
  };
}
export type AccountService = ReturnType<typeof createAccountService>;
