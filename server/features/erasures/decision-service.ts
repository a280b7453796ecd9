import type { DecideErasureBody } from '#shared/api/erasures.ts';
import { ERASURE_REASON_MIN, ERASURE_WAIT_MS, ERASURES_MAX } from '#shared/limits.ts';
import { accessTexts, erasureTexts, errorTexts } from '#shared/texts.ts';
import {
  endErasure,
  type ErasureRow,
  findErasure,
  listOpenErasures,
  type OpenErasureRow,
} from '#server/accounts/erasures/erasure-queries.ts';
import { type ChangeGuard, createSeasoning } from '#server/accounts/seasoned.ts';
import { insertSecurityEvent } from '#server/accounts/security-log-queries.ts';
import { findUserById, type UserRow } from '#server/accounts/user-queries.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { conflict, invalid, notFound } from '#server/http/errors.ts';
import { nextUpdatedAt, requireUnchanged } from '#server/http/row-version.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { PasswordSource, RequireOwnPassword } from '#server/accounts/own-password.ts';

/** Of a decision: `state` may be one that is never stored. */
export type DecidedErasure = Omit<ErasureRow, 'state'> & { state: ErasureRow['state'] | 'approved' };

export type DecisionDeps = {
  requireOwnPassword: RequireOwnPassword;
  /** Deletes an account. `confirm` is asked before, `inDeletion` inside the transaction. */
  removeAccount: (
    currentUser: CurrentUser,
    id: string,
    confirm: (guard: ChangeGuard) => Promise<void>,
    inDeletion: (tx: Transaction, user: UserRow) => Promise<void>,
  ) => Promise<void>;
  /** Writes a message of the office, and returns what publishes it. */
  storeNotice: (
    tx: Transaction,
    notice: { actor: CurrentUser; userId: string; content: string },
  ) => Promise<() => Promise<void>>;
};

/** Requests of people who want their account deleted, as the office decides about them (R-ACCESS-86). */
export function createErasureDecisions(
  context: ServiceContext,
  { requireOwnPassword, removeAccount, storeNotice }: DecisionDeps,
) {
  const { audit, orm, policy, publish, write, now, operatingNow } = context;
  const seasoning = createSeasoning(context);

  /** Milliseconds until an approval needs no check at the counter; 0 or less from then on. */
  const waitMsOf = ({ askedAt }: ErasureRow): number => askedAt + ERASURE_WAIT_MS - operatingNow();

  /** @throws 404, 409 for the own account, for a stale decision, and for an approval that comes too early */
  async function requireDecidable(
    db: ConnectionOrTransaction,
    currentUser: CurrentUser,
    id: string,
    { result, checked, updated_at: loadedAt }: DecideErasureBody,
  ): Promise<{ user: UserRow; request: ErasureRow }> {
    if (id === currentUser.id) throw conflict(erasureTexts.own);
    const user = await findUserById(db, id);
    if (!user) throw notFound(errorTexts.userMissing);
    const request = await findErasure(db, id);
    if (!request) throw notFound(accessTexts.requestMissing);
    requireUnchanged(request, loadedAt);
    if (request.state !== 'open') throw notFound(accessTexts.requestMissing);
    const waitMs = waitMsOf(request);
    if (result === 'approved' && checked !== 'counter' && waitMs > 0)
      throw conflict(erasureTexts.tooEarly(seasoning.timeAfter(waitMs)));
    return { user, request };
  }

  async function approve(
    currentUser: CurrentUser,
    id: string,
    body: DecideErasureBody,
    confirmPassword: () => Promise<void>,
  ): Promise<DecidedErasure> {
    const { request } = await requireDecidable(orm, currentUser, id, body);
    const { checked = null, reason = null } = body;
    await removeAccount(
      currentUser,
      id,
      async (guard) => {
        if (guard === 'seasoned') await seasoning.require(currentUser);
        await confirmPassword();
      },
      async (tx, user) => {
        await requireDecidable(tx, currentUser, id, body);
        await audit.erasureChanged(tx, currentUser, user, { from: 'open', to: 'approved' }, { checked, reason });
      },
    );
    publish.toAdmins('erasure:changed', {});
    return { ...request, state: 'approved', reason };
  }

  async function reject(
    currentUser: CurrentUser,
    id: string,
    body: DecideErasureBody,
    confirmPassword: () => Promise<void>,
  ): Promise<DecidedErasure> {
    const { checked = null, reason } = body;
    if (!reason || reason.length < ERASURE_REASON_MIN) throw invalid('reason', erasureTexts.reasonLength);
    await requireDecidable(orm, currentUser, id, body);
    await confirmPassword();
    const { rejected, tell } = await write(async (tx) => {
      await policy.requireLiveAdmin(tx, currentUser);
      const { user, request } = await requireDecidable(tx, currentUser, id, body);
      const row: ErasureRow = { ...request, state: 'rejected', reason, updatedAt: nextUpdatedAt(request, now()) };
      await endErasure(tx, row);
      await audit.erasureChanged(tx, currentUser, user, { from: request.state, to: row.state }, { checked, reason });
      const act = { userId: id, event: 'erasure.rejected', how: checked, by: currentUser, at: now() } as const;
      await insertSecurityEvent(tx, act);
      const notice = { actor: currentUser, userId: id, content: erasureTexts.rejected(reason) };
      return { rejected: row, tell: await storeNotice(tx, notice) };
    });
    publish.toUserAndAdmins(id, 'erasure:changed', {});
    await tell();
    return rejected;
  }

  return {
    listOpen: (): Promise<OpenErasureRow[]> => listOpenErasures(orm, ERASURES_MAX),

    /** By the clock of the computer, in epoch milliseconds. */
    approvableAt: (request: ErasureRow): number => now() + Math.max(0, waitMsOf(request)),

    /** @throws 401, 403 for an account of an admin and a caller who is new, 404, 409, 422, 429, 503 */
    decide(
      currentUser: CurrentUser,
      id: string,
      body: DecideErasureBody,
      source: Omit<PasswordSource, 'deviceToken'>,
    ): Promise<DecidedErasure> {
      const { current_password, device_token: deviceToken } = body;
      const confirmPassword = async (): Promise<void> => {
        await requireOwnPassword(currentUser, { current_password }, { ...source, deviceToken });
      };
      const decideAs = body.result === 'approved' ? approve : reject;
      return decideAs(currentUser, id, body, confirmPassword);
    },
  };
}
