import { and, asc, desc, eq, gt, lt, notInArray, or, sql } from 'drizzle-orm';
import { DAY_MS } from '#shared/durations.ts';
import { SESSION_MAX_MS } from '#shared/limits.ts';
import { sessions, users } from '#server/db/schema.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';

export type SessionRow = typeof sessions.$inferSelect;

export async function hasAdmin(orm: ConnectionOrTransaction): Promise<boolean> {
  return (await orm.select({ id: users.id }).from(users).where(eq(users.isAdmin, true)).limit(1).get()) !== undefined;
}

/** The active admin whose account is the oldest; stays the same while that account stays (R-AUTH-13). */
export async function findContactAdmin(
  orm: ConnectionOrTransaction,
): Promise<{ id: string; name: string } | undefined> {
  return orm
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(and(eq(users.isAdmin, true), eq(users.isActive, true)))
    .orderBy(asc(users.createdAt), asc(users.id))
    .limit(1)
    .get();
}

export async function insertSession(tx: Transaction, session: SessionRow): Promise<void> {
  await tx.insert(sessions).values(session).run();
}

export async function touchSession(tx: Transaction, id: string, nowMs: number): Promise<void> {
  await tx.update(sessions).set({ lastSeenAt: nowMs }).where(eq(sessions.id, id)).run();
}

export async function deleteSession(tx: Transaction, id: string): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.id, id)).run();
}

/**
 * Deletes all sessions of an account but the newest ones, in the order in which they were stored: the clock may have been set.
 * @returns the ids of the deleted ones
 */
export async function deleteOldestSessions(tx: Transaction, userId: string, kept: number): Promise<string[]> {
  const newest = tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sql`rowid`))
    .limit(kept);
  return (
    await tx
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), notInArray(sessions.id, newest)))
      .returning({ id: sessions.id })
      .all()
  ).map(({ id }) => id);
}

/**
 * A session that was last used in the future comes from a clock that was ahead. From now on it ages like any other; without
 * this it would live for as long as the clock was ahead.
 */
export async function clampFutureSessions(tx: Transaction, nowMs: number): Promise<void> {
  await tx
    .update(sessions)
    .set({ lastSeenAt: nowMs, expiresAt: sql`min(${sessions.expiresAt}, ${nowMs + SESSION_MAX_MS})` })
    .where(gt(sessions.lastSeenAt, nowMs + DAY_MS))
    .run();
}

export async function deleteExpiredSessions(tx: Transaction, nowMs: number, idleSinceMs: number): Promise<void> {
  await tx
    .delete(sessions)
    .where(or(lt(sessions.expiresAt, nowMs), lt(sessions.lastSeenAt, idleSinceMs)))
    .run();
}
