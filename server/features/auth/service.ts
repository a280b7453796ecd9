import type { LoginBody, OwnAccount, RegisterBody } from '#shared/api/auth.ts';
import { LEGAL_DOCUMENTS } from '#shared/legal-texts.ts';
import { SESSION_IDLE_MS } from '#shared/limits.ts';
import { errorTexts } from '#shared/texts.ts';
import type { ConnectionOrTransaction } from '#server/db/open.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { presentAccount } from '#server/http/answers/present.ts';
import { AppError, notFound, sessionEnded } from '#server/http/errors.ts';
import { insertConsent, listConsentsDue } from '#server/consents/consent-queries.ts';
import { requireOwnableEmail } from '#server/accounts/emails.ts';
import { publishUserChange } from '#server/accounts/user-change.ts';
import { findUserByEmail, findUserById, insertUser, type UserRow } from '#server/accounts/user-queries.ts';
import type { PasswordCheck } from './password-check.ts';
import * as queries from './queries.ts';
import type { ClientInfo, OpenedSession, Sessions } from './sessions.ts';

export type SignInResult = { token: string; user: UserRow; deviceToken: string };
/** The device and the address of a login, and whether its caller still waits for the answer. */
export type SignInClient = ClientInfo & { signal?: AbortSignal };

const wrongLoginError = (): AppError => new AppError(401, errorTexts.wrongLogin);

/** Login and registration (R-AUTH-1 to R-AUTH-6). */
export function createAuthService(context: ServiceContext, sessions: Sessions, passwords: PasswordCheck) {
  const { audit, orm, userWrites, write, now, earliestNow, latestNow, operatingNow, publish } = context;

  /** Runs after the commit: ends the sessions that the new one replaced. */
  function finishSignIn(
    { session, user }: { session: OpenedSession; user: UserRow },
    offeredToken?: string,
  ): SignInResult {
    sessions.endReplaced(session);
    return { token: session.token, user, deviceToken: passwords.issueDeviceToken(user, offeredToken) };
  }

  return {
    finishSignIn,

    /**
     * @throws 401 for a wrong e-mail address or password, 403 for an inactive account, 429 after too many wrong passwords,
     * 503 while too many others wait
     */
    async login(body: LoginBody, client: SignInClient): Promise<SignInResult> {
      const { email, password, device_token: deviceToken } = body;
      const { address, signal } = client;
      const account = await findUserByEmail(orm, email);
      const isRight = await passwords.isRight({ email, account, password, address, deviceToken, signal });
      if (!account || !isRight) throw wrongLoginError();
      const signedIn = await write(async (tx) => {
        const user = await findUserById(tx, account.id);
        // The account or its password may have changed while the hash was computed.
        if (!user || user.passwordHash !== account.passwordHash) throw wrongLoginError();
        if (!user.isActive) throw new AppError(403, errorTexts.inactiveAccount);
        await queries.deleteExpiredSessions(tx, earliestNow(), earliestNow() - SESSION_IDLE_MS);
        await queries.clampFutureSessions(tx, latestNow());
        return { session: await sessions.open(tx, user.id, client), user };
      });
      return finishSignIn(signedIn, deviceToken);
    },

    /**
     * Creates an active user who is not an admin, whatever else was sent.
     * @throws 422 when the address is taken, 429 after too many accounts from one address, 503 while too many others wait,
     * 507 while the disk is nearly full
     */
    async register({ name, email, password }: RegisterBody, client: SignInClient): Promise<SignInResult> {
      const requireFreeEmail = (db: ConnectionOrTransaction): Promise<void> =>
        requireOwnableEmail(db, email, null, operatingNow());
      userWrites.requireSpace(null);
      await requireFreeEmail(orm);
      const passwordHash = await passwords.hashForRegistration(password, client);
      const signedIn = await write(async (tx) => {
        // Checked again: another request may have taken the address while the hash was computed.
        await requireFreeEmail(tx);
        const user = await insertUser(tx, { name, email, passwordHash, isAdmin: false, isActive: true }, now());
        // The new user is the actor of this entry too.
        await audit.userCreated(tx, user, user);
        for (const document of LEGAL_DOCUMENTS) await insertConsent(tx, user.id, document, now());
        return { session: await sessions.open(tx, user.id, client), user };
      });
      publishUserChange(publish, 'created', signedIn.user);
      return finishSignIn(signedIn);
    },

    async requireUser(id: string): Promise<UserRow> {
      const user = await findUserById(orm, id);
      if (!user) throw sessionEnded();
      return user;
    },

    /** The account as its owner sees it. */
    presentOwn: async (user: UserRow): Promise<OwnAccount> => ({
      ...presentAccount(user),
      consents_due: await listConsentsDue(orm, user),
    }),

    /** @throws 404 while there is no active admin */
    async requireContactAdmin(): Promise<{ id: string; name: string }> {
      const admin = await queries.findContactAdmin(orm);
      if (!admin) throw notFound(errorTexts.noAdmin);
      return admin;
    },
  };
}
export type AuthService = ReturnType<typeof createAuthService>;
