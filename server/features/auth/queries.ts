import { and, asc, eq, lt, or } from 'drizzle-orm';
import { sessions, users } from '#server/db/schema.ts';
import type { Connection, ConnectionOrTransaction, Transaction } from '#server/db/open.ts';

export type UserRow = typeof users.$inferSelect;
export type SessionRow = typeof sessions.$inferSelect;

export function findUserByEmail(orm: ConnectionOrTransaction, email: string): UserRow | undefined {
  return orm.select().from(users).where(eq(users.email, email)).get();
}

export function findUserById(orm: ConnectionOrTransaction, id: string): UserRow | undefined {
  return orm.select().from(users).where(eq(users.id, id)).get();
}

export function insertUser(tx: Transaction, user: UserRow): void {
  tx.insert(users).values(user).run();
}

export function hasAdmin(orm: ConnectionOrTransaction): boolean {
  return orm.select({ id: users.id }).from(users).where(eq(users.isAdmin, true)).limit(1).get() !== undefined;
}

/** The longest-standing active administrator, stable (contract 4). */
export function findContactAdmin(orm: ConnectionOrTransaction): { id: string; name: string } | undefined {
  return orm
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(and(eq(users.isAdmin, true), eq(users.isActive, true)))
    .orderBy(asc(users.createdAt), asc(users.id))
    .limit(1)
    .get();
}

export function insertSession(tx: Transaction, session: SessionRow): void {
  tx.insert(sessions).values(session).run();
}

/**
 * Whom a session stands for, if it still counts. Every request asks it, so it goes around Drizzle, and by two statements:
 * SQLite takes several times as long for the same as a join.
 */
export function prepareFindLiveSession({ $client: sqlite }: Connection) {
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

export function touchSession(tx: Transaction, id: string, nowMs: number): void {
  tx.update(sessions).set({ lastSeenAt: nowMs }).where(eq(sessions.id, id)).run();
}

export function deleteSession(tx: Transaction, id: string): void {
  tx.delete(sessions).where(eq(sessions.id, id)).run();
}

export function deleteExpiredSessions(tx: Transaction, nowMs: number, idleSinceMs: number): void {
  tx.delete(sessions)
    .where(or(lt(sessions.expiresAt, nowMs), lt(sessions.lastSeenAt, idleSinceMs)))
    .run();
}
