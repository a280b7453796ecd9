import { and, asc, eq, gt, lt, or, sql } from 'drizzle-orm';
import { sessions, users } from '#server/db/schema.ts';
import type { Orm } from '#server/db/open.ts';

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

export function hasAdministrator(orm: Orm): boolean {
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
 * Whom a session stands for, if it still counts. Prepared once: every request asks it, and building the statement would
 * cost more than running it.
 */
export function prepareLiveSession(orm: Orm) {
  const { placeholder } = sql;
  const statement = orm
    .select({
      lastSeenAt: sessions.lastSeenAt,
      user: { id: users.id, name: users.name, email: users.email, isAdmin: users.isAdmin },
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.id, placeholder('id')),
        gt(sessions.expiresAt, placeholder('nowMs')),
        gt(sessions.lastSeenAt, placeholder('idleSinceMs')),
        eq(users.isActive, true),
      ),
    )
    .prepare();
  return (id: string, nowMs: number, idleSinceMs: number) => statement.get({ id, nowMs, idleSinceMs });
}

export function touchSession(orm: Orm, id: string, nowMs: number): void {
  orm.update(sessions).set({ lastSeenAt: nowMs }).where(eq(sessions.id, id)).run();
}

export function deleteSession(orm: Orm, id: string): void {
  orm.delete(sessions).where(eq(sessions.id, id)).run();
}

export function deleteDeadSessions(orm: Orm, nowMs: number, idleSinceMs: number): void {
  orm
    .delete(sessions)
    .where(or(lt(sessions.expiresAt, nowMs), lt(sessions.lastSeenAt, idleSinceMs)))
    .run();
}
