import type { LoginBody, OwnAccount, RegisterBody } from '#shared/api/auth.ts';
import { isSameVersion, presentTexts } from '#shared/legal-versions.ts';
import { SESSION_IDLE_MS } from '#shared/limits.ts';
import { errorTexts } from '#shared/texts.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { presentAccount } from '#server/http/answers/present.ts';
import { AppError, notFound, sessionEnded } from '#server/http/errors.ts';
import { insertConsent, listConsentsDue } from '#server/consents/consent-queries.ts';
import { requireOwnableEmail } from '#server/accounts/emails.ts';
import { countSpareCodes, findFactor } from '#server/accounts/second-factor/factor-queries.ts';
import { createRemovalRule } from '#server/accounts/second-factor/factor-removal.ts';
import { publishUserChange } from '#server/accounts/user-change.ts';
import { findUserByEmail, findUserById, insertUser, type UserRow } from '#server/accounts/user-queries.ts';
import type { PasswordCheck } from './password-check.ts';
import * as queries from './queries.ts';
import type { ClientInfo, Entrance, OpenedSession, Sessions } from './sessions.ts';

export type SignInResult = { token: string; user: UserRow; deviceToken: string };
/** The result of a way in: the second step may be missing. */
export type EntranceResult = SignInResult | { ticket: string };
/** The device and the address of a login, and whether its caller still waits for the answer. */
export type SignInClient = ClientInfo & { signal?: AbortSignal };

const wrongLoginError = (): AppError => new AppError(401, errorTexts.wrongLogin);

/** Login and registration (R-AUTH-1 to R-AUTH-6). */
export function createAuthService(context: ServiceContext, sessions: Sessions, passwords: PasswordCheck) {
  const { audit, orm, userWrites, write, now, earliestNow, latestNow, operatingNow, publish, adminsNeedFactor } =
    context;
  const removalRule = createRemovalRule(context);

  /** Runs after the commit: ends the sessions that the new one replaced. */
  function finishSignIn(session: OpenedSession, user: UserRow, offeredToken?: string): SignInResult {
    sessions.endReplaced({ session });
    return { token: session.token, user, deviceToken: passwords.issueDeviceToken(user, offeredToken) };
  }

  const finishEntrance = (
    { entrance, user }: { entrance: Entrance; user: UserRow },
    offeredToken?: string,
  ): EntranceResult =>
    entrance.session ? finishSignIn(entrance.session, user, offeredToken) : { ticket: entrance.ticket };

  return {
    finishEntrance,

    /**
     * @throws 401 for a wrong e-mail address or password, 403 for an inactive account or a password of R-ACCESS-68, 429 after too many wrong passwords,
     * 503 while too many others wait
     */
    async login(body: LoginBody, client: SignInClient): Promise<EntranceResult> {
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
        await removalRule.requirePasswordEntry(tx, user.id);
        return { entrance: await sessions.enter(tx, user.id, client, 'password'), user };
      });
      return finishEntrance(signedIn, deviceToken);
    },

    /**
     * Creates an active user who is not an admin, whatever else was sent.
     * @throws 422 when the address is taken, 429 after too many accounts from one address, 503 while too many others wait,
     * 507 while the disk is nearly full
     */
    async register(
      { name, email, password, consents = presentTexts }: RegisterBody,
      client: SignInClient,
    ): Promise<SignInResult> {
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
        for (const text of presentTexts.filter((present) => consents.some((shown) => isSameVersion(shown, present))))
          await insertConsent(tx, user.id, text, now());
        return { session: await sessions.open(tx, user.id, client), user };
      });
      publishUserChange(publish, 'created', signedIn.user);
      return finishSignIn(signedIn.session, signedIn.user);
    },

    async requireUser(id: string): Promise<UserRow> {
      const user = await findUserById(orm, id);
      if (!user) throw sessionEnded();
      return user;
    },

    /** The account as its owner sees it. */
    async presentOwn(user: UserRow): Promise<OwnAccount> {
      const hasFactor = (await findFactor(orm, user.id)) !== undefined;
      return {
        ...presentAccount(user),
        consents_due: await listConsentsDue(orm, user),
        has_second_factor: hasFactor,
        recovery_codes_left: hasFactor ? await countSpareCodes(orm, user.id) : 0,
        must_set_up_second_factor: adminsNeedFactor && user.isAdmin && !hasFactor,
      };
    },

    /** @throws 404 while there is no active admin */
    async requireContactAdmin(): Promise<{ id: string; name: string }> {
      const admin = await queries.findContactAdmin(orm);
      if (!admin) throw notFound(errorTexts.noAdmin);
      return admin;
    },
  };
}
export type AuthService = ReturnType<typeof createAuthService>;
