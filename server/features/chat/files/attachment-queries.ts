import { and, count, eq, gt, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm';
import { listOfNumbers } from '#server/db/many-rows.ts';
import { withoutIndex } from '#server/db/dialect.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { attachments, conversations, taxRecords, users } from '#server/db/schema.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';

export type AttachmentRow = typeof attachments.$inferSelect;

/** The record whose proof is a copy of the file now. */
export type ProofOf = { recordId: string; year: number };
export type SentAttachmentRow = AttachmentRow & { proofOf: ProofOf | null };

/** Number of files that one step of a deletion removes. */
const FILES_PER_STEP = 100;

export async function insertAttachment(tx: Transaction, row: AttachmentRow): Promise<void> {
  await tx.insert(attachments).values(row).run();
}

/** The first upload with this id, also after it was sent. */
export async function findUploaded(
  orm: ConnectionOrTransaction,
  uploaderId: string,
  clientId: string,
): Promise<AttachmentRow | undefined> {
  return orm
    .select()
    .from(attachments)
    .where(and(eq(attachments.uploaderId, uploaderId), eq(attachments.clientId, clientId)))
    .get();
}

export async function countUnsent(tx: Transaction, uploaderId: string): Promise<number> {
  // The plus keeps SQLite at the small index of what was not sent: an admin has sent many.
  const isOwnUnsent = and(isNull(attachments.messageId), sql`${withoutIndex(attachments.uploaderId)} = ${uploaderId}`);
  return (await tx.select({ unsent: count() }).from(attachments).where(isOwnUnsent).get())?.unsent ?? 0;
}

/**
 * Own files that no message carries yet, in the order of their ids; for the transaction that stores the message.
 * @returns `missing`: those that are not the sender's, were sent already, or were removed
 */
export async function findUnsent(
  tx: ConnectionOrTransaction,
  { id: uploaderId }: Pick<CurrentUser, 'id'>,
  ids: readonly string[],
): Promise<{ rows: AttachmentRow[]; missing: string[] }> {
  if (ids.length === 0) return { rows: [], missing: [] };
  const found = await tx
    .select()
    .from(attachments)
    .where(
      and(inArray(attachments.id, [...ids]), eq(attachments.uploaderId, uploaderId), isNull(attachments.messageId)),
    )
    .all();
  const byId = new Map(found.map((row) => [row.id, row]));
  const rows = [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
  const missing = ids.filter((id, index) => !byId.has(id) || ids.indexOf(id) !== index);
  return { rows, missing };
}

/** Makes files part of a message, in this order. */
export async function attachToMessage(
  tx: Transaction,
  rows: readonly AttachmentRow[],
  { userId, messageId }: { userId: string; messageId: number },
): Promise<void> {
  for (const [position, { id }] of rows.entries())
    await tx.update(attachments).set({ userId, messageId, position }).where(eq(attachments.id, id)).run();
}

/** The files of messages, by message, in their order; one query, and none at all where no message has any. */
export async function readAttachments(
  orm: ConnectionOrTransaction,
  messages: readonly { id: number; photoCount: number; documentCount: number }[],
): Promise<ReadonlyMap<number, SentAttachmentRow[]>> {
  const ids = messages.filter(({ photoCount, documentCount }) => photoCount + documentCount > 0).map(({ id }) => id);
  const byMessage = new Map<number, SentAttachmentRow[]>();
  if (ids.length === 0) return byMessage;
  const rows = await orm
    .select({ attachment: attachments, proofOf: { recordId: taxRecords.id, year: taxRecords.year } })
    .from(attachments)
    // A record of another account is never named, whatever a row says.
    .leftJoin(
      taxRecords,
      and(eq(taxRecords.proofFile, attachments.proofFile), eq(taxRecords.userId, attachments.userId)),
    )
    // As one value: a transcript may have more messages than a statement has parameters.
    .where(sql`${attachments.messageId} in ${listOfNumbers(ids)}`)
    .orderBy(attachments.messageId, attachments.position)
    .all();
  for (const { attachment, proofOf } of rows) {
    const ofMessage = byMessage.get(Number(attachment.messageId)) ?? [];
    ofMessage.push({ ...attachment, proofOf });
    byMessage.set(Number(attachment.messageId), ofMessage);
  }
  return byMessage;
}

/**
 * A file in a conversation; not one that waits to be sent, was deleted with the history, or belongs to an account that was
 * deleted or is an admin's.
 */
export async function findSent(
  orm: ConnectionOrTransaction,
  id: string,
): Promise<(AttachmentRow & { userId: string }) | null> {
  const row = (
    await orm
      .select({ attachment: attachments })
      .from(attachments)
      .innerJoin(conversations, eq(conversations.userId, attachments.userId))
      .innerJoin(users, and(eq(users.id, attachments.userId), eq(users.isAdmin, false)))
      .where(and(eq(attachments.id, id), gt(attachments.messageId, conversations.clearedId)))
      .get()
  )?.attachment;
  return row?.userId ? { ...row, userId: row.userId } : null;
}

/** Notes which copy of a file became a proof. */
export async function storeProofCopy(tx: Transaction, id: string, proofFile: string): Promise<void> {
  await tx.update(attachments).set({ proofFile }).where(eq(attachments.id, id)).run();
}

/**
 * A file by one of its names, with what decides who may open it. Everything of the conversation is null for a file that was
 * not sent, and for one of a deleted account.
 */
export function findByFile(orm: ConnectionOrTransaction, file: string) {
  return orm
    .select({
      file: attachments.file,
      name: attachments.name,
      uploaderId: attachments.uploaderId,
      messageId: attachments.messageId,
      userId: conversations.userId,
      clearedId: conversations.clearedId,
      isAdmin: users.isAdmin,
    })
    .from(attachments)
    .leftJoin(conversations, eq(conversations.userId, attachments.userId))
    .leftJoin(users, eq(users.id, attachments.userId))
    .where(or(eq(attachments.file, file), eq(attachments.thumbFile, file)))
    .get();
}

const nameFiles = (rows: readonly AttachmentRow[]): string[] =>
  rows.flatMap(({ file, thumbFile }) => (thumbFile === null ? [file] : [file, thumbFile]));

/** The result of one step: the names of its files, and whether more may be left. */
export type DeletedFiles = { files: string[]; isLast: boolean };

async function deleteRows(tx: Transaction, rows: readonly AttachmentRow[]): Promise<DeletedFiles> {
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await tx.delete(attachments).where(inArray(attachments.id, ids)).run();
  return { files: nameFiles(rows), isLast: rows.length < FILES_PER_STEP };
}

/** Deletes an own file that no message carries. @returns the names of its files; null when there is none such */
export async function deleteUnsent(
  tx: Transaction,
  { id: uploaderId }: Pick<CurrentUser, 'id'>,
  id: string,
): Promise<string[] | null> {
  const isOwnUnsent = and(
    eq(attachments.id, id),
    eq(attachments.uploaderId, uploaderId),
    isNull(attachments.messageId),
  );
  const deleted = await tx.delete(attachments).where(isOwnUnsent).returning().all();
  return deleted.length > 0 ? nameFiles(deleted) : null;
}

/** Deletes the next files of a deleted history. */
export async function deleteClearedBatch(tx: Transaction, userId: string): Promise<DeletedFiles> {
  const cleared = tx
    .select({ id: conversations.clearedId })
    .from(conversations)
    .where(eq(conversations.userId, userId));
  const isCleared = and(eq(attachments.userId, userId), lte(attachments.messageId, sql`${cleared}`));
  return deleteRows(tx, await tx.select().from(attachments).where(isCleared).limit(FILES_PER_STEP).all());
}

/** Users whose deleted history still has files, because a crash interrupted the deletion. */
export async function listUnfinishedClears(orm: ConnectionOrTransaction): Promise<string[]> {
  const left = sql`exists (select 1 from ${attachments} where ${attachments.userId} = ${conversations.userId}
    and ${attachments.messageId} <= ${conversations.clearedId})`;
  return (
    await orm
      .select({ userId: conversations.userId })
      .from(conversations)
      .where(and(gt(conversations.clearedId, 0), left))
      .all()
  ).map(({ userId }) => userId);
}

/** Deletes the next files that were never sent, and are older than one time or dated after the other. */
export async function deleteUnsentBatch(
  tx: Transaction,
  age: { olderThan: number; laterThan: number },
): Promise<DeletedFiles> {
  const isOld = or(lt(attachments.createdAt, age.olderThan), gt(attachments.createdAt, age.laterThan));
  const isUnsent = and(isNull(attachments.messageId), isOld);
  return deleteRows(tx, await tx.select().from(attachments).where(isUnsent).limit(FILES_PER_STEP).all());
}
