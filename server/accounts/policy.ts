import { SESSION_IDLE_MS } from '#shared/limits.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import { forbidden, sessionEnded } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { findLiveSession, type LiveSession } from './policy-queries.ts';

/**
 * The caller of a command on the server's computer. It has no session that could be checked: access to the data folder
 * is its authorisation. The type has no `sessionId`, so no service that checks a session accepts it.
 */
export type TerminalCaller = { id: 'terminal'; name: string; isAdmin: true };

/** The name appears in the audit. */
export const TERMINAL_CALLER: TerminalCaller = { id: 'terminal', name: 'Terminal server', isAdmin: true };

/**
 * Decides whether a session still allows what a request was authorised for (R-AUTH-8, R-PERM-4).
 * @param adminsNeedFactor whether an admin without a second factor must set one up first
 * @param now epoch milliseconds; a clock that is set forward by mistake must end no session
 */
export function createPolicy(now: () => number, adminsNeedFactor: boolean) {
  function findLive(orm: ConnectionOrTransaction, id: string): Promise<LiveSession | undefined> {
    const nowMs = now();
    return findLiveSession(orm, { id, nowMs, idleSinceMs: nowMs - SESSION_IDLE_MS, adminsNeedFactor });
  }

  async function requireLiveSession(tx: ConnectionOrTransaction, currentUser: CurrentUser): Promise<void> {
    const found = await findLive(tx, currentUser.sessionId);
    if (!found) throw sessionEnded();
    if (found.user.isAdmin !== currentUser.isAdmin) throw forbidden();
  }

  return {
    /** A session counts while it has neither expired nor been idle too long, and its account is active. */
    findLiveSession: findLive,

    /**
     * Repeats the check of the request inside the transaction that writes. The body of the request, an upload or a
     * password hash may have taken long, and the loss of a session, account or role takes effect at once.
     * @throws 401 when the session or the account no longer counts, 403 when the role is no longer the same
     */
    requireLiveSession,

    /** As `requireLiveSession`, for what only admins may do. @throws 401, 403 */
    async requireLiveAdmin(tx: ConnectionOrTransaction, currentUser: CurrentUser): Promise<void> {
      await requireLiveSession(tx, currentUser);
      if (!currentUser.isAdmin) throw forbidden();
    },
  };
}
export type Policy = ReturnType<typeof createPolicy>;
