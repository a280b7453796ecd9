import {
  type CreateUserBody,
  ownPasswordTexts,
  type ResetPasswordBody,
  resetTexts,
  type UpdateUserBody,
  type UsersQuery,
} from '#shared/api/users.ts';
import { hasEmail } from '#shared/domain/users/no-email.ts';
import type { SecurityEvent } from '#shared/domain/users/security-events.ts';
import { ADMIN_USERS_DEFAULT } from '#shared/limits.ts';
import { accessTexts, errorTexts } from '#shared/texts.ts';
import type { Actor } from '#server/audit/audit-log.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { type AppError, conflict, invalid, notFound } from '#server/http/errors.ts';
import type { EncodedAnswer } from '#server/http/answers/encoded-answer.ts';
import type { ListCaller } from '#server/http/answers/list-caller.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { PasswordSource, RequireOwnPassword } from '#server/accounts/own-password.ts';
import { hashPassword } from '#server/accounts/passwords.ts';
import { nextUpdatedAt, requireUnchanged } from '#server/http/row-version.ts';
import { deleteFormerEmail } from '#server/accounts/email-queries.ts';
import { giveUpEmail, requireOwnableEmail } from '#server/accounts/emails.ts';
import { rememberFormerPhone, withPhone } from '#server/accounts/phones.ts';
import { type ChangeGuard, createSeasoning, guardOf, isAdminAccount } from '#server/accounts/seasoned.ts';
import { createRemovalRule } from '#server/accounts/second-factor/factor-removal.ts';
import { insertSecurityEvent } from '#server/accounts/security-log-queries.ts';
import { publishUserChange } from '#server/accounts/user-change.ts';
import {
  deleteOtherSessions,
  deleteSessionsOf,
  findUserById,
  hasOtherActiveAdmin,
  insertUser,
  startAdminTime,
  updatePasswordHash,
  type UserRow,
} from '#server/accounts/user-queries.ts';
import * as queries from './queries.ts';

/** Other features run these after the commit of a change to an account. */
export type AccountHooks = {
  /** Removes files that the database does not name any more. */
  removeFiles: (files: readonly string[]) => Promise<void>;
  /** Updates the inbox: a conversation appears or disappears when its account is deleted or changes its role. */
  notifyInbox: (userId: string) => Promise<void>;
  /** Removes the copy of the own data of a deleted account. */
  dropExport: (userId: string) => Promise<void>;
};

/**
 * Number of records that one commit deletes: a few milliseconds, so that other writes do not wait long. A record may have
 * 11 KB of texts, which are overwritten, and gets its own audit entry.
 */
const RECORDS_PER_COMMIT = 40;
const FILES_PER_COMMIT = 100;

/** The caller's own password, and where it comes from. */
export type OwnPassword = {
  password: string | undefined;
  source: PasswordSource;
};
/** Wrong own passwords are counted for the account, over all its sessions. */
export type PasswordDeps = { requireOwnPassword: RequireOwnPassword };

const passwordMissing = (): AppError => invalid('current_password', ownPasswordTexts.missing);

/** Users as admins manage them (R-USER-2 to R-USER-7, R-USER-16, R-PERM-6). */
export function createUserService(
  context: ServiceContext,
  { removeFiles, notifyInbox, dropExport, requireOwnPassword }: AccountHooks & PasswordDeps,
) {
  const { audit, policy, write, orm, now, operatingNow, publish, queryWorker } = context;
  const seasoning = createSeasoning(context);
  const removalRule = createRemovalRule(context);

  async function requireUser(db: ConnectionOrTransaction, id: string): Promise<UserRow> {
    const user = await findUserById(db, id);
    if (!user) throw notFound(errorTexts.userMissing);
    return user;
  }

  /** @throws 409 for the own account and for the last active admin */
  async function requireNotOwnOrLastAdmin(
    db: ConnectionOrTransaction,
    currentUser: CurrentUser,
    user: UserRow,
  ): Promise<void> {
    if (user.id === currentUser.id) throw conflict(errorTexts.ownAccount);
    // The caller is an active admin too, so one always remains. This check holds even if that should change.
    if (user.isAdmin && user.isActive && !(await hasOtherActiveAdmin(db, user.id))) {
      throw conflict(errorTexts.lastAdmin);
    }
  }

  /** A stolen session must neither make nor take an administrator. @throws 422, 429, 503 */
  async function requireConfirmed(currentUser: CurrentUser, { password, source }: OwnPassword): Promise<void> {
    if (!password) throw passwordMissing();
    await requireOwnPassword(currentUser, { current_password: password }, source);
  }

  /** @throws 401, 403 for a caller who is new, 422, 429, 503 */
  async function requireGuard(currentUser: CurrentUser, guard: ChangeGuard, ownPassword: OwnPassword): Promise<void> {
    if (guard === null) return;
    if (guard === 'seasoned') await seasoning.require(currentUser);
    if (guard === 'appointing') await seasoning.requireForAppointing(currentUser);
    await requireConfirmed(currentUser, ownPassword);
  }

  /** Inside the transaction. @throws 409, 422 when the account became another kind of account meanwhile */
  function requireSameGuard(planned: ChangeGuard, guard: ChangeGuard): void {
    if (guard === null || guard === planned) return;
    throw planned === null ? passwordMissing() : conflict(errorTexts.conflict);
  }

  /** Adds what the office, or an admin to the own account, did to the own log. */
  const noteAct = (tx: Transaction, by: CurrentUser, userId: string, event: SecurityEvent): Promise<void> =>
    insertSecurityEvent(tx, { userId, event, how: userId === by.id ? 'password' : null, by, at: now() });

  /** The other admins see it as a lasting line. Call it after the commit, and after sessions were ended. */
  function publishNotice(currentUser: CurrentUser): void {
    publish.toAdmins('notice:new', { actor_id: currentUser.id });
  }

  /** Stores a changed account; a changed role or active flag disconnects its sockets at once (R-PERM-5). */
  async function change(
    currentUser: CurrentUser,
    id: string,
    ownPassword: OwnPassword,
    edit: (db: ConnectionOrTransaction, user: UserRow) => Promise<Partial<UserRow>>,
  ): Promise<UserRow> {
    async function planChange(db: ConnectionOrTransaction) {
      const user = await requireUser(db, id);
      const changed: UserRow = { ...user, ...(await edit(db, user)), updatedAt: nextUpdatedAt(user, now()) };
      if (user.isAdmin && !changed.isAdmin) changed.adminEndedAt = operatingNow();
      if (changed.isAdmin && !hasEmail(changed.email)) throw conflict(accessTexts.emailFirst);
      const losesAccess = (user.isActive && !changed.isActive) || (user.isAdmin && !changed.isAdmin);
      if (losesAccess) await requireNotOwnOrLastAdmin(db, currentUser, user);
      return { user, changed, guard: guardOf(currentUser.id, user, changed, operatingNow()) };
    }

    // Refused changes are refused before the password is asked for.
    const planned = (await planChange(orm)).guard;
    await requireGuard(currentUser, planned, ownPassword);
    const { before, after, ended, isNotice } = await write(async (tx) => {
      await policy.requireLiveAdmin(tx, currentUser);
      const { user, changed, guard } = await planChange(tx);
      requireSameGuard(planned, guard);
      const isOwnEmail = guard === 'own' && changed.email !== user.email;
      if (isOwnEmail) await giveUpEmail(tx, user, changed.email, { operatingMs: operatingNow(), nowMs: now() });
      else await deleteFormerEmail(tx, id, changed.email);
      await queries.updateUser(tx, changed);
      if (!changed.isActive) await deleteSessionsOf(tx, id);
      const others = isOwnEmail ? await deleteOtherSessions(tx, id, currentUser.sessionId) : [];
      if (changed.isAdmin !== user.isAdmin) await queries.deletePushSubscriptionsOf(tx, id);
      await audit.userChanged(tx, currentUser, user, changed, guard !== null);
      if (changed.email !== user.email) await noteAct(tx, currentUser, id, 'email.changed');
      if (changed.phone !== user.phone) {
        await rememberFormerPhone(tx, user, operatingNow());
        await noteAct(tx, currentUser, id, 'phone.changed');
      }
      const isNewAdmin = changed.isAdmin && changed.isActive && !(user.isAdmin && user.isActive);
      if (isNewAdmin) await startAdminTime(tx, id, now());
      return { before: user, after: changed, ended: others, isNotice: guard !== null };
    });
    for (const sessionId of ended) publish.endSession(sessionId);
    const hasNewRole = before.isAdmin !== after.isAdmin;
    const hasNewStatus = before.isActive !== after.isActive;
    // After a promotion too: the sockets are still in the rooms of the old role. After an activation there are no sockets, and
    // it changes nothing.
    if (hasNewRole || hasNewStatus) publish.endUser(id);
    publishUserChange(publish, 'updated', after);
    if (isNotice) publishNotice(currentUser);
    if (hasNewRole) await notifyInbox(id);
    return after;
  }

  /** Deletes what a deleted account leaves behind, in steps. @param mayContinue asked before each step */
  async function deleteContents(deletion: queries.AccountDeletion, mayContinue: () => boolean): Promise<void> {
    const { userId, actorId, actorName } = deletion;
    const actor = { id: actorId, name: actorName, isAdmin: true };
    let isEmpty = false;
    while (!isEmpty && mayContinue()) {
      const records = await write(async (tx) => {
        const batch = await queries.deleteRecordBatch(tx, userId, RECORDS_PER_COMMIT);
        // One entry for each record, because each record shows its own audit.
        await audit.recordsDeleted(tx, actor, batch);
        return batch;
      });
      for (const { id } of records) publish.toAdmins('tax-record:changed', { id, user_id: userId, change: 'deleted' });
      await removeFiles(records.flatMap(({ proofFile }) => proofFile ?? []));
      isEmpty = records.length < RECORDS_PER_COMMIT;
    }
    isEmpty = false;
    while (!isEmpty && mayContinue()) {
      const files = await write((tx) => queries.deleteAttachmentBatch(tx, userId, FILES_PER_COMMIT));
      await removeFiles(files.flatMap(({ file, thumbFile }) => (thumbFile === null ? [file] : [file, thumbFile])));
      isEmpty = files.length < FILES_PER_COMMIT;
    }
    isEmpty = false;
    while (!isEmpty && mayContinue()) {
      isEmpty = await write(async (tx) => {
        const isLast = await queries.deleteMessageBatch(tx, userId);
        if (isLast) await queries.finishDeletion(tx, userId);
        return isLast;
      });
    }
  }

  /**
   * Deletes the account with records, proofs and conversation (R-USER-7). One short transaction takes them out of every
   * answer; the rows follow in steps, so that a large account delays no other request.
   * @param confirm asked when nothing else refuses the deletion @param inDeletion a part of its transaction
   * @throws 401, 403, 404, 409, 422
   */
  async function removeAccount(
    currentUser: CurrentUser,
    id: string,
    confirm: (guard: ChangeGuard) => Promise<void>,
    inDeletion?: (tx: Transaction, user: UserRow) => Promise<void>,
  ): Promise<void> {
    const planned = await requireUser(orm, id);
    await requireNotOwnOrLastAdmin(orm, currentUser, planned);
    const plannedGuard = guardOf(currentUser.id, planned, null, operatingNow());
    await confirm(plannedGuard);
    const deletion = { userId: id, actorId: currentUser.id, actorName: currentUser.name, createdAt: now() };
    const { user: deleted, isNotice } = await write(async (tx) => {
      await policy.requireLiveAdmin(tx, currentUser);
      const user = await requireUser(tx, id);
      await requireNotOwnOrLastAdmin(tx, currentUser, user);
      const guard = guardOf(currentUser.id, user, null, operatingNow());
      requireSameGuard(plannedGuard, guard);
      await inDeletion?.(tx, user);
      await audit.conversationDeleted(tx, currentUser, user, await queries.countMessagesOf(tx, id));
      await queries.deleteUser(tx, deletion);
      await audit.userDeleted(tx, currentUser, user, guard !== null);
      return { user, isNotice: guard !== null };
    });
    publish.endUser(id);
    publishUserChange(publish, 'deleted', deleted);
    if (isNotice) publishNotice(currentUser);
    await Promise.all([notifyInbox(id), dropExport(id), deleteContents(deletion, () => true)]);
    await context.eraseDeleted();
  }

  /**
   * Deletes an account as `removeAccount` does, for the program and not for an admin. The caller erases what is left.
   * @param isAllowed asked inside the transaction @returns whether it was deleted
   */
  async function removeUnused(
    actor: Actor,
    id: string,
    isAllowed: (tx: Transaction) => Promise<boolean>,
    mayContinue: () => boolean,
  ): Promise<boolean> {
    const deletion = { userId: id, actorId: actor.id, actorName: actor.name, createdAt: now() };
    const deleted = await write(async (tx) => {
      const user = await findUserById(tx, id);
      if (!user || isAdminAccount(user, operatingNow()) || !(await isAllowed(tx))) return null;
      await audit.conversationDeleted(tx, actor, user, await queries.countMessagesOf(tx, id));
      await queries.deleteUser(tx, deletion);
      await audit.userDeleted(tx, actor, user);
      return user;
    });
    if (!deleted) return false;
    publish.endUser(id);
    publishUserChange(publish, 'deleted', deleted);
    await Promise.all([notifyInbox(id), dropExport(id), deleteContents(deletion, mayContinue)]);
    return true;
  }

  return {
    encodeList(
      { limit = ADMIN_USERS_DEFAULT, page = 1, ...filter }: UsersQuery,
      { acceptsGzip, ...caller }: ListCaller,
    ): Promise<EncodedAnswer> {
      const request = { filter: { ...filter, limit, offset: (page - 1) * limit }, page, acceptsGzip };
      return queryWorker.run('users', request, { ...caller, isSlow: typeof filter.search === 'string' });
    },

    /** @throws 404 */
    requireUser: async (id: string): Promise<UserRow> => requireUser(orm, id),

    /** @throws 401, 403, 422 when the address is taken; for an administrator without the own password, or by one who is new */
    async create(currentUser: CurrentUser, body: CreateUserBody, ownPassword: OwnPassword): Promise<UserRow> {
      await requireOwnableEmail(orm, body.email, null, operatingNow());
      await requireGuard(currentUser, body.is_admin ? 'appointing' : null, ownPassword);
      const passwordHash = await hashPassword(body.password, { holder: currentUser.id, isPreferred: true });
      const created = await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        // Checked again: another request may have taken the address while the hash was computed.
        await requireOwnableEmail(tx, body.email, null, operatingNow());
        const { name, email, is_admin: isAdmin, is_active: isActive } = body;
        const user = await insertUser(tx, { name, email, passwordHash, isAdmin, isActive }, now());
        await audit.userCreated(tx, currentUser, user);
        if (isAdmin && isActive) await startAdminTime(tx, user.id, now());
        return user;
      });
      publishUserChange(publish, 'created', created);
      if (body.is_admin) publishNotice(currentUser);
      return created;
    },

    /**
     * @throws 401, 403, 404, 409 (own account, last admin, changed since loaded), 422 when the address is taken, or without
     * the own password where it is needed
     */
    async update(
      currentUser: CurrentUser,
      id: string,
      body: UpdateUserBody,
      ownPassword: OwnPassword,
    ): Promise<UserRow> {
      return change(currentUser, id, ownPassword, async (db, user) => {
        requireUnchanged(user, body.updated_at);
        if (body.email !== undefined && body.email !== user.email)
          await requireOwnableEmail(db, body.email, id, operatingNow());
        const isOfOffice = !hasEmail(user.email);
        const hasNewPhone = body.phone !== undefined && body.phone !== user.phone;
        if (hasNewPhone && !isOfOffice) throw conflict(accessTexts.phoneOfOwner);
        return {
          ...(isOfOffice ? withPhone(user, body, { operatingMs: operatingNow(), nowMs: now() }) : {}),
          name: body.name ?? user.name,
          email: body.email ?? user.email,
          isAdmin: body.is_admin ?? user.isAdmin,
          isActive: body.is_active ?? user.isActive,
        };
      });
    },

    /** @throws 401, 403, 404, 409, 422 */
    toggleActive: (currentUser: CurrentUser, id: string, ownPassword: OwnPassword): Promise<UserRow> =>
      change(currentUser, id, ownPassword, async (_db, user) => ({ isActive: !user.isActive })),

    /**
     * Gives a new password to a user who has forgotten the old one. All sessions of the account end, because the old
     * password may be known to a stranger.
     * @throws 401, 403, 404, 409 for the own account, whose password is changed with the old one (R-AUTH-11), 422
     */
    async resetPassword(
      currentUser: CurrentUser,
      id: string,
      { password, must_change: mustChange }: ResetPasswordBody,
      ownPassword: OwnPassword,
    ): Promise<void> {
      if (id === currentUser.id) throw conflict(resetTexts.ownPassword);
      // Checked before the costly hash, and again inside the transaction.
      const planned = await requireUser(orm, id);
      if (!hasEmail(planned.email)) throw conflict(accessTexts.withoutEmail);
      await removalRule.requireMaker(orm, id, currentUser.id);
      const isConfirmed = isAdminAccount(planned, operatingNow());
      if (isConfirmed) {
        await seasoning.require(currentUser);
        await requireConfirmed(currentUser, ownPassword);
      }
      const passwordHash = await hashPassword(password, { holder: currentUser.id, isPreferred: true });
      const isAdmins = await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        const user = await requireUser(tx, id);
        const needsPassword = isAdminAccount(user, operatingNow());
        if (needsPassword && !isConfirmed) throw passwordMissing();
        await removalRule.requireMaker(tx, id, currentUser.id);
        await updatePasswordHash(tx, id, passwordHash, now(), mustChange);
        await deleteSessionsOf(tx, id);
        await audit.passwordChanged(tx, currentUser, user, needsPassword);
        await noteAct(tx, currentUser, id, 'password.changed');
        return needsPassword;
      });
      publish.endUser(id);
      if (isAdmins) publishNotice(currentUser);
    },

    /** @throws 401, 403, 404, 409, 422 */
    remove: (currentUser: CurrentUser, id: string, ownPassword: OwnPassword): Promise<void> =>
      removeAccount(currentUser, id, (guard) => requireGuard(currentUser, guard, ownPassword)),

    removeAccount,
    removeUnused,

    /** Finishes the deletions that a crash interrupted. @param mayContinue asked before each step */
    async finishDeletions(mayContinue: () => boolean): Promise<void> {
      const unfinished = await queries.listUnfinishedDeletions(orm);
      for (const deletion of unfinished) await deleteContents(deletion, mayContinue);
      if (unfinished.length > 0 && mayContinue()) await context.eraseDeleted();
    },
  };
}
