import { and, asc, count, eq, gt, sql } from 'drizzle-orm';
import type { Connection } from '#server/db/engine.ts';
import {
  attachments,
  auditEntries,
  conversations,
  messages,
  objectClaims,
  objects,
  sessions,
  taxRecords,
} from '#server/db/schema.ts';

/**
 * The own data of one account, read in short steps. One snapshot of all would hold back the write-ahead log for as long as a
 * gigabyte of photos takes, and with it the erasure of deleted texts.
 */

const STEP_ROWS = 500;

export type OwnRecordRow = typeof taxRecords.$inferSelect;
export type OwnMessageRow = typeof messages.$inferSelect;
export type OwnAttachmentRow = typeof attachments.$inferSelect;
export type RecordEntry = typeof auditEntries.$inferSelect;
export type OwnClaimRow = typeof objectClaims.$inferSelect;
export type OwnSessionRow = typeof sessions.$inferSelect;

/** Rows in steps; the next step begins after the last row of the one before. */
async function* inSteps<Row>(readAfter: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row> {
  let rows = await readAfter(undefined);
  while (rows.length > 0) {
    yield* rows;
    rows = rows.length < STEP_ROWS ? [] : await readAfter(rows.at(-1));
  }
}

export const readRecords = (orm: Connection, userId: string): AsyncGenerator<OwnRecordRow> =>
  inSteps<OwnRecordRow>((last) =>
    orm
      .select()
      .from(taxRecords)
      .where(
        and(
          eq(taxRecords.userId, userId),
          last && sql`(${taxRecords.createdAt}, ${taxRecords.id}) > (${last.createdAt}, ${last.id})`,
        ),
      )
      .orderBy(asc(taxRecords.createdAt), asc(taxRecords.id))
      .limit(STEP_ROWS)
      .all(),
  );

/** The entries of the audit about one record, the oldest first. */
export async function readRecordEntries(orm: Connection, recordId: string): Promise<RecordEntry[]> {
  return orm
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.subjectId, recordId))
    .orderBy(asc(auditEntries.id))
    .all();
}

/** A history that was deleted meanwhile is not in the next step. */
const afterCleared = (userId: string) =>
  sql`coalesce((select ${conversations.clearedId} from ${conversations} where ${conversations.userId} = ${userId}), 0)`;

export const readMessages = (orm: Connection, userId: string): AsyncGenerator<OwnMessageRow> =>
  inSteps<OwnMessageRow>((last) =>
    orm
      .select()
      .from(messages)
      .where(
        and(
          eq(messages.userId, userId),
          gt(messages.id, afterCleared(userId)),
          last ? gt(messages.id, last.id) : undefined,
        ),
      )
      .orderBy(asc(messages.id))
      .limit(STEP_ROWS)
      .all(),
  );

export async function countMessages(orm: Connection, userId: string): Promise<number> {
  const isOwn = and(eq(messages.userId, userId), gt(messages.id, afterCleared(userId)));
  return (await orm.select({ total: count() }).from(messages).where(isOwn).get())?.total ?? 0;
}

/** A message that another one quotes; only of the own conversation. */
export async function findOwnMessage(orm: Connection, userId: string, id: number): Promise<OwnMessageRow | undefined> {
  return orm
    .select()
    .from(messages)
    .where(and(eq(messages.id, id), eq(messages.userId, userId), gt(messages.id, afterCleared(userId))))
    .get();
}

/** The files of the conversation in the order of their messages. */
export const readAttachments = (orm: Connection, userId: string): AsyncGenerator<OwnAttachmentRow> =>
  inSteps<OwnAttachmentRow>((last) =>
    orm
      .select()
      .from(attachments)
      .where(
        and(
          eq(attachments.userId, userId),
          gt(attachments.messageId, afterCleared(userId)),
          last &&
            sql`(${attachments.messageId}, ${attachments.position}, ${attachments.id}) > (${last.messageId}, ${last.position}, ${last.id})`,
        ),
      )
      .orderBy(asc(attachments.messageId), asc(attachments.position), asc(attachments.id))
      .limit(STEP_ROWS)
      .all(),
  );

export async function readClaims(orm: Connection, userId: string): Promise<OwnClaimRow[]> {
  return orm
    .select()
    .from(objectClaims)
    .where(eq(objectClaims.userId, userId))
    .orderBy(asc(objectClaims.createdAt), asc(objectClaims.id))
    .all();
}

export async function readLinkedObjects(
  orm: Connection,
  userId: string,
): Promise<{ nop: string; linkedAt: number | null }[]> {
  return orm
    .select({ nop: objects.nop, linkedAt: objects.linkedAt })
    .from(objects)
    .where(eq(objects.userId, userId))
    .orderBy(asc(objects.nop))
    .all();
}

export async function readSessions(orm: Connection, userId: string): Promise<OwnSessionRow[]> {
  return orm.select().from(sessions).where(eq(sessions.userId, userId)).orderBy(asc(sessions.createdAt)).all();
}
