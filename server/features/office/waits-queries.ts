import { and, eq, gte, lt, max, min } from 'drizzle-orm';
import type { InstantRange } from '#shared/domain/dates.ts';
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

type MessageOfWait = [id: number, userId: string, senderId: string, fromAdmin: number, createdAt: number];
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
  const dismissedIds = readDismissedIds(tx, firstId);
  const deletedUserIds = readDeletedUserIds(tx);
  const findSinceBefore = prepareFindSinceBefore(orm);
  const progressByUser = new Map<string, Progress>();

  // Without Drizzle, which builds an object for each of perhaps millions of rows.
  const rows = orm.$client
    .prepare<[number, number], MessageOfWait>(
      'select id, user_id, sender_id, from_admin, created_at from messages where id between ? and ? order by id',
    )
    .raw();
  for (const [id, userId, senderId, fromAdmin, createdAt] of rows.iterate(firstId, lastId)) {
    let progress = progressByUser.get(userId);
    if (!progress) {
      progress = { lastId: 0, sinceMs: findSinceBefore(userId, id) };
      progressByUser.set(userId, progress);
    }
    // After a dismissal nothing waits.
    if (dismissedIds.has(progress.lastId)) progress.sinceMs = null;
    progress.lastId = id;
    const counts = createdAt >= fromMs && createdAt < toMs && !deletedUserIds.has(userId);
    if (fromAdmin === 0) {
      progress.sinceMs ??= createdAt;
      if (counts) incomingMs.push(createdAt);
    } else {
      if (counts && progress.sinceMs !== null) {
        waits.push({ adminId: senderId, sinceMs: progress.sinceMs, answeredMs: createdAt });
        answerIds.set(senderId, id);
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

function readDismissedIds(tx: ConnectionOrTransaction, firstId: number): Set<number> {
  const { messageId } = conversationDismissals;
  const rows = tx.select({ messageId }).from(conversationDismissals).where(gte(messageId, firstId)).all();
  return new Set(rows.map((row) => row.messageId));
}

/** Accounts whose messages are still being deleted. */
function readDeletedUserIds(tx: ConnectionOrTransaction): Set<string> {
  const rows = tx.select({ userId: accountDeletions.userId }).from(accountDeletions).all();
  return new Set(rows.map((row) => row.userId));
}

/** @returns finds since when a conversation waited before a message; null when it did not */
function prepareFindSinceBefore({ $client: sqlite }: Connection) {
  const earlier = sqlite
    .prepare<[string, number], [fromAdmin: number, createdAt: number, isDismissed: number]>(
      `select m.from_admin, m.created_at, d.message_id is not null
        from messages m
        left join conversation_dismissals d on d.user_id = m.user_id and d.message_id = m.id
        where m.user_id = ? and m.id < ? order by m.id desc`,
    )
    .raw();
  return (userId: string, messageId: number): number | null => {
    let sinceMs: number | null = null;
    for (const [fromAdmin, createdAt, isDismissed] of earlier.iterate(userId, messageId)) {
      if (fromAdmin === 1 || isDismissed === 1) break;
      sinceMs = createdAt;
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
