import { and, asc, desc, eq, gt, ne, sql } from 'drizzle-orm';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { securityLog, users } from '#server/db/schema.ts';

export type SecurityRow = typeof securityLog.$inferSelect;

/** Adds a line to the own log of an account (R-ACCESS-3), inside the transaction of the act. */
export async function insertSecurityEvent(
  tx: Transaction,
  { by, ...event }: Pick<SecurityRow, 'userId' | 'event' | 'how' | 'at'> & { by: { id: string; name: string } },
): Promise<void> {
  await tx
    .insert(securityLog)
    .values({ ...event, byId: by.id, byName: by.name })
    .run();
}

/** The newest lines first. */
export async function listSecurityEvents(
  orm: ConnectionOrTransaction,
  userId: string,
  limit: number,
): Promise<SecurityRow[]> {
  return orm
    .select()
    .from(securityLog)
    .where(eq(securityLog.userId, userId))
    .orderBy(desc(securityLog.id))
    .limit(limit)
    .all();
}

/** The oldest acts of others that the account has not put away, so that each is shown before; the newest of them first. */
export async function listUnseenEvents(
  orm: ConnectionOrTransaction,
  userId: string,
  limit: number,
): Promise<SecurityRow[]> {
  const { id, byId } = securityLog;
  const rows = await orm
    .select()
    .from(securityLog)
    .where(
      and(
        eq(securityLog.userId, userId),
        gt(id, sql`(select ${users.seenSecurityId} from ${users} where ${users.id} = ${userId})`),
        ne(byId, userId),
      ),
    )
    .orderBy(asc(id))
    .limit(limit)
    .all();
  return rows.toReversed();
}

/** Up to a line of the own log, and never beyond what has happened. */
export async function markEventsSeen(tx: Transaction, userId: string, upToId: number): Promise<void> {
  const newest = sql`(select coalesce(max(${securityLog.id}), 0) from ${securityLog} where ${securityLog.userId} = ${userId})`;
  await tx
    .update(users)
    .set({ seenSecurityId: sql`max(${users.seenSecurityId}, min(${upToId}, ${newest}))` })
    .where(eq(users.id, userId))
    .run();
}
