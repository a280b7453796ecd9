import { v7 as newId } from 'uuid';
import type { LoginBody, RegisterBody } from '#shared/api/auth.ts';
import { SESSION_IDLE_MS } from '#shared/limits.ts';
import { errorTexts } from '#shared/texts.ts';
import type { Orm } from '#server/db/open.ts';
import type { Context } from '#server/context.ts';
import { AppError, invalid, notFound, sessionEnded } from '#server/http/errors.ts';
import { hashPassword, NOBODYS_HASH, verifyPassword } from '#server/passwords.ts';
import { createLoginAttempts } from './login-attempts.ts';
import * as queries from './queries.ts';
import type { Origin, Sessions } from './sessions.ts';

export type SignedIn = { token: string; user: queries.UserRow };

const wrongLogin = (): AppError => new AppError(401, errorTexts.wrongLogin);

/** Signing in, up and out (specification 7, contract 3 and 4). */
export function createAuthService(context: Context, sessions: Sessions) {
  const { audit, orm, commit, now } = context;
  const attempts = createLoginAttempts(context);

  /** The account that this e-mail and password open; takes the same time whether the account exists or not. */
  async function findByPassword({ email, password }: LoginBody): Promise<queries.UserRow | null> {
    const known = queries.findUserByEmail(orm, email);
    const isRight = await verifyPassword(password, known?.passwordHash ?? NOBODYS_HASH);
    return known && isRight ? known : null;
  }

  return {
    /**
     * @throws 401 for a wrong e-mail or password (same text, same time), 403 for an inactive account, 429 after ten
     * wrong passwords for one account from one address
     */
    async login(body: LoginBody, origin: Origin): Promise<SignedIn> {
      const known = await attempts.limited(body.email, origin.address, () => findByPassword(body));
      if (!known) throw wrongLogin();
      return commit((tx) => {
        const user = queries.findUserById(tx, known.id);
        // The account or its password may have changed while the hash was being computed.
        if (!user || user.passwordHash !== known.passwordHash) throw wrongLogin();
        if (!user.isActive) throw new AppError(403, errorTexts.inactiveAccount);
        queries.deleteDeadSessions(tx, now(), now() - SESSION_IDLE_MS);
        return { token: sessions.open(tx, user.id, origin), user };
      });
    },

    /** Makes a plain active user, whatever else was sent. @throws 422 when the e-mail is taken */
    async register({ name, email, password }: RegisterBody, origin: Origin): Promise<SignedIn> {
      const requireFree = (tx: Orm): void => {
        if (queries.findUserByEmail(tx, email)) throw invalid('email', errorTexts.emailTaken);
      };
      requireFree(orm);
      const passwordHash = await hashPassword(password);
      return commit((tx) => {
        // Asked again: somebody else may have taken it meanwhile, and writes run one after the other.
        requireFree(tx);
        const at = now();
        const user: queries.UserRow = {
          id: newId(),
          name,
          email,
          passwordHash,
          isAdmin: false,
          isActive: true,
          createdAt: at,
          updatedAt: at,
        };
        queries.insertUser(tx, user);
        // Nobody else made the account.
        audit.userCreated(tx, user, user);
        return { token: sessions.open(tx, user.id, origin), user };
      });
    },

    /** After the office gave an account another password. */
    forgetAttempts: attempts.forget,

    requireUser(id: string): queries.UserRow {
      const user = queries.findUserById(orm, id);
      if (!user) throw sessionEnded();
      return user;
    },

    /** @throws 404 while the office has no active administrator */
    requireContactAdmin(): { id: string; name: string } {
      const admin = queries.findContactAdmin(orm);
      if (!admin) throw notFound(errorTexts.noAdmin);
      return admin;
    },
  };
}
export type AuthService = ReturnType<typeof createAuthService>;
