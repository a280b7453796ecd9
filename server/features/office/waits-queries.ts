import { and, eq, gte, lt, max, min } from 'drizzle-orm';
import type { InstantRange } from '#shared/domain/dates/dates.ts';
import { type Connection, type ConnectionOrTransaction, readSnapshot } from '#server/db/open.ts';
import { accountDeletions, conversationDismissals, messages, users } from '#server/db/schema.ts';

/** An answer: the first message of an admin after one or more of the user that waited for it. */
export type Wait = { adminId: string; sinceMs: number; answeredMs: number };
export type WaitsOfRange = {
  waits: Wait[];
  /** When each message of a user was sent. */
  incomingMs: number[];
  /** The name of each admin with an answer. */
  adminNames: Map<string, string>;
  /** The first message of the range. */
  firstId: number;
};

/** `fromId`: older messages are not of the range, as an earlier reading has found. */
export type WaitsRange = InstantRange & { fromId?: number };

type MessageOfWait = [
  id: number,
  userId: string,
  adminId: string | null,
  createdAt: number,
  prevId: number | null,
  isNotice: number,
];
/** A conversation while its messages are read in order. `sinceMs`: the oldest message that waits. */
type Progress = { lastId: number; sinceMs: number | null };

/**
 * The answers of a range, and the messages that came in, from the messages alone. It reads every message of the range, so it
 * runs in the query worker.
 */
export function readWaits(orm: Connection, range: WaitsRange): WaitsOfRange {
  return readSnapshot(orm, (tx) => readWaitsOf(orm, tx, range));
}

function readWaitsOf(orm: Connection, tx: ConnectionOrTransaction, range: WaitsRange): WaitsOfRange {
  const { fromMs, toMs } = range;
  const waits: Wait[] = [];
  const incomingMs: number[] = [];
  const answerIds = new Map<string, number>();
  const { firstId, lastId } = findBounds(tx, range);
  const dismissedIds = readDismissedIds(tx);
  const deletedUserIds = readDeletedUserIds(tx);
  const findSinceBefore = prepareFindSinceBefore(orm, dismissedIds);
  const progressByUser = new Map<string, Progress>();

  // Without Drizzle, which builds an object for each of perhaps millions of rows.
  const rows = orm.$client
    .prepare<[number, number], MessageOfWait>(
      `select id, user_id, case when from_admin then sender_id end, created_at, prev_id, kind = 'notice'
        from messages where id between ? and ? order by id`,
    )
    .raw();
  for (const [id, userId, adminId, createdAt, prevId, isNotice] of rows.iterate(firstId, lastId)) {
    let progress = progressByUser.get(userId);
    if (!progress) {
      progress = { lastId: 0, sinceMs: findSinceBefore(prevId) };
      progressByUser.set(userId, progress);
    }
    // After a dismissal nothing waits.
    if (dismissedIds.size > 0 && dismissedIds.has(progress.lastId)) progress.sinceMs = null;
    progress.lastId = id;
    // It is neither a question nor an answer (R-CARD-20).
    if (isNotice) continue;
    const counts = createdAt >= fromMs && createdAt < toMs && !deletedUserIds.has(userId);
    if (adminId === null) {
      progress.sinceMs ??= createdAt;
      if (counts) incomingMs.push(createdAt);
    } else {
      if (counts && progress.sinceMs !== null) {
        waits.push({ adminId, sinceMs: progress.sinceMs, answeredMs: createdAt });
        answerIds.set(adminId, id);
      }
      progress.sinceMs = null;
    }
  }
  return { waits, incomingMs, adminNames: readNames(tx, answerIds), firstId };
}

/**
 * The first and the last message of a range. Ids grow with time only while nobody sets the clock, so all messages are
 * looked at; this reads no text.
 */
function findBounds(tx: ConnectionOrTransaction, { fromMs, toMs, fromId = 0 }: WaitsRange) {
  const row = tx
    .select({ firstId: min(messages.id), lastId: max(messages.id) })
    .from(messages)
    .where(and(gte(messages.id, fromId), gte(messages.createdAt, fromMs), lt(messages.createdAt, toMs)))
    .get();
  return { firstId: row?.firstId ?? fromId, lastId: row?.lastId ?? -1 };
}

function readDismissedIds(tx: ConnectionOrTransaction): Set<number> {
  const rows = tx.select({ messageId: conversationDismissals.messageId }).from(conversationDismissals).all();
  return new Set(rows.map((row) => row.messageId));
}

/** Accounts whose messages are still being deleted. */
function readDeletedUserIds(tx: ConnectionOrTransaction): Set<string> {
  const rows = tx.select({ userId: accountDeletions.userId }).from(accountDeletions).all();
  return new Set(rows.map((row) => row.userId));
}

/** @returns finds since when a conversation waited after a message; null when it did not */
function prepareFindSinceBefore({ $client: sqlite }: Connection, dismissedIds: ReadonlySet<number>) {
  const message = sqlite
    .prepare<[number], [fromAdmin: number, createdAt: number, prevId: number | null, isNotice: number]>(
      "select from_admin, created_at, prev_id, kind = 'notice' from messages where id = ?",
    )
    .raw();
  return (lastId: number | null): number | null => {
    let sinceMs: number | null = null;
    for (let id = lastId; id !== null && !dismissedIds.has(id);) {
      const [fromAdmin, createdAt, prevId, isNotice] = message.get(id) ?? [1, 0, null, 0];
      if (fromAdmin && !isNotice) break;
      if (!isNotice) sinceMs = createdAt;
      id = prevId;
    }
    return sinceMs;
  };
}

/** The name of each account as it is now; of a deleted one as in its newest answer. */
function readNames(tx: ConnectionOrTransaction, answerIds: ReadonlyMap<string, number>): Map<string, string> {
  const names = new Map<string, string>();
  for (const [adminId, messageId] of answerIds) {
    const found =
      tx.select({ name: users.name }).from(users).where(eq(users.id, adminId)).get() ??
      tx.select({ name: messages.senderName }).from(messages).where(eq(messages.id, messageId)).get();
    names.set(adminId, found?.name ?? '');
  }
  return names;
}
