import { perStatements } from '#server/db/engine.ts';

/** Waits of users. Admins are few and listed once: cheaper than looking up the account of every conversation. */
const WAITING = `from conversations
  where unanswered_since is not null and (snoozed_until is null or snoozed_until <= ?)
    and user_id not in (select id from users where is_admin = 1)`;

/**
 * The statements of the queue, without Drizzle, whose building of thousands of rows would cost more than finding them. They
 * read the covering index conversations_waiting.
 */
export const queueQueries = perStatements((tx) => ({
  /** Whether at most a given number of users wait; counts no further. */
  async areFewWaiting(max: number, nowMs: number): Promise<boolean> {
    const count = await tx.value<number>(
      `select count(*) from (select 1 ${WAITING} limit ?) as waiting`,
      nowMs,
      max + 1,
    );
    return (count ?? 0) <= max;
  },
  /** The number of users who wait, and since when the longest of them; null when nobody waits. */
  async findWaiting(nowMs: number): Promise<{ count: number; since: number } | null> {
    const longest = `select count(*) as count, min(unanswered_since) as since ${WAITING}`;
    const row = await tx.get<{ count: number; since: number | null }>(longest, nowMs);
    return row && row.since !== null ? { count: row.count, since: row.since } : null;
  },
  /** The users who wait, and since when; the longest wait first. */
  listWaiting: (nowMs: number): Promise<[userId: string, since: number][]> =>
    tx.tuples(`select user_id, unanswered_since ${WAITING} order by unanswered_since`, nowMs),
  /** The number of waits that began before that of a user; null when the user does not wait. */
  async countAhead(userId: string, nowMs: number): Promise<number | null> {
    const since = await tx.value<number>(`select unanswered_since ${WAITING} and user_id = ?`, nowMs, userId);
    if (since === undefined) return null;
    return (await tx.value<number>(`select count(*) ${WAITING} and unanswered_since < ?`, nowMs, since)) ?? 0;
  },
}));
