import { and, asc, eq, gt, ne, sql } from 'drizzle-orm';
import { isTrue } from '#server/db/dialect.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { auditEntries, users } from '#server/db/schema.ts';

export type NoticeRow = typeof auditEntries.$inferSelect;

/** Entries of other admins that this one has not confirmed: the oldest ones, the newest of them first. */
export async function listUnseenNotices(
  orm: ConnectionOrTransaction,
  adminId: string,
  limit: number,
): Promise<NoticeRow[]> {
  const { id, actorId, isNotice } = auditEntries;
  return (
    await orm
      .select()
      .from(auditEntries)
      .where(
        and(
          // Not a parameter: only so does SQLite choose the partial index.
          isTrue(isNotice),
          gt(id, sql`(select ${users.seenNoticeId} from ${users} where ${users.id} = ${adminId})`),
          ne(actorId, adminId),
        ),
      )
      .orderBy(asc(id))
      .limit(limit)
      .all()
  ).toReversed();
}

export async function markNoticesSeen(tx: Transaction, adminId: string, upToId: number): Promise<void> {
  await tx
    .update(users)
    .set({
      // Never beyond what has happened: a later notice must be shown.
      seenNoticeId: sql`max(${users.seenNoticeId}, min(${upToId}, (select coalesce(max(${auditEntries.id}), 0) from ${auditEntries})))`,
    })
    .where(eq(users.id, adminId))
    .run();
}
