import { and, desc, eq, getTableColumns, gt, sql } from 'drizzle-orm';
import { pushSubscriptions, sessions, users } from '#server/db/schema.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import type { UserRow } from '#server/accounts/user-queries.ts';
import type { SessionRow } from './queries.ts';

/** The columns that an account changes of itself. */
export async function updateOwn(
  tx: Transaction,
  { id, ...columns }: Pick<UserRow, 'id' | 'name' | 'email' | 'phone' | 'phoneSince' | 'phoneConsentAt' | 'updatedAt'>,
): Promise<void> {
  const { name, email, phone, phoneSince, phoneConsentAt, updatedAt } = columns;
  await tx
    .update(users)
    .set({ name, email, phone, phoneSince, phoneConsentAt, updatedAt })
    .where(eq(users.id, id))
    .run();
}

/** `hasNotifications`: whether its browser has a push subscription. */
export type ListedSession = SessionRow & { hasNotifications: boolean };

/** Lists the live sessions of an account: the given one first, then by last use. */
export async function listLiveSessions(
  orm: ConnectionOrTransaction,
  userId: string,
  { currentId, nowMs, idleSinceMs }: { currentId: string; nowMs: number; idleSinceMs: number },
): Promise<ListedSession[]> {
  const hasNotifications = sql`${pushSubscriptions.sessionId} is not null`.mapWith(Boolean);
  return orm
    .select({ ...getTableColumns(sessions), hasNotifications })
    .from(sessions)
    .leftJoin(pushSubscriptions, eq(pushSubscriptions.sessionId, sessions.id))
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, nowMs), gt(sessions.lastSeenAt, idleSinceMs)))
    .orderBy(desc(sql`${sessions.id} = ${currentId}`), desc(sessions.lastSeenAt), desc(sessions.createdAt), sessions.id)
    .all();
}

/** @returns false when the account has no such session */
export async function deleteOwnSession(tx: Transaction, userId: string, id: string): Promise<boolean> {
  const deleted = await tx
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
    .returning({ id: sessions.id })
    .all();
  return deleted.length > 0;
}
