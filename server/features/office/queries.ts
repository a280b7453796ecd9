import type { Connection, Transaction } from '#server/db/open.ts';
import { officeHours } from '#server/db/schema.ts';
import type { OfficeHoursRow } from '#server/office-hours-queries.ts';

/** The table has one row. */
const ROW_ID = 1;

export function saveOfficeHours(tx: Transaction, row: Omit<OfficeHoursRow, 'id'>): void {
  tx.insert(officeHours)
    .values({ id: ROW_ID, ...row })
    .onConflictDoUpdate({ target: officeHours.id, set: row })
    .run();
}

/** Of users, not of admins, who are few and listed once: cheaper than looking up the account of every conversation. */
const WAITING = `from conversations
  where unanswered_since is not null and (snoozed_until is null or snoozed_until <= ?)
    and user_id not in (select id from users where is_admin = 1)`;

/**
 * The statements of the queue, prepared once and without Drizzle, whose building of thousands of rows would cost more than
 * finding them. They read the covering index conversations_waiting.
 */
export function createQueueQueries({ $client: sqlite }: Connection) {
  const waiting = sqlite
    .prepare<[number], [userId: string, since: number]>(
      `select user_id, unanswered_since ${WAITING} order by unanswered_since`,
    )
    .raw();
  const own = sqlite.prepare<[number, string], number>(`select unanswered_since ${WAITING} and user_id = ?`).pluck();
  const earlier = sqlite
    .prepare<[number, number], number>(`select count(*) ${WAITING} and unanswered_since < ?`)
    .pluck();
  return {
    /** Who waits, and since when; the longest wait first. */
    listWaiting: (nowMs: number): [userId: string, since: number][] => waiting.all(nowMs),
    /** How many waits began before that of a user; null when the user does not wait. */
    countAhead(userId: string, nowMs: number): number | null {
      const since = own.get(nowMs, userId);
      return since === undefined ? null : (earlier.get(nowMs, since) ?? 0);
    },
  };
}
