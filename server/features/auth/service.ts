import type { LoginBody, RegisterBody } from '#shared/api/auth.ts';
import { SESSION_IDLE_MS } from '#shared/limits.ts';
import { errorTexts } from '#shared/texts.ts';
import type { ConnectionOrTransaction } from '#server/db/open.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { AppError, invalid, notFound, sessionEnded } from '#server/http/errors.ts';
import { hashPassword, DUMMY_HASH, verifyPassword } from '#server/passwords.ts';
import { findUserByEmail, findUserById, insertUser, type UserRow } from '#server/user-queries.ts';
import { createLoginAttempts } from './login-attempts.ts';
import * as queries from './queries.ts';
import type { ClientInfo, Sessions } from './sessions.ts';

export type SignInResult = { token: string; user: UserRow };

const wrongLoginError = (): AppError => new AppError(401, errorTexts.wrongLogin);

/** Login and registration (R-AUTH-1 to R-AUTH-6). */
export function createAuthService(context: ServiceContext, sessions: Sessions) {
  const { audit, orm, write, now } = context;
  const attempts = createLoginAttempts(context);

  /** Takes the same time for an unknown account, so that the time does not reveal which accounts exist. */
  async function findByPassword({ email, password }: LoginBody): Promise<UserRow | null> {
    const account = findUserByEmail(orm, email);
    const isRight = await verifyPassword(password, account?.passwordHash ?? DUMMY_HASH);
    return account && isRight ? account : null;
  }

  return {
    /**
     * @throws 401 for a wrong e-mail address or password, 403 for an inactive account, 429 after ten wrong passwords for
     * one account from one IP address
     */
    async login(body: LoginBody, clientInfo: ClientInfo): Promise<SignInResult> {
      const account = await attempts.withAttemptLimit(body.email, clientInfo.address, () => findByPassword(body));
      if (!account) throw wrongLoginError();
      return write((tx) => {
        const user = findUserById(tx, account.id);
        // The account or its password may have changed while the hash was computed.
        if (!user || user.passwordHash !== account.passwordHash) throw wrongLoginError();
        if (!user.isActive) throw new AppError(403, errorTexts.inactiveAccount);
        queries.deleteExpiredSessions(tx, now(), now() - SESSION_IDLE_MS);
        return { token: sessions.open(tx, user.id, clientInfo), user };
      });
    },

    /** Creates an active user who is not an admin, whatever else was sent. @throws 422 when the address is taken */
    async register({ name, email, password }: RegisterBody, clientInfo: ClientInfo): Promise<SignInResult> {
      const requireFreeEmail = (db: ConnectionOrTransaction): void => {
        if (findUserByEmail(db, email)) throw invalid('email', errorTexts.emailTaken);
      };
      requireFreeEmail(orm);
      const passwordHash = await hashPassword(password);
      return write((tx) => {
        // Checked again: another request may have taken the address while the hash was computed.
        requireFreeEmail(tx);
        const user = insertUser(tx, { name, email, passwordHash, isAdmin: false, isActive: true }, now());
        // The new user is the actor of this entry too.
        audit.userCreated(tx, user, user);
        return { token: sessions.open(tx, user.id, clientInfo), user };
      });
    },

    /** Clears the count of wrong passwords after an admin gave the account a new password. */
    resetAttempts: attempts.resetAttempts,

    requireUser(id: string): UserRow {
      const user = findUserById(orm, id);
      if (!user) throw sessionEnded();
      return user;
    },

    /** @throws 404 while there is no active admin */
    requireContactAdmin(): { id: string; name: string } {
      const admin = queries.findContactAdmin(orm);
      if (!admin) throw notFound(errorTexts.noAdmin);
      return admin;
    },
  };
}
export type AuthService = ReturnType<typeof createAuthService>;
