import { accountTexts, type ChangeOwnBody, type ChangePasswordBody } from '#shared/api/auth.ts';
import { ownPasswordTexts } from '#shared/api/users.ts';
import { hasEmail } from '#shared/domain/users/no-email.ts';
import { isAdminName } from '#shared/domain/users/person-name.ts';
import { OWN_PASSWORD_TRIES } from '#shared/domain/users/wrong-tries.ts';
import { SESSION_IDLE_MS } from '#shared/limits.ts';
import { accessTexts, fieldTexts } from '#shared/texts.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { addressKey } from '#server/security/ip-addresses.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { type AppError, conflict, invalid, notFound, sessionEnded } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { type CardRow, findCardOf } from '#server/accounts/cards/card-queries.ts';
import { ownPasswordKey, type PasswordSource, type RequireOwnPassword } from '#server/accounts/own-password.ts';
import { createOwnPinRule } from '#server/accounts/cards/own-pin.ts';
import { hashPassword } from '#server/accounts/passwords.ts';
import { hasPassword } from '#server/security/no-password.ts';
import { nextUpdatedAt } from '#server/http/row-version.ts';
import { giveUpEmail } from '#server/accounts/emails.ts';
import { rememberFormerPhone, withPhone } from '#server/accounts/phones.ts';
import { isAdminAccount } from '#server/accounts/seasoned.ts';
import { insertSecurityEvent } from '#server/accounts/security-log-queries.ts';
import { publishUserChange } from '#server/accounts/user-change.ts';
import { deleteOtherSessions, findUserById, updatePasswordHash, type UserRow } from '#server/accounts/user-queries.ts';
import * as queries from './account-queries.ts';
import type { PasswordCheck } from './password-check.ts';

const wrongPasswordError = (): AppError => invalid('current_password', accountTexts.currentPasswordWrong);

async function requireUser(db: ConnectionOrTransaction, { id }: CurrentUser): Promise<UserRow> {
  const user = await findUserById(db, id);
  if (!user) throw sessionEnded();
  return user;
}

/** Changes to the own account, for users and admins: name, password, sessions (R-AUTH-10 to R-AUTH-12). */
export function createAccountService(context: ServiceContext, passwords: PasswordCheck) {
  const { audit, policy, userWrites, write, now, earliestNow, operatingNow, orm, publish } = context;
  const requireOwnPassword = createOwnPasswordRule(context, passwords);

  /** @throws 401, 403 */
  async function requireOwnAccount(tx: Transaction, currentUser: CurrentUser): Promise<UserRow> {
    await policy.requireLiveSession(tx, currentUser);
    return requireUser(tx, currentUser);
  }

  /** @throws 401 when another change has ended the session, 422, 429, 503 */
  async function requireOldPassword(
    currentUser: CurrentUser,
    account: UserRow,
    password: string | undefined,
    source: PasswordSource,
  ): Promise<void> {
    if (password === undefined) throw invalid('current_password', accountTexts.currentPasswordRequired);
    if (await passwords.isRight({ ...source, email: account.email, account, password })) return;
    // A change from another session makes the password wrong, and ends this session.
    await policy.requireLiveSession(orm, currentUser);
    throw wrongPasswordError();
  }

  function endSessions(ids: readonly string[]): void {
    for (const id of ids) publish.endSession(id);
  }

  return {
    /**
     * Changes the name, the address and the number. Another address or number needs the own password and ends all other sessions:
     * it may open the account one day (R-ACCESS-10, R-ACCESS-17).
     * @throws 401, 403, 422 without the right password or for an address of others, 429, 503, 507
     */
    async changeOwn(
      currentUser: CurrentUser,
      { current_password, pin, device_token: deviceToken, ...body }: ChangeOwnBody,
      source: Omit<PasswordSource, 'deviceToken'>,
    ): Promise<UserRow> {
      userWrites.countChange(currentUser);
      const times = () => ({ operatingMs: operatingNow(), nowMs: now() });
      const plan = (user: UserRow) => {
        const { name = user.name, email = user.email } = body;
        const after: UserRow = { ...user, name, email, ...withPhone(user, body, times()) };
        return { after, hasNewEmail: email !== user.email, hasNewPhone: after.phone !== user.phone };
      };
      const planned = plan(await requireUser(orm, currentUser));
      const isConfirmed = planned.hasNewEmail || planned.hasNewPhone;
      const how = isConfirmed
        ? await requireOwnPassword(currentUser, { current_password, pin }, { ...source, deviceToken })
        : 'password';
      const { changed, ended, isNotice } = await write(async (tx) => {
        const user = await requireOwnAccount(tx, currentUser);
        const { after, hasNewEmail, hasNewPhone } = plan(user);
        const opensLater = hasNewEmail || hasNewPhone;
        // The account changed meanwhile.
        if (opensLater && !isConfirmed) throw invalid('current_password', ownPasswordTexts.required);
        if (after.name === user.name && !opensLater && after.phoneConsentAt === user.phoneConsentAt)
          return { changed: user, ended: [], isNotice: false };
        // Admins may be called so; a user would fool them.
        if (after.name !== user.name && !user.isAdmin && isAdminName(after.name))
          throw invalid('name', fieldTexts.nameOfAdmin);
        const stored: UserRow = { ...after, updatedAt: nextUpdatedAt(user, now()) };
        if (hasNewEmail) await giveUpEmail(tx, user, stored.email, times());
        await queries.updateOwn(tx, stored);
        const isAdmins = isAdminAccount(user, operatingNow());
        await audit.userChanged(tx, currentUser, user, stored, isAdmins && opensLater);
        if (!opensLater) return { changed: stored, ended: [], isNotice: false };
        const act = { userId: user.id, how, by: currentUser, at: now() } as const;
        if (hasNewEmail) await insertSecurityEvent(tx, { ...act, event: 'email.changed' });
        if (hasNewPhone) {
          await rememberFormerPhone(tx, user, operatingNow());
          await insertSecurityEvent(tx, { ...act, event: 'phone.changed' });
        }
        const others = await deleteOtherSessions(tx, currentUser.id, currentUser.sessionId);
        return { changed: stored, ended: others, isNotice: isAdmins || hasNewEmail };
      });
      endSessions(ended);
      publishUserChange(publish, 'updated', changed);
      if (isNotice) publish.toAdmins('notice:new', { actor_id: currentUser.id });
      return changed;
    },

    /**
     * Ends all other sessions of the account: they began with the old password.
     * @returns the new device token of this browser
     * @throws 401, 403, 422 when the old password is wrong, 429 after too many wrong ones or changes, 503 while too many others wait, 507
     */
    async changePassword(
      currentUser: CurrentUser,
      { current_password: currentPassword, pin, password, device_token: deviceToken }: ChangePasswordBody,
      source: Omit<PasswordSource, 'deviceToken'>,
    ): Promise<string> {
      const account = await findUserById(orm, currentUser.id);
      if (!account) throw sessionEnded();
      const how = (await findOwnCard(orm, account)) ? 'pin' : 'password';
      if (how === 'pin') {
        // A password without an address opens nothing.
        if (!hasEmail(account.email)) throw conflict(accessTexts.emailFirst);
        await requireOwnPassword(currentUser, { pin }, { ...source, deviceToken });
      } else await requireOldPassword(currentUser, account, currentPassword, { ...source, deviceToken });
      if (account.mustChangePassword && password === currentPassword) {
        throw invalid('password', accessTexts.passwordOfOffice);
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
        await insertSecurityEvent(tx, {
          userId: currentUser.id,
          event: 'password.changed',
          how,
          by: currentUser,
          at: now(),
        });
        return deleteOtherSessions(tx, currentUser.id, currentUser.sessionId);
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
        return deleteOtherSessions(tx, currentUser.id, currentUser.sessionId);
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
  return async (currentUser, password, source) => {
    const account = await requireUser(orm, currentUser);
    return passwords.isRight({ ...source, email: account.email, account, password });
  };
}

/**
 * The own password for what opens an account later: five wrong ones of the account in 15 minutes, from whichever session, and no
 * more is looked at (R-ACCESS-7). The PIN of a card takes its place in an account that has no password: beside one it does not,
 * because the office makes cards, and a clerk could take over the account with it (R-ACCESS-45).
 */
export function createOwnPasswordRule(
  context: Pick<ServiceContext, 'orm' | 'policy' | 'wrongTries' | 'secret' | 'now'>,
  passwords: PasswordCheck,
): RequireOwnPassword {
  const { orm, policy, wrongTries } = context;
  const isOwnPassword = createOwnPasswordCheck(context, passwords);
  const requireOwnPin = createOwnPinRule(context);
  /** @returns which of the two it was @throws 401 for an ended session, 403 for a blocked card, 422, 429, 503 */
  return async (currentUser, { current_password: password, pin }, source) => {
    const card = await findOwnCard(orm, await requireUser(orm, currentUser));
    if (card) {
      await requireOwnPin(card, pin, source);
      return 'pin';
    }
    if (!password) throw invalid('current_password', ownPasswordTexts.required);
    const look = async (): Promise<true | null> => {
      if (await isOwnPassword(currentUser, password, source)) return true;
      // Another session may have changed the password and ended this one; that is no wrong try.
      await policy.requireLiveSession(orm, currentUser);
      return null;
    };
    const isRight = await wrongTries.run(ownPasswordKey(currentUser.id), OWN_PASSWORD_TRIES, look);
    if (!isRight) throw invalid('current_password', ownPasswordTexts.wrong);
    return 'password';
  };
}

/** The card whose PIN takes the place of the password. */
const findOwnCard = async (db: ConnectionOrTransaction, { id, passwordHash }: UserRow): Promise<CardRow | undefined> =>
  hasPassword(passwordHash) ? undefined : findCardOf(db, id);
