import type { InstantRange } from '#shared/domain/dates/dates.ts';
import { type Connection, readSnapshot } from '#server/db/open.ts';

/** An answer: the first message of an admin after one or more of the user that waited for it. */
export type Wait = { adminId: string; sinceMs: number; answeredMs: number };
export type WaitsOfDays = {
  waits: Wait[];
  /** The number of messages of users on each day. */
  incoming: number[];
  /** The name of each admin with an answer. */
  adminNames: Map<string, string>;
};

type AnswerRow = [id: number, adminId: string, sinceMs: number, answeredMs: number];
type MessageOfDeleted = [id: number, createdAt: number, isIncoming: number];

/**
 * The answers and the number of messages that came in, by day.
 * @param starts when each day starts, and at last when the range ends
 */
export function readWaits(orm: Connection, starts: readonly number[]): WaitsOfDays {
  return readSnapshot(orm, () => {
    const range = { fromMs: starts[0] ?? 0, toMs: starts.at(-1) ?? 0 };
    const deleted = readMessagesOfDeleted(orm);
    const answerIds = new Map<string, number>();
    const waits = readAnswers(orm, range, deleted, answerIds);
    return { waits, incoming: countIncoming(orm, starts, deleted), adminNames: readNames(orm, answerIds) };
  });
}

/** The answers of a range. */
export function readWaitsOfRange(orm: Connection, range: InstantRange): Wait[] {
  return readSnapshot(orm, () => readAnswers(orm, range, readMessagesOfDeleted(orm), new Map()));
}

/**
 * Without Drizzle, which builds an object for each of perhaps hundreds of thousands of rows.
 * @param answerIds gets the newest answer of each admin
 */
function readAnswers(
  { $client: sqlite }: Connection,
  { fromMs, toMs }: InstantRange,
  deleted: readonly MessageOfDeleted[],
  answerIds: Map<string, number>,
): Wait[] {
  const leftOut = new Set(deleted.map(([id]) => id));
  const rows = sqlite
    .prepare<[number, number], AnswerRow>(
      `select id, sender_id, waited_since, created_at from messages
        where waited_since is not null and created_at >= ? and created_at < ?`,
    )
    .raw();
  const waits: Wait[] = [];
  for (const [id, adminId, sinceMs, answeredMs] of rows.iterate(fromMs, toMs)) {
    if (leftOut.has(id)) continue;
    waits.push({ adminId, sinceMs, answeredMs });
    answerIds.set(adminId, Math.max(id, answerIds.get(adminId) ?? 0));
  }
  return waits;
}

function countIncoming(
  { $client: sqlite }: Connection,
  starts: readonly number[],
  deleted: readonly MessageOfDeleted[],
): number[] {
  const count = sqlite
    .prepare<[number, number], number>(
      "select count(*) from messages where from_admin = 0 and kind = 'chat' and created_at >= ? and created_at < ?",
    )
    .pluck();
  return starts.slice(0, -1).map((fromMs, day) => {
    const toMs = starts[day + 1] ?? fromMs;
    const leftOut = deleted.filter(([, at, isIncoming]) => isIncoming === 1 && at >= fromMs && at < toMs);
    return (count.get(fromMs, toMs) ?? 0) - leftOut.length;
  });
}

/** The messages of accounts that are being deleted count no more. Mostly there are none. */
function readMessagesOfDeleted({ $client: sqlite }: Connection): MessageOfDeleted[] {
  return sqlite
    .prepare<[], MessageOfDeleted>(
      `select id, created_at, from_admin = 0 and kind = 'chat' from messages
        where user_id in (select user_id from account_deletions)`,
    )
    .raw()
    .all();
}

/** The name of each account as it is now; of a deleted one as in its newest answer. */
function readNames({ $client: sqlite }: Connection, answerIds: ReadonlyMap<string, number>): Map<string, string> {
  const nameOf = sqlite.prepare<[string], string>('select name from users where id = ?').pluck();
  const nameIn = sqlite.prepare<[number], string>('select sender_name from messages where id = ?').pluck();
  const names = new Map<string, string>();
  for (const [adminId, messageId] of answerIds) names.set(adminId, nameOf.get(adminId) ?? nameIn.get(messageId) ?? '');
  return names;
}
