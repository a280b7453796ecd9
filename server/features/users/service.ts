import { setImmediate as nextTurn } from 'node:timers/promises';
import { v7 as newId } from 'uuid';
import {
  type CreateUserBody,
  type ResetPasswordBody,
  resetTexts,
  type UpdateUserBody,
  type UsersQuery,
} from '#shared/api/users.ts';
import { ADMIN_USERS_DEFAULT } from '#shared/limits.ts';
import { errorTexts } from '#shared/texts.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/open.ts';
import { conflict, invalid, notFound } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session.ts';
import { hashPassword } from '#server/passwords.ts';
import { nextUpdatedAt, requireUnchanged } from '#server/row-version.ts';
import * as queries from './queries.ts';
import type { ListedUser, UserRow } from './queries.ts';

export type UserPage = { rows: ListedUser[]; total: number; perPage: number; page: number };
/** What other features do about an account, after the commit. */
export type AccountHooks = {
  /** Removes image files that no record refers to any more. */
  removeProofs: (files: readonly string[]) => Promise<void>;
  /** Tells the chat desk that a conversation came or went, because its account was deleted or changed its role. */
  notifyInbox: (userId: string) => Promise<void>;
  /** Wrong passwords that were tried before do not count against a new one. */
  resetLoginAttempts: (email: string) => void;
};

/** So many deleted records are told of in one go; then others get their turn. */
const PUBLISH_BATCH_SIZE = 100;

/** Accounts as administrators manage them (specification 2.4 and 7, contract 3 and 4). */
export function createUserService(
  context: ServiceContext,
  { removeProofs, notifyInbox, resetLoginAttempts }: AccountHooks,
) {
  const { audit, policy, write, orm, now, publish, queryWorker } = context;

  function requireUser(db: ConnectionOrTransaction, id: string): UserRow {
    const user = queries.findUser(db, id);
    if (!user) throw notFound(errorTexts.userMissing);
    return user;
  }

  /** @throws 409 for one's own account or the last active administrator */
  function requireNotOwnOrLastAdmin(tx: Transaction, currentUser: CurrentUser, user: UserRow): void {
    if (user.id === currentUser.id) throw conflict(errorTexts.ownAccount);
    // Whoever acts is an administrator too and stays; that one remains must not hang on this alone.
    if (user.isAdmin && user.isActive && !queries.hasOtherActiveAdmin(tx, user.id)) {
      throw conflict(errorTexts.lastAdmin);
    }
  }

  function requireFreeEmail(db: ConnectionOrTransaction, email: string, userId: string | null): void {
    const owner = queries.findEmailOwner(db, email);
    if (owner && owner.id !== userId) throw invalid('email', errorTexts.emailTaken);
  }

  /** Stores a changed account; whose flag or role is another one is out at once. */
  async function change(
    currentUser: CurrentUser,
    id: string,
    edit: (tx: Transaction, user: UserRow) => Partial<UserRow>,
  ): Promise<UserRow> {
    const { before, after } = await write((tx) => {
      policy.requireLiveAdmin(currentUser);
      const user = requireUser(tx, id);
      const changed: UserRow = { ...user, ...edit(tx, user), updatedAt: nextUpdatedAt(user, now()) };
      const losesAccess = (user.isActive && !changed.isActive) || (user.isAdmin && !changed.isAdmin);
      if (losesAccess) requireNotOwnOrLastAdmin(tx, currentUser, user);
      queries.updateUser(tx, changed);
      if (!changed.isActive) queries.deleteSessionsOf(tx, id);
      audit.userChanged(tx, currentUser, user, changed);
      return { before: user, after: changed };
    });
    const hasNewRole = before.isAdmin !== after.isAdmin;
    // A new role is out too: its sockets are in the rooms of the old one.
    if (hasNewRole || before.isActive !== after.isActive) publish.endUser(id);
    if (hasNewRole) await notifyInbox(id);
    return after;
  }

  async function publishDeletedRecords(userId: string, recordIds: string[]): Promise<void> {
    for (const [index, id] of recordIds.entries()) {
      if (index > 0 && index % PUBLISH_BATCH_SIZE === 0) await nextTurn();
      publish.toAdmins('tax-record:changed', { id, user_id: userId, change: 'deleted' });
    }
  }

  return {
    /** Runs in the reading worker: a search reads every account. */
    async list({ limit = ADMIN_USERS_DEFAULT, page = 1, ...filter }: UsersQuery): Promise<UserPage> {
      const found = await queryWorker.run('users', { ...filter, limit, offset: (page - 1) * limit });
      return { ...found, perPage: limit, page };
    },

    /** @throws 404 */
    requireUser: (id: string): UserRow => requireUser(orm, id),

    /** @throws 401, 403, 422 when the e-mail is taken */
    async create(currentUser: CurrentUser, body: CreateUserBody): Promise<UserRow> {
      requireFreeEmail(orm, body.email, null);
      const passwordHash = await hashPassword(body.password);
      return write((tx) => {
        policy.requireLiveAdmin(currentUser);
        // Asked again: somebody else may have taken it while the hash was being computed.
        requireFreeEmail(tx, body.email, null);
        const at = now();
        const user: UserRow = {
          id: newId(),
          name: body.name,
          email: body.email,
          passwordHash,
          isAdmin: body.is_admin,
          isActive: body.is_active,
          createdAt: at,
          updatedAt: at,
        };
        queries.insertUser(tx, user);
        audit.userCreated(tx, currentUser, user);
        return user;
      });
    },

    /** @throws 401, 403, 404, 409 (own account, last administrator, changed since loaded), 422 when the e-mail is taken */
    async update(currentUser: CurrentUser, id: string, body: UpdateUserBody): Promise<UserRow> {
      return change(currentUser, id, (tx, user) => {
        requireUnchanged(user, body.updated_at);
        if (body.email !== undefined) requireFreeEmail(tx, body.email, id);
        return {
          name: body.name ?? user.name,
          email: body.email ?? user.email,
          isAdmin: body.is_admin ?? user.isAdmin,
          isActive: body.is_active ?? user.isActive,
        };
      });
    },

    /** @throws 401, 403, 404, 409 */
    toggleActive: (currentUser: CurrentUser, id: string): Promise<UserRow> =>
      change(currentUser, id, (_tx, user) => ({ isActive: !user.isActive })),

    /**
     * For somebody who has forgotten theirs. Whoever is signed in to the account is out at once: an office that gives a new
     * password may be doing it because the old one is in wrong hands.
     * @throws 401, 403, 404, 409 for one's own account, which is changed with the old password
     */
    async resetPassword(currentUser: CurrentUser, id: string, { password }: ResetPasswordBody): Promise<void> {
      if (id === currentUser.id) throw conflict(resetTexts.ownPassword);
      // Before the costly hash; asked again below, where it counts.
      requireUser(orm, id);
      const passwordHash = await hashPassword(password);
      const { email } = await write((tx) => {
        policy.requireLiveAdmin(currentUser);
        const user = requireUser(tx, id);
        queries.updatePasswordHash(tx, id, passwordHash);
        queries.deleteSessionsOf(tx, id);
        audit.passwordChanged(tx, currentUser, user);
        return user;
      });
      resetLoginAttempts(email);
      publish.endUser(id);
    },

    /** The account with records, proofs and conversation, in one transaction (contract 3). @throws 401, 403, 404, 409 */
    async remove(currentUser: CurrentUser, id: string): Promise<void> {
      const records = await write((tx) => {
        policy.requireLiveAdmin(currentUser);
        const user = requireUser(tx, id);
        requireNotOwnOrLastAdmin(tx, currentUser, user);
        const deletedRecords = queries.listRecordsOf(tx, id);
        // Told one by one: each record has a history of its own, and this is its end.
        audit.recordsDeleted(tx, currentUser, deletedRecords);
        audit.conversationDeleted(tx, currentUser, user, queries.countMessagesOf(tx, id));
        queries.deleteUser(tx, id);
        audit.userDeleted(tx, currentUser, user);
        return deletedRecords;
      });
      publish.endUser(id);
      const files = records.flatMap(({ proofFile }) => proofFile ?? []);
      await Promise.all([
        notifyInbox(id),
        publishDeletedRecords(
          id,
          records.map((record) => record.id),
        ),
        removeProofs(files),
      ]);
    },
  };
}
export type UserService = ReturnType<typeof createUserService>;
