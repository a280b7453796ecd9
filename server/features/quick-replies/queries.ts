import { and, count, eq, isNull, ne, or, type SQL } from 'drizzle-orm';
import { v7 as newId } from 'uuid';
import { ascending } from '#server/db/dialect.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { quickReplies, taxRecords } from '#server/db/schema.ts';

export type QuickReplyRow = typeof quickReplies.$inferSelect;
/** `ownerId` null: shared by all admins. */
export type QuickReplyFields = Pick<QuickReplyRow, 'ownerId' | 'shortcut' | 'title' | 'content'>;

const ofOwner = (ownerId: string | null): SQL =>
  ownerId === null ? isNull(quickReplies.ownerId) : eq(quickReplies.ownerId, ownerId);
/** The quick replies that an admin may see and change: shared ones and the own ones. */
const visibleTo = (adminId: string): SQL | undefined => or(isNull(quickReplies.ownerId), ofOwner(adminId));

/** By shortcut. */
export async function listQuickReplies(orm: ConnectionOrTransaction, adminId: string): Promise<QuickReplyRow[]> {
  return orm
    .select()
    .from(quickReplies)
    .where(visibleTo(adminId))
    .orderBy(quickReplies.shortcut, quickReplies.createdAt, quickReplies.id)
    .all();
}

/** @returns undefined also for a colleague's own one */
export async function findQuickReply(
  orm: ConnectionOrTransaction,
  adminId: string,
  id: string,
): Promise<QuickReplyRow | undefined> {
  return orm
    .select()
    .from(quickReplies)
    .where(and(eq(quickReplies.id, id), visibleTo(adminId)))
    .get();
}

export async function countQuickReplies(orm: ConnectionOrTransaction, ownerId: string | null): Promise<number> {
  return (await orm.select({ total: count() }).from(quickReplies).where(ofOwner(ownerId)).get())?.total ?? 0;
}

export async function findByShortcut(
  orm: ConnectionOrTransaction,
  ownerId: string | null,
  shortcut: string,
): Promise<QuickReplyRow | undefined> {
  return orm
    .select()
    .from(quickReplies)
    .where(and(ofOwner(ownerId), eq(quickReplies.shortcut, shortcut)))
    .get();
}

export async function insertQuickReply(
  tx: Transaction,
  fields: QuickReplyFields,
  nowMs: number,
): Promise<QuickReplyRow> {
  return tx
    .insert(quickReplies)
    .values({ id: newId(), ...fields, createdAt: nowMs, updatedAt: nowMs })
    .returning()
    .get();
}

export async function updateQuickReply(tx: Transaction, { id, ...columns }: QuickReplyRow): Promise<void> {
  await tx.update(quickReplies).set(columns).where(eq(quickReplies.id, id)).run();
}

export async function deleteQuickReply(tx: Transaction, id: string): Promise<void> {
  await tx.delete(quickReplies).where(eq(quickReplies.id, id)).run();
}

export type UnpaidRecord = Pick<
  typeof taxRecords.$inferSelect,
  'sptNumber' | 'year' | 'amountSen' | 'amountSource' | 'status' | 'dueDate'
>;

/** The unpaid records of one user, the oldest year first. */
export async function listUnpaidRecords(orm: ConnectionOrTransaction, userId: string): Promise<UnpaidRecord[]> {
  const { sptNumber, year, amountSen, amountSource, status, dueDate } = taxRecords;
  return orm
    .select({ sptNumber, year, amountSen, amountSource, status, dueDate })
    .from(taxRecords)
    .where(and(eq(taxRecords.userId, userId), ne(status, 'lunas')))
    .orderBy(year, ascending(dueDate), sptNumber, taxRecords.id)
    .all();
}
