import { and, asc, eq, lt, or } from 'drizzle-orm';
import { sessions, users } from '#server/db/schema.ts';
import type { DatabaseConnection, Orm } from '#server/db/open.ts';

export type UserRow = typeof users.$inferSelect;
export type SessionRow = typeof sessions.$inferSelect;

export function findUserByEmail(orm: Orm, email: string): UserRow | undefined {
  return orm.select().from(users).where(eq(users.email, email)).get();
}

export function findUserById(orm: Orm, id: string): UserRow | undefined {
  return orm.select().from(users).where(eq(users.id, id)).get();
}

export function insertUser(orm: Orm, user: UserRow): void {
  orm.insert(users).values(user).run();
}

export function hasAdmin(orm: Orm): boolean {
  return orm.select({ id: users.id }).from(users).where(eq(users.isAdmin, true)).limit(1).get() !== undefined;
}

/** The longest-standing active administrator, stable (contract 4). */
export function findContactAdmin(orm: Orm): { id: string; name: string } | undefined {
  return orm
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(and(eq(users.isAdmin, true), eq(users.isActive, true)))
    .orderBy(asc(users.createdAt), asc(users.id))
    .limit(1)
    .get();
}

export function insertSession(orm: Orm, session: SessionRow): void {
  orm.insert(sessions).values(session).run();
}

/**
 * Whom a session stands for, if it still counts. Every request asks it, so it goes around Drizzle, and by two statements:
 * SQLite takes several times as long for the same as a join.
 */
export function prepareFindLiveSession({ $client: sqlite }: DatabaseConnection) {
  type FoundSession = { userId: string; lastSeenAt: number };
  type Account = { id: string; name: string; email: string; isAdmin: number };
  const session = sqlite.prepare<[string, number, number], FoundSession>(
    'select user_id as userId, last_seen_at as lastSeenAt from sessions where id = ? and expires_at > ? and last_seen_at > ?',
  );
  const account = sqlite.prepare<[string], Account>(
    'select id, name, email, is_admin as isAdmin from users where id = ? and is_active = 1',
  );
  return (id: string, nowMs: number, idleSinceMs: number) => {
    const found = session.get(id, nowMs, idleSinceMs);
    const user = found && account.get(found.userId);
    return user && { lastSeenAt: found.lastSeenAt, user: { ...user, isAdmin: user.isAdmin === 1 } };
  };
}

export function touchSession(orm: Orm, id: string, nowMs: number): void {
  orm.update(sessions).set({ lastSeenAt: nowMs }).where(eq(sessions.id, id)).run();
}

export function deleteSession(orm: Orm, id: string): void {
  orm.delete(sessions).where(eq(sessions.id, id)).run();
}

export function deleteExpiredSessions(orm: Orm, nowMs: number, idleSinceMs: number): void {
  orm
    .delete(sessions)
    .where(or(lt(sessions.expiresAt, nowMs), lt(sessions.lastSeenAt, idleSinceMs)))
    .run();
}
