import { and, eq, gt, lt, ne, or, sql } from 'drizzle-orm';
import { v7 as newId } from 'uuid';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { auditEntries, sessions, users } from '#server/db/schema.ts';

/** Queries that login, the own account, the users of admins and the commands share; features do not import each other. */

export type UserRow = typeof users.$inferSelect;
export type NewUser = Pick<UserRow, 'name' | 'email' | 'passwordHash' | 'isAdmin' | 'isActive'>;

export async function findUserById(orm: ConnectionOrTransaction, id: string): Promise<UserRow | undefined> {
  return orm.select().from(users).where(eq(users.id, id)).get();
}

export async function findUserByEmail(orm: ConnectionOrTransaction, email: string): Promise<UserRow | undefined> {
  return orm.select().from(users).where(eq(users.email, email)).get();
}

/** Whether an active admin remains without this account. */
export async function hasOtherActiveAdmin(orm: ConnectionOrTransaction, id: string): Promise<boolean> {
  const other = await orm
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.isAdmin, true), eq(users.isActive, true), ne(users.id, id)))
    .limit(1)
    .get();
  return other !== undefined;
}

/**
 * Whether another account became an admin before `sinceMs` and is an active one, or was one after `endedMs` of operating time. One
 * from after `nowMs` comes from a clock that was ahead, and may be an old one.
 */
export async function hasElderAdmin(
  orm: ConnectionOrTransaction,
  id: string,
  { sinceMs, endedMs, nowMs }: { sinceMs: number; endedMs: number; nowMs: number },
): Promise<boolean> {
  const isElder = and(ne(users.id, id), or(lt(users.adminSince, sinceMs), gt(users.adminSince, nowMs)));
  const isActiveAdmin = and(eq(users.isAdmin, true), eq(users.isActive, true));
  // One after the other, so that each has its index.
  for (const wasAdmin of [isActiveAdmin, gt(users.adminEndedAt, endedMs)]) {
    const elder = await orm.select({ id: users.id }).from(users).where(and(wasAdmin, isElder)).limit(1).get();
    if (elder) return true;
  }
  return false;
}

/** The newest audit entry. What happened before an account first became an admin is no news to it. */
const newestAuditId = sql<number>`(select coalesce(max(${auditEntries.id}), 0) from ${auditEntries})`;

/** @param nowMs becomes all times of the account; `startAdminTime` notes that of an admin */
export async function insertUser(tx: Transaction, newUser: NewUser, nowMs: number): Promise<UserRow> {
  const { name, email, passwordHash, isAdmin, isActive } = newUser;
  const row: typeof users.$inferInsert = {
    id: newId(),
    name,
    email,
    passwordHash,
    isAdmin,
    isActive,
    passwordChangedAt: nowMs,
    createdAt: nowMs,
    updatedAt: nowMs,
  };
  return tx
    .insert(users)
    .values({ ...row, seenNoticeId: newestAuditId })
    .returning()
    .get();
}

/**
 * Notes since when an account is an active admin, and that what happened before is no news to a new one. One that was an admin
 * before keeps its notices: another admin could demote and promote it to hide what was done.
 * Called inside the transaction that makes it one, after the entry of the audit.
 */
export async function startAdminTime(tx: Transaction, id: string, nowMs: number): Promise<void> {
  const seenNoticeId = sql`case when ${users.adminSince} = 0 then ${newestAuditId} else ${users.seenNoticeId} end`;
  await tx.update(users).set({ adminSince: nowMs, seenNoticeId }).where(eq(users.id, id)).run();
}

/** @param mustChange whether its owner chooses another one before anything else (R-ACCESS-20); `updated_at` stays the same: no form shows the password, so a new one conflicts with no edit. */
export async function updatePasswordHash(
  tx: Transaction,
  id: string,
  passwordHash: string,
  nowMs: number,
  mustChange = false,
): Promise<void> {
  const changed = { passwordHash, passwordChangedAt: nowMs, mustChangePassword: mustChange };
  await tx.update(users).set(changed).where(eq(users.id, id)).run();
}

/** A time that lies ahead comes from a clock that was ahead; from now on it ages. */
export async function clampAdminTimes(tx: Transaction, id: string, nowMs: number): Promise<void> {
  await tx
    .update(users)
    .set({
      adminSince: sql`min(${users.adminSince}, ${nowMs})`,
      passwordChangedAt: sql`min(${users.passwordChangedAt}, ${nowMs})`,
    })
    .where(eq(users.id, id))
    .run();
}

/** @returns how many sessions ended */
export async function deleteSessionsOf(tx: Transaction, userId: string): Promise<number> {
  const ended = await tx.delete(sessions).where(eq(sessions.userId, userId)).returning({ id: sessions.id }).all();
  return ended.length;
}

/** @returns the ids of the sessions that ended */
export async function deleteOtherSessions(tx: Transaction, userId: string, keptId: string): Promise<string[]> {
  return (
    await tx
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), ne(sessions.id, keptId)))
      .returning({ id: sessions.id })
      .all()
  ).map(({ id }) => id);
}
