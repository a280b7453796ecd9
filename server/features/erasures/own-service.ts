import { v7 as newId } from 'uuid';
import type { AskErasureBody } from '#shared/api/erasures.ts';
import type { SecurityEvent } from '#shared/domain/users/security-events.ts';
import { HOUR_MS } from '#shared/durations.ts';
import { erasureTexts } from '#shared/texts.ts';
import { endErasure, type ErasureRow, findErasure, storeErasure } from '#server/accounts/erasures/erasure-queries.ts';
import { insertSecurityEvent } from '#server/accounts/security-log-queries.ts';
import { findUserById, type UserRow } from '#server/accounts/user-queries.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { conflict, notFound, sessionEnded } from '#server/http/errors.ts';
import { nextUpdatedAt } from '#server/http/row-version.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { PasswordSource, RequireOwnPassword } from '#server/accounts/own-password.ts';

type OwnErasureDeps = {
  requireOwnPassword: RequireOwnPassword;
  /** The term in which the office decides. */
  erasureHours: number;
};

/** The own request to be deleted (R-ACCESS-85). */
export function createOwnErasureService(context: ServiceContext, { requireOwnPassword, erasureHours }: OwnErasureDeps) {
  const { audit, orm, policy, publish, write, now, operatingNow, userWrites } = context;

  async function requireOwnAccount(tx: Transaction, currentUser: CurrentUser): Promise<UserRow> {
    await policy.requireLiveSession(tx, currentUser);
    const user = await findUserById(tx, currentUser.id);
    if (!user) throw sessionEnded();
    return user;
  }

  /** @throws 409 while one is open */
  async function requireNoneOpen(db: ConnectionOrTransaction, { id }: CurrentUser): Promise<ErasureRow | undefined> {
    const last = await findErasure(db, id);
    if (last?.state === 'open') throw conflict(erasureTexts.waiting);
    return last;
  }

  const noteAct = (
    tx: Transaction,
    by: CurrentUser,
    event: SecurityEvent,
    how: 'password' | 'pin' | null,
  ): Promise<void> => insertSecurityEvent(tx, { userId: by.id, event, how, by, at: now() });

  const tellChange = ({ id }: CurrentUser): void => publish.toUserAndAdmins(id, 'erasure:changed', {});

  return {
    /** @throws 401, 403, 409, 422 without the right password, 429, 503, 507 */
    async ask(
      currentUser: CurrentUser,
      { reason = null, device_token: deviceToken, ...secret }: AskErasureBody,
      source: Omit<PasswordSource, 'deviceToken'>,
    ): Promise<ErasureRow> {
      await requireNoneOpen(orm, currentUser);
      userWrites.countChange(currentUser);
      const how = await requireOwnPassword(currentUser, secret, { ...source, deviceToken });
      const asked = await write(async (tx) => {
        const user = await requireOwnAccount(tx, currentUser);
        const last = await requireNoneOpen(tx, currentUser);
        const createdAt = now();
        const row: ErasureRow = {
          id: newId(),
          userId: user.id,
          state: 'open',
          reason,
          dueAt: createdAt + erasureHours * HOUR_MS,
          askedAt: operatingNow(),
          createdAt,
          updatedAt: last ? nextUpdatedAt(last, createdAt) : createdAt,
        };
        await storeErasure(tx, row);
        await noteAct(tx, currentUser, 'erasure.asked', how);
        await audit.erasureChanged(tx, currentUser, user, { from: null, to: row.state });
        return row;
      });
      tellChange(currentUser);
      return asked;
    },

    /** The last one. @throws 404 when there never was one */
    async find({ id }: CurrentUser): Promise<ErasureRow> {
      const last = await findErasure(orm, id);
      if (!last) throw notFound(erasureTexts.none);
      return last;
    },

    hasAsked: async ({ id }: CurrentUser): Promise<boolean> => (await findErasure(orm, id)) !== undefined,

    /**
     * Not counted among the changes: a stolen session must not use up the limit and so prevent it. Each follows a request that was.
     * @throws 401, 403, 404 when none is open
     */
    async withdraw(currentUser: CurrentUser): Promise<ErasureRow> {
      const withdrawn = await write(async (tx) => {
        const user = await requireOwnAccount(tx, currentUser);
        const open = await findErasure(tx, user.id);
        if (open?.state !== 'open') throw notFound(erasureTexts.noneOpen);
        const row: ErasureRow = { ...open, state: 'withdrawn', updatedAt: nextUpdatedAt(open, now()) };
        await endErasure(tx, row);
        await noteAct(tx, currentUser, 'erasure.withdrawn', null);
        await audit.erasureChanged(tx, currentUser, user, { from: open.state, to: row.state });
        return row;
      });
      tellChange(currentUser);
      return withdrawn;
    },
  };
}
