import type { FirstDuty } from '#shared/api/calls/call.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';

export type LiveSession = {
  lastSeenAt: number;
  user: { id: string; name: string; email: string; isAdmin: boolean; firstDuty: FirstDuty | null };
};

/**
 * A session that still counts, with its active account. Every request asks for it. It uses neither Drizzle nor a join, because
 * SQLite takes several times as long for a join as for these two statements.
 */
export async function findLiveSession(
  orm: ConnectionOrTransaction,
  {
    id,
    nowMs,
    idleSinceMs,
    adminsNeedFactor,
  }: { id: string; nowMs: number; idleSinceMs: number; adminsNeedFactor: boolean },
): Promise<LiveSession | undefined> {
  const found = await orm.get<{ userId: string; lastSeenAt: number }>(
    'select user_id as "userId", last_seen_at as "lastSeenAt" from sessions where id = ? and expires_at > ? and last_seen_at > ?',
    id,
    nowMs,
    idleSinceMs,
  );
  if (!found) return undefined;
  const user = await orm.get<
    Pick<LiveSession['user'], 'id' | 'name' | 'email'> & { isAdmin: number; mustChange: number }
  >(
    'select id, name, email, is_admin as "isAdmin", must_change_password as "mustChange" from users where id = ? and is_active = 1',
    found.userId,
  );
  if (!user) return undefined;
  const { isAdmin, mustChange, ...shown } = user;
  const needsFactor = adminsNeedFactor && isAdmin === 1 && !(await hasFactor(orm, found.userId));
  const firstDuty = mustChange === 1 ? 'new password' : needsFactor ? 'second factor' : null;
  return { lastSeenAt: found.lastSeenAt, user: { ...shown, isAdmin: isAdmin === 1, firstDuty } };
}

const hasFactor = async (orm: ConnectionOrTransaction, userId: string): Promise<boolean> =>
  (await orm.get('select 1 from second_factors where user_id = ? and confirmed_at is not null', userId)) !== undefined;
