import type { Connection } from '#server/db/open.ts';

/** Waits of users. Admins are few and listed once: cheaper than looking up the account of every conversation. */
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
  const longest = sqlite.prepare<[number], { count: number; since: number | null }>(
    `select count(*) as count, min(unanswered_since) as since ${WAITING}`,
  );
  const few = sqlite.prepare<[number, number], number>(`select count(*) from (select 1 ${WAITING} limit ?)`).pluck();
  return {
    /** Whether at most a given number of users wait; counts no further. */
    areFewWaiting: (max: number, nowMs: number): boolean => (few.get(nowMs, max + 1) ?? 0) <= max,
    /** The number of users who wait, and since when the longest of them; null when nobody waits. */
    findWaiting(nowMs: number): { count: number; since: number } | null {
      const row = longest.get(nowMs);
      return row && row.since !== null ? { count: row.count, since: row.since } : null;
    },
    /** The users who wait, and since when; the longest wait first. */
    listWaiting: (nowMs: number): [userId: string, since: number][] => waiting.all(nowMs),
    /** The number of waits that began before that of a user; null when the user does not wait. */
    countAhead(userId: string, nowMs: number): number | null {
      const since = own.get(nowMs, userId);
      return since === undefined ? null : (earlier.get(nowMs, since) ?? 0);
    },
  };
}
