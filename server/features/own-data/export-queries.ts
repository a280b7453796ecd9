import { and, eq, lte, ne, sql } from 'drizzle-orm';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { attachments, dataExports, taxRecords } from '#server/db/schema.ts';

export type ExportRow = typeof dataExports.$inferSelect;

export async function findExport(orm: ConnectionOrTransaction, userId: string): Promise<ExportRow | undefined> {
  return orm.select().from(dataExports).where(eq(dataExports.userId, userId)).get();
}

/** A copy that is being made takes the place of the one before. */
export async function startExport(tx: Transaction, row: Pick<ExportRow, 'userId' | 'file' | 'since'>): Promise<void> {
  const stored = { ...row, state: 'running', bytes: null } as const;
  await tx.insert(dataExports).values(stored).onConflictDoUpdate({ target: dataExports.userId, set: stored }).run();
}

/** @returns false when the account is gone, or has asked for another copy */
export async function endExport(
  tx: Transaction,
  { userId, file, ...end }: Omit<ExportRow, 'state'> & { state: 'ready' | 'failed' },
): Promise<boolean> {
  const isIt = and(eq(dataExports.userId, userId), eq(dataExports.file, file));
  return (await tx.update(dataExports).set(end).where(isIt).returning({ file: dataExports.file }).all()).length > 0;
}

export const hasExports = async (orm: ConnectionOrTransaction): Promise<boolean> =>
  (await orm.select({ file: dataExports.file }).from(dataExports).limit(1).get()) !== undefined;

export async function deleteEndedBefore(tx: Transaction, since: number): Promise<void> {
  await tx
    .delete(dataExports)
    .where(and(ne(dataExports.state, 'running'), lte(dataExports.since, since)))
    .run();
}

export async function deleteExport(
  tx: Transaction,
  { userId, file }: Pick<ExportRow, 'userId' | 'file'>,
): Promise<void> {
  await tx
    .delete(dataExports)
    .where(and(eq(dataExports.userId, userId), eq(dataExports.file, file)))
    .run();
}

export async function listExports(orm: ConnectionOrTransaction): Promise<ExportRow[]> {
  return orm.select().from(dataExports).all();
}

/** The size of the images and documents of an account, which are the most of its copy. */
export async function sumFileBytes(orm: ConnectionOrTransaction, userId: string): Promise<number> {
  const sum = async (query: { get: () => Promise<{ bytes: number } | undefined> }): Promise<number> =>
    (await query.get())?.bytes ?? 0;
  const ofMessages = orm
    .select({ bytes: sql<number>`coalesce(sum(${attachments.bytes}), 0)` })
    .from(attachments)
    .where(eq(attachments.userId, userId));
  const ofProofs = orm
    .select({ bytes: sql<number>`coalesce(sum(${taxRecords.proofBytes}), 0)` })
    .from(taxRecords)
    .where(eq(taxRecords.userId, userId));
  return (await sum(ofMessages)) + (await sum(ofProofs));
}
