import type { InstantRange } from '#shared/domain/dates/dates.ts';
import { type ConnectionOrTransaction, readSnapshot, type Transaction } from '#server/db/engine.ts';

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
export function readWaits(orm: ConnectionOrTransaction, starts: readonly number[]): Promise<WaitsOfDays> {
  return readSnapshot(orm, async (tx) => {
    const range = { fromMs: starts[0] ?? 0, toMs: starts.at(-1) ?? 0 };
    const deleted = await readMessagesOfDeleted(tx);
    const answerIds = new Map<string, number>();
    const waits = await readAnswers(tx, range, deleted, answerIds);
    const incoming = await countIncoming(tx, starts, deleted);
    return { waits, incoming, adminNames: await readNames(tx, answerIds) };
  });
}

/** The answers of a range. */
export function readWaitsOfRange(orm: ConnectionOrTransaction, range: InstantRange): Promise<Wait[]> {
  return readSnapshot(orm, async (tx) => readAnswers(tx, range, await readMessagesOfDeleted(tx), new Map()));
}

/**
 * Without Drizzle, which builds an object for each of perhaps hundreds of thousands of rows.
 * @param answerIds gets the newest answer of each admin
 */
async function readAnswers(
  tx: Transaction,
  { fromMs, toMs }: InstantRange,
  deleted: readonly MessageOfDeleted[],
  answerIds: Map<string, number>,
): Promise<Wait[]> {
  const leftOut = new Set(deleted.map(([id]) => id));
  const answers = await tx.tuples<AnswerRow>(
    `select id, sender_id, waited_since, created_at from messages
      where waited_since is not null and created_at >= ? and created_at < ?`,
    fromMs,
    toMs,
  );
  const waits: Wait[] = [];
  for (const [id, adminId, sinceMs, answeredMs] of answers) {
    if (leftOut.has(id)) continue;
    waits.push({ adminId, sinceMs, answeredMs });
    answerIds.set(adminId, Math.max(id, answerIds.get(adminId) ?? 0));
  }
  return waits;
}

async function countIncoming(
  tx: Transaction,
  starts: readonly number[],
  deleted: readonly MessageOfDeleted[],
): Promise<number[]> {
  const counts: number[] = [];
  for (const [day, fromMs] of starts.slice(0, -1).entries()) {
    const toMs = starts[day + 1] ?? fromMs;
    const leftOut = deleted.filter(([, at, isIncoming]) => isIncoming === 1 && at >= fromMs && at < toMs);
    const count = await tx.value<number>(
      "select count(*) from messages where from_admin = 0 and kind = 'chat' and created_at >= ? and created_at < ?",
      fromMs,
      toMs,
    );
    counts.push((count ?? 0) - leftOut.length);
  }
  return counts;
}

/** The messages of accounts that are being deleted count no more. Mostly there are none. */
function readMessagesOfDeleted(tx: Transaction): Promise<MessageOfDeleted[]> {
  return tx.tuples(
    `select id, created_at, from_admin = 0 and kind = 'chat' from messages
      where user_id in (select user_id from account_deletions)`,
  );
}

/** The name of each account as it is now; of a deleted one as in its newest answer. */
async function readNames(tx: Transaction, answerIds: ReadonlyMap<string, number>): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const [adminId, messageId] of answerIds) {
    const name =
      (await tx.value<string>('select name from users where id = ?', adminId)) ??
      (await tx.value<string>('select sender_name from messages where id = ?', messageId));
    names.set(adminId, name ?? '');
  }
  return names;
}
