import { and, eq, isNotNull, isNull, lte, notInArray, or } from 'drizzle-orm';
import type { ConnectionOrTransaction, Transaction } from '#server/db/open.ts';
import { conversations, officeHours, users } from '#server/db/schema.ts';
import type { OfficeHoursRow } from '#server/office-hours-queries.ts';

/** The table has one row. */
const ROW_ID = 1;

export function saveOfficeHours(tx: Transaction, row: Omit<OfficeHoursRow, 'id'>): void {
  tx.insert(officeHours)
    .values({ id: ROW_ID, ...row })
    .onConflictDoUpdate({ target: officeHours.id, set: row })
    .run();
}

/** Who waits, and since when; the longest wait first. From the covering index conversations_waiting. */
export function listWaiting(orm: ConnectionOrTransaction, nowMs: number): { userId: string; since: number }[] {
  const { userId, unansweredSince, snoozedUntil } = conversations;
  const admins = orm.select({ id: users.id }).from(users).where(eq(users.isAdmin, true));
  return orm
    .select({ userId, since: unansweredSince })
    .from(conversations)
    .where(
      and(
        isNotNull(unansweredSince),
        or(isNull(snoozedUntil), lte(snoozedUntil, nowMs)),
        // Admins are few, and listed once: cheaper than looking up the account of every conversation.
        notInArray(userId, admins),
      ),
    )
    .orderBy(unansweredSince)
    .all()
    .flatMap((row) => (row.since === null ? [] : [{ userId: row.userId, since: row.since }]));
}
