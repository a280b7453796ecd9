import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Transaction } from '#server/db/engine.ts';
import { SESSION_IDLE_MS } from '#shared/limits.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { buildAdmin, buildTestUser, type SignedInUser } from '#server/testing/factories.ts';
import { queryPlans } from '#server/testing/query-plan.ts';
import { changeSession, changeUser, removeSession, removeUser } from '#server/testing/rows.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';
import { TERMINAL_CALLER } from './policy.ts';
import { findLiveSession } from './policy-queries.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';

type Change = (test: TestApp, user: SignedInUser) => void;

const unchanged: Change = () => undefined;

const sessionStates: Record<'live' | 'expired' | 'idle' | 'deleted', Change> = {
  live: unchanged,
  expired: (test, { sessionId }) => changeSession(test, sessionId, { expiresAt: test.clock.now() }),
  idle: (test, { sessionId }) => changeSession(test, sessionId, { lastSeenAt: test.clock.now() - SESSION_IDLE_MS }),
  deleted: (test, { sessionId }) => removeSession(test, sessionId),
};
const accountStates: Record<'active' | 'inactive' | 'deleted', Change> = {
  active: unchanged,
  inactive: (test, { id }) => changeUser(test, id, { isActive: false }),
  deleted: (test, { id }) => removeUser(test, id),
};
type RoleChange = { before: 'user' | 'admin'; after: 'user' | 'admin' };
const roleChanges: Record<string, RoleChange> = {
  'an unchanged user': { before: 'user', after: 'user' },
  'an unchanged admin': { before: 'admin', after: 'admin' },
  'a promoted user': { before: 'user', after: 'admin' },
  'a demoted admin': { before: 'admin', after: 'user' },
};
type RequiredRole = 'any role' | 'admin';

/** The status of the error; null when the caller may go on. */
function expectedStatus(session: string, account: string, { before, after }: RoleChange, required: RequiredRole) {
  if (session !== 'live' || account !== 'active') return 401;
  if (before !== after) return 403;
  return required === 'admin' && after === 'user' ? 403 : null;
}

const cases = Object.entries(sessionStates).flatMap(([session, changeSessionRow]) =>
  Object.entries(accountStates).flatMap(([account, changeAccount]) =>
    Object.entries(roleChanges).flatMap(([role, roleChange]) =>
      (['any role', 'admin'] as const).map((required) => {
        const status = expectedStatus(session, account, roleChange, required);
        const outcome = status === null ? 'passes' : `throws ${status}`;
        return {
          session,
          account,
          role,
          required,
          roleChange,
          changes: [changeSessionRow, changeAccount],
          status,
          outcome,
        };
      }),
    ),
  ),
);

async function statusOf(check: () => Promise<void>): Promise<unknown> {
  try {
    await check();
    return null;
  } catch (error) {
    return error instanceof Error && 'status' in error ? error.status : error;
  }
}

describe('the check of a session inside a write', () => {
  it.each(cases)(
    '$outcome for $role with a $session session and an account that is $account, where $required is required',
    async ({ required, roleChange, changes, status }) => {
      const test = await buildTestApp();
      const { policy, write } = test.context;
      const user = roleChange.before === 'admin' ? buildAdmin(test) : buildTestUser(test);
      const { id, name, email, isAdmin, sessionId } = user;
      const currentUser: CurrentUser = { id, name, email, isAdmin, sessionId };
      changeUser(test, id, { isAdmin: roleChange.after === 'admin' });
      for (const change of changes) change(test, user);

      const check = (tx: Transaction): Promise<void> =>
        required === 'admin' ? policy.requireLiveAdmin(tx, currentUser) : policy.requireLiveSession(tx, currentUser);
      expect(await write((tx) => statusOf(() => check(tx)))).toBe(status);
    },
  );

  it('covers every combination', () => {
    expect(cases).toHaveLength(4 * 3 * 4 * 2);
    expect(cases.filter(({ status }) => status === null)).toHaveLength(3);
    expect(cases.filter(({ status }) => status === 403)).toHaveLength(5);
  });

  it('sees a change that the same transaction made', async () => {
    const test = await buildTestApp();
    const { policy, write } = test.context;
    const { id, name, email, isAdmin, sessionId } = buildTestUser(test);
    const currentUser: CurrentUser = { id, name, email, isAdmin, sessionId };
    const status = await write(async (tx) => {
      await policy.requireLiveSession(tx, currentUser);
      changeUser(test, id, { isActive: false });
      return statusOf(() => policy.requireLiveSession(tx, currentUser));
    });
    expect(status).toBe(401);
  });

  it('does not accept the caller of a command, which has no session', () => {
    expectTypeOf(TERMINAL_CALLER).not.toExtend<CurrentUser>();
  });

  itOnSqlite('searches the session and the account by their keys', async () => {
    const test = await buildTestApp();
    const { sessionId: id } = buildTestUser(test);
    const plans = await queryPlans(test, (orm) =>
      findLiveSession(orm, { id, nowMs: 0, idleSinceMs: 0, adminsNeedFactor: false }),
    );
    expect(plans).toHaveLength(2);
    for (const plan of plans) expect(plan).not.toContain('SCAN');
  });
});
