import { and, count, eq, isNotNull, isNull } from 'drizzle-orm';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { taxRecords } from '#server/db/schema.ts';
import { readUploadBytes } from '#server/uploads/upload-queries.ts';

/** The stored amount of an account; the bytes are those of proofs and of files in messages (R-FILE-6). Indexes alone answer both. */
export async function readQuotaUse(
  orm: ConnectionOrTransaction,
  userId: string,
): Promise<{ records: number; proofBytes: number }> {
  const counted = await orm.select({ records: count() }).from(taxRecords).where(eq(taxRecords.userId, userId)).get();
  return { records: counted?.records ?? 0, proofBytes: await readUploadBytes(orm, userId) };
}

export type UnmeasuredProof = { id: string; proofFile: string };

/** Images whose size is not known: version 1.0.0 did not store it. */
export async function listUnmeasuredProofs(orm: ConnectionOrTransaction): Promise<UnmeasuredProof[]> {
  return (
    await orm
      .select({ id: taxRecords.id, proofFile: taxRecords.proofFile })
      .from(taxRecords)
      .where(and(isNotNull(taxRecords.proofFile), isNull(taxRecords.proofBytes)))
      .all()
  ).flatMap(({ id, proofFile }) => (proofFile === null ? [] : [{ id, proofFile }]));
}

export async function storeProofBytes(
  tx: Transaction,
  { id, proofFile }: UnmeasuredProof,
  proofBytes: number,
): Promise<void> {
  await tx
    .update(taxRecords)
    .set({ proofBytes })
    .where(and(eq(taxRecords.id, id), eq(taxRecords.proofFile, proofFile)))
    .run();
}
